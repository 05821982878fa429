// Lets visited pages be read, and their code be run, when the network is gone.

const site = new URL("../../", import.meta.url)

// `contents` are files that were fetched already, each with its address.
async function keep(addresses, contents = []) {
  const { active } = await navigator.serviceWorker.ready
  const own = [...addresses].map(withoutHash).filter(address => address.startsWith(site.href))
  const given = contents.map(({ content }) => content)
  active.postMessage({ keep: [...new Set(own)], contents }, given)
}

function withoutHash(address) {
  const url = new URL(address)
  url.hash = ""
  return url.href
}

// The page was there before the worker was, so the worker has to be told what it is made of. Also of
// what comes later: a file that is on its way while the worker starts passes it by.
function keepThisPage() {
  keep([location.href])
  const observer = new PerformanceObserver(list => keep(list.getEntries().map(({ name }) => name)))
  observer.observe({ type: "resource", buffered: true })
}

async function start() {
  await navigator.serviceWorker.register(new URL("sw.js", site))
  if (document.readyState === "complete") keepThisPage()
  else addEventListener("load", keepThisPage)
  document.addEventListener("qkv-runtime-loaded", ({ detail }) => {
    keep(detail.addresses, detail.contents)
  })
}

// Without encryption, or in a private window, browsers may have no service workers or refuse them.
if ("serviceWorker" in navigator) start().catch(() => {})
