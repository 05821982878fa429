// Answers for the site when the network is gone. A new release has a new VERSION, and with it a
// worker of its own that renews the pages and drops what the release no longer has.

const VERSION = "@VERSION@"
const RUNTIME_FOLDER = "assets/runtime/"
const RUN_FOLDER = "assets/qkvdocs/run/"
const RUNTIME_FILES = "@RUNTIME_FILES@"

const SCOPE = self.registration.scope
const OURS = `qkvdocs ${SCOPE} `
const PAGES = `${OURS}pages ${VERSION}`
const RUNTIME = `${OURS}runtime`

const HASHED = /\.[0-9a-f]{8}\.min\.(js|css)$/

function isRuntime(url) {
  return url.startsWith(SCOPE + RUNTIME_FOLDER)
}

function isFixed(url) {
  return isRuntime(url) || HASHED.test(url)
}

function cacheOf(url) {
  return caches.open(isRuntime(url) ? RUNTIME : PAGES)
}

// A worker that was replaced goes on with what it had begun, and would bring back dropped caches.
function isReplaced() {
  return self.serviceWorker?.state === "redundant"
}

async function keep(url, options) {
  if (isReplaced()) return
  const cache = await cacheOf(url)
  if (await cache.match(url)) return
  const response = await fetch(url, options)
  if (response.ok) await cache.put(url, response)
}

async function keepContent({ url, type, content }) {
  if (isReplaced()) return
  const cache = await cacheOf(url)
  await cache.put(url, new Response(content, { headers: { "content-type": type } }))
}

async function newest(request) {
  const cache = await cacheOf(request.url)
  try {
    return await fetched(request, cache)
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: request.mode === "navigate" })
    if (kept) return kept
    throw error
  }
}

async function keptOrFetched(request) {
  const cache = await cacheOf(request.url)
  const kept = await cache.match(request)
  // Python is kept when the page hands it over, once it has run: before, it would start later.
  return kept ?? (isRuntime(request.url) ? fetch(request) : fetched(request, cache))
}

async function fetched(request, cache) {
  const response = await fetch(request)
  // Not waited for: the page may read while it is being kept.
  if (response.ok) cache.put(request, response.clone()).catch(() => {})
  return response
}

async function renewPages() {
  for (const name of await caches.keys()) {
    if (!name.startsWith(`${OURS}pages `) || name === PAGES) continue
    const visited = await (await caches.open(name)).keys()
    // A page that the release no longer has is no reason to stay with the old one.
    // Nor is what the browser itself still has of it.
    await Promise.allSettled(visited.map(({ url }) => keep(url, { cache: "no-cache" })))
  }
}

async function dropOld() {
  for (const name of await caches.keys()) {
    if (name.startsWith(OURS) && name !== PAGES && name !== RUNTIME) await caches.delete(name)
  }
  const runtime = await caches.open(RUNTIME)
  const wanted = new Set(RUNTIME_FILES.map(file => SCOPE + file))
  for (const request of await runtime.keys()) {
    if (!wanted.has(request.url)) await runtime.delete(request)
  }
}

self.addEventListener("install", event => {
  self.skipWaiting()
  // Where browsers can, past this worker, through which Python would come more slowly.
  event.addRoutes?.([
    {
      condition: { urlPattern: `${SCOPE}${RUNTIME_FOLDER}*` },
      source: { cacheName: RUNTIME },
    },
    {
      condition: { urlPattern: `${SCOPE}${RUN_FOLDER}*` },
      source: "race-network-and-fetch-handler",
    },
  ])
  event.waitUntil(renewPages())
})

self.addEventListener("activate", event => {
  event.waitUntil(dropOld().then(() => self.clients.claim()))
})

self.addEventListener("fetch", event => {
  const { request } = event
  if (request.method !== "GET" || !request.url.startsWith(SCOPE)) return
  event.respondWith(isFixed(request.url) ? keptOrFetched(request) : newest(request))
})

async function keepAll({ keep: urls = [], contents = [] }) {
  await Promise.allSettled(contents.map(keepContent))
  await Promise.allSettled(urls.map(url => keep(url)))
}

self.addEventListener("message", event => {
  event.waitUntil(keepAll(event.data))
})
