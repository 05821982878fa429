// Stands between Material and its search worker, so that the index of all pages is fetched when
// there is something to search, and not on every page. Messages are Material's: { type, data }.

const SETUP = 0, READY = 1, RESULT = 3

// "?en/&../../assets/javascripts/workers/search.HASH.min.js": the folder of the language, then the worker.
const [folder, worker] = self.location.search.slice(1).split("&")
const root = new URL(`../../${folder}`, self.location)

let engine

async function start() {
  const index = new URL("search/search_index.json", root)
  const { config, docs } = await (await fetch(index)).json()
  const started = new Worker(new URL(`assets/javascripts/workers/${worker.split("/").pop()}`, root))
  await new Promise((resolve, reject) => {
    started.onmessage = resolve
    started.onerror = reject
    started.postMessage({ type: SETUP, data: { config, docs, options: {} } })
  })
  started.onmessage = ({ data }) => self.postMessage(data)
  return started
}

self.onmessage = async ({ data }) => {
  if (!engine && !data.data) {
    self.postMessage({ type: RESULT, data: { items: [] } })
    return
  }
  engine ??= start()
  try {
    (await engine).postMessage(data)
  } catch (error) {
    // The next query tries again, as after a lost connection.
    engine = undefined
    self.postMessage({ type: RESULT, data: { items: [] } })
    throw error
  }
}

self.postMessage({ type: READY })
