// The worker that has Python. First message: which files there are; each further one: code to run.

import { Download, Fault } from "./download.js"

const MS_BETWEEN_MESSAGES = 50
const MESSAGES_AT_ONCE = 50

let python

// The cells of one notebook share their names, for as long as this worker lives.
const namespaces = new Map()

async function load({ manifest, list, interrupt }) {
  const base = new URL(".", manifest)
  const download = new Download(base, list)
  download.onprogress = numbers => postMessage({ type: "progress", ...numbers })
  self.fetch = (...request) => download.fetch(...request)
  const checked = download.start()
  // The page holds them: that much in the memory of this worker makes Python start later.
  checked.then(() => give(download.contents), () => {})
  try {
    const { loadPyodide } = await import(new URL("pyodide.mjs", base))
    const pyodide = await loadPyodide({
      indexURL: base.href,
      lockFileURL: new URL(download.list.lock, base).href,
    })
    if (interrupt) pyodide.setInterruptBuffer(interrupt)
    await pyodide.loadPackage(["numpy", "qkvdocs"], {
      // Each file is checked while it comes.
      checkIntegrity: false,
      messageCallback() {},
      errorCallback() {},
    })
    // loadPackage doesn't throw when a package could not be loaded.
    if (!("qkvdocs" in pyodide.loadedPackages && "numpy" in pyodide.loadedPackages)) {
      throw new Fault("crash")
    }
    await checked
    python = pyodide.pyimport("qkvdocs.running")
  } catch (error) {
    // A bad file is the reason for whatever failed after it.
    await checked
    throw error
  }
}

function give(contents) {
  postMessage({ type: "files", contents }, contents.map(({ content }) => content))
}

/** All that this worker was made of, to be kept as well. */
function addresses(manifest) {
  const loaded = performance.getEntriesByType("resource").map(entry => entry.name)
  return [self.location.href, manifest, ...loaded]
}

function run(code, notebook) {
  const shown = new Shown()
  const whole = python.run(code, (kind, text) => shown.add(kind, text), namespaceOf(notebook))
  shown.send()
  postMessage({ type: "end", state: whole ? "done" : "raised" })
}

function namespaceOf(notebook) {
  if (notebook === undefined) return undefined
  if (!namespaces.has(notebook)) namespaces.set(notebook, python.namespace())
  return namespaces.get(notebook)
}

// Code that prints in a loop would flood the page with messages.
class Shown {
  #text = ""
  #sent = 0
  #count = 0

  add(kind, text) {
    if (kind !== "out") {
      this.send()
      postMessage({ type: "show", kind, text })
      return
    }
    this.#text += text
    const due = performance.now() - this.#sent > MS_BETWEEN_MESSAGES
    if (due || this.#count < MESSAGES_AT_ONCE) this.send()
  }

  send() {
    if (this.#text) postMessage({ type: "show", kind: "out", text: this.#text })
    this.#text = ""
    this.#sent = performance.now()
    this.#count += 1
  }
}

self.onmessage = async ({ data }) => {
  try {
    if (data.manifest) {
      await load(data)
      postMessage({ type: "ready", addresses: addresses(data.manifest) })
    } else {
      run(data.code, data.notebook)
    }
  } catch (error) {
    const { reason, file } = error instanceof Fault ? error : { reason: "crash" }
    postMessage({ type: "broken", reason, file })
  }
}
