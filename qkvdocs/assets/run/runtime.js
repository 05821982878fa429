// The one Python of a page: a worker that is started by the first run, and the queue before it.

const SECONDS_TO_OBEY = 1
const MS_TO_SHOW = 300

/** What became of a run: `state` is done, raised, stopped or broken; broken has a `reason`. */

export class Runtime {
  #manifest
  #worker
  #interrupt
  #ready = false
  #queue = []
  #current
  #files

  /** Which Python it is, counted from 0: what ran in an earlier one is forgotten. */
  life = 0

  constructor(manifest) {
    this.#manifest = manifest
  }

  /**
   * Run code when all that was asked for before has ended, in a namespace of its own or in that
   * of a notebook.
   *
   * `watcher` has `phase(name, numbers)` for waiting, loading, starting, running, and
   * `show(kind, text)` for what the code shows: out, cut, error or picture.
   */
  run(code, watcher, notebook) {
    const reason = whatIsLacking()
    if (reason) return Promise.resolve({ state: "broken", reason })
    return new Promise(end => {
      this.#queue.push({ code, notebook, watcher, end })
      if (this.#current) watcher.phase("waiting")
      else this.#next()
    })
  }

  /** Load Python in a worker that was made for a run that is about to be asked for. */
  adopt(worker) {
    if (whatIsLacking() || this.#worker) worker.terminate()
    else this.#start(worker)
  }

  /** End the run of this watcher, wherever it is. */
  stop(watcher) {
    const waiting = this.#queue.findIndex(job => job.watcher === watcher)
    if (waiting >= 0) this.#queue.splice(waiting, 1)[0].end({ state: "stopped" })
    else if (this.#current?.watcher === watcher) this.#stopCurrent(this.#current)
  }

  #stopCurrent(job) {
    const terminate = () => {
      if (this.#current !== job) return
      this.#discard()
      // At once, so that the next run needn't wait for it.
      this.#start()
      this.#end({ state: "stopped" })
    }
    if (!this.#interrupt || !this.#ready) return terminate()
    job.interrupted = true
    this.#interrupt[0] = 2
    setTimeout(terminate, 1000 * SECONDS_TO_OBEY)
  }

  #next() {
    this.#current = this.#queue.shift()
    if (!this.#current) return
    if (!this.#worker) this.#start()
    if (this.#ready) this.#send()
    else this.#current.watcher.phase("starting")
  }

  #send() {
    this.#current.watcher.phase("running")
    if (this.#interrupt) this.#interrupt[0] = 0
    const { code, notebook } = this.#current
    this.#worker.postMessage({ code, notebook })
  }

  #start(worker = workerFor(this.#manifest)) {
    this.#ready = false
    worker.onmessage = ({ data }) => this.#hear(data)
    worker.onerror = event => {
      event.preventDefault()
      this.#break("worker")
    }
    this.#worker = worker
    if (self.crossOriginIsolated) this.#interrupt = new Uint8Array(new SharedArrayBuffer(1))
    worker.postMessage({ python: { interrupt: this.#interrupt } })
  }

  #hear({ type, ...said }) {
    const job = this.#current
    if (type === "progress") job?.watcher.phase(...phaseOf(said))
    else if (type === "files") this.#files = said
    else if (type === "ready") {
      this.#ready = true
      Object.assign(this.#files, said)
      if (job) this.#send()
    }
    else if (type === "show") job?.watcher.show(said.kind, said.text)
    else if (type === "end") this.#end({ state: job.interrupted ? "stopped" : said.state })
    else if (type === "broken") this.#break(said.reason, said.file)
  }

  #handOver() {
    // Stopped in the meantime, Python starts anew, and its files are handed over after that.
    if (!this.#ready || !this.#files) return
    document.dispatchEvent(new CustomEvent("qkv-runtime-loaded", { detail: this.#files }))
    this.#files = undefined
  }

  #end(result) {
    const { end } = this.#current
    this.#current = undefined
    end(result)
    this.#next()
    // First the page shows the result, for which the reader waits.
    setTimeout(() => this.#handOver(), MS_TO_SHOW)
  }

  // Whoever waits would only meet the same fault; the next press starts anew.
  #break(reason, file) {
    this.#discard()
    const jobs = [this.#current, ...this.#queue.splice(0)]
    this.#current = undefined
    for (const job of jobs) job?.end({ state: "broken", reason, file })
  }

  #discard() {
    this.#worker.terminate()
    this.#worker = undefined
    this.#ready = false
    this.#files = undefined
    this.life += 1
  }
}

function phaseOf(numbers) {
  return numbers.loaded < numbers.total ? ["loading", numbers] : ["starting"]
}

function workerFor(manifest) {
  return new Worker(new URL("worker.js", import.meta.url), { type: "module", name: manifest })
}

function whatIsLacking() {
  if (typeof WebAssembly !== "object") return "no-wasm"
  if (typeof Worker !== "function") return "no-worker"
  return undefined
}

let shared

/** The runtime of the page; its files are those that the manifest at this address lists. */
export function runtimeOf(manifest) {
  shared ??= new Runtime(manifest)
  return shared
}
