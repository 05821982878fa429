// The files of the runtime: fetched side by side, counted, and held to what the site published.

const MS_BETWEEN_COUNTS = 60

/** Why Python can't run: a `reason` that the page has a sentence for, and maybe a `file`. */
export class Fault extends Error {
  constructor(reason, file) {
    super(`${reason} ${file ?? ""}`)
    this.reason = reason
    this.file = file
  }
}

export class Download {
  #fetch = self.fetch.bind(self)
  #responses = new Map()
  #loaded = 0
  #told = 0

  /** `list` is the published manifest; its names are relative to `base`. */
  constructor(base, list) {
    this.base = base
    this.list = list
    this.total = list.files.reduce((sum, file) => sum + file.size, 0)
  }

  /** What has come, to be kept for when the network is gone. */
  contents = []

  onprogress() {}

  /** Begin to fetch all files; rejects with a Fault at the first that isn't right. */
  start() {
    const checks = this.list.files.map(file => this.#take(file))
    const all = Promise.all(checks)
    // Whoever waits for it hears of the fault; until then it isn't an unhandled one.
    all.catch(() => {})
    return all
  }

  /** What `fetch` is while Python loads: a file that is on its way is not asked for again. */
  fetch(request, options) {
    const url = new URL(request.url ?? request, self.location).href
    const response = this.#responses.get(url)
    this.#responses.delete(url)
    return response ?? this.#fetch(request, options)
  }

  async #take(file) {
    const url = new URL(file.name, this.base).href
    const response = this.#fetch(url)
    // One body is read here and one by Python; the original is Python's, so that the browser may
    // keep what it compiles of it. Modules are fetched once more, by import(), from its cache.
    const copied = response.then(original => original.clone())
    if (!file.name.endsWith(".mjs")) this.#responses.set(url, copied.then(() => response))
    let copy
    try {
      copy = await copied
    } catch {
      throw new Fault("network")
    }
    if (!copy.ok) throw new Fault("missing", file.name)
    const content = await this.#checked(file, copy.body)
    this.contents.push({ url, type: copy.headers.get("content-type") ?? "", content })
  }

  async #checked(file, body) {
    let content
    try {
      content = await new Response(body.pipeThrough(this.#counter())).arrayBuffer()
    } catch {
      throw new Fault("network")
    }
    if (content.byteLength !== file.size || !(await hasHash(content, file.sha256))) {
      throw new Fault("changed", file.name)
    }
    return content
  }

  #counter() {
    return new TransformStream({
      transform: (chunk, controller) => {
        this.#count(chunk.byteLength)
        controller.enqueue(chunk)
      },
    })
  }

  #count(bytes) {
    this.#loaded += bytes
    const now = performance.now()
    if (now - this.#told < MS_BETWEEN_COUNTS && this.#loaded < this.total) return
    this.#told = now
    this.onprogress({ loaded: this.#loaded, total: this.total })
  }
}

async function hasHash(content, wanted) {
  // Browsers leave this out where a page has come without encryption.
  if (!crypto.subtle) return true
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content))
  return Array.from(digest, byte => byte.toString(16).padStart(2, "0")).join("") === wanted
}
