// The worker that has Python. Its name is the address of the list of files, so that it can begin before
// anyone speaks to it. The first message asks for Python, each further one has code to run.

import { Download, Fault } from "./download.js"

const MS_BETWEEN_MESSAGES = 50
const MESSAGES_AT_ONCE = 50

let python

// The cells of one notebook share their names, for as long as this worker lives.
const namespaces = new Map()

const base = new URL(".", self.name)
const begun = begin(self.name)
// Whoever asks for Python hears of what went wrong.
begun.catch(() => {})

async function begin(manifest) {
  const pyodide = import(new URL("pyodide.mjs", base))
  pyodide.catch(() => {})
  const download = new Download(base, await listed(manifest))
  self.fetch = (...request) => download.fetch(...request)
  const checked = download.start()
  const starting = start(pyodide, download.list)
  starting.catch(() => {})
  return { download, checked, starting }
}

async function listed(manifest) {
  const response = await fetch(manifest).catch(() => { throw new Fault("network") })
  if (!response.ok) throw new Fault("missing", manifest.split("/").pop())
  return response.json()
}

async function load(interrupt) {
  const { download, checked, starting } = await begun
  download.onprogress = numbers => postMessage({ type: "progress", ...numbers })
  // The page holds them: that much in the memory of this worker makes Python start later.
  checked.then(() => give(download.contents), () => {})
  try {
    const { pyodide, running } = await starting
    await checked
    if (interrupt) pyodide.setInterruptBuffer(interrupt)
    python = running
  } catch (error) {
    // A bad file is the reason for whatever failed after it.
    await checked
    throw error
  }
}

async function start(module, list) {
  const { loadPyodide } = await module
  const lockFileURL = new URL(list.lock, base).href
  const pyodide = await loadPyodide({ indexURL: base.href, lockFileURL })
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
  // What all code is likely to import: in one go with the start it takes less long than within a run.
  pyodide.pyimport("numpy").destroy()
  return { pyodide, running: pyodide.pyimport("qkvdocs.running") }
}

function give(contents) {
  postMessage({ type: "files", contents }, contents.map(({ content }) => content))
}

/** All that this worker was made of, to be kept as well. */
function addresses() {
  const loaded = performance.getEntriesByType("resource").map(entry => entry.name)
  return [self.location.href, ...loaded]
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
    if (data.python) {
      await load(data.python.interrupt)
      postMessage({ type: "ready", addresses: addresses() })
    } else {
      run(data.code, data.notebook)
    }
  } catch (error) {
    const { reason, file } = error instanceof Fault ? error : { reason: "crash" }
    postMessage({ type: "broken", reason, file })
  }
}
