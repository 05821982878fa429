// Takes the place of a service worker that an earlier release installed, and removes it.

const OURS = `qkvdocs ${self.registration.scope} `

async function remove() {
  for (const name of await caches.keys()) if (name.startsWith(OURS)) await caches.delete(name)
  await self.registration.unregister()
}

self.addEventListener("install", () => self.skipWaiting())
self.addEventListener("activate", event => event.waitUntil(remove()))
