// A classic script, because a page that was opened from a file gets no modules, and shall say so.
// It puts the buttons below each snippet; whatever they need is fetched when one is first pressed.

(() => {
  const { src, dataset } = document.currentScript
  const manifest = new URL(dataset.manifest, location).href
  const template = document.getElementById("qkv-run").content
  let modules
  let isStarted = false

  function tell(bar, sentence) {
    const status = bar.querySelector("[role=status]")
    status.textContent = template.querySelector(`[data-say="${sentence}"]`).textContent
    status.dataset.sentence = sentence
  }

  function fetched(name) {
    return import(new URL(name, src))
  }

  // Python takes longest, so its worker need not wait for what shows it.
  function startWorker() {
    let worker
    try {
      worker = new Worker(new URL("worker.js", src), { type: "module", name: manifest })
    } catch {
      // What is lacking is said when the snippet is run.
      return
    }
    // So is what keeps it from starting: the runtime then makes another, and hears of it.
    worker.onerror = event => {
      event.preventDefault()
      worker = undefined
    }
    fetched("runtime.js").then(({ runtimeOf }) => {
      if (worker) runtimeOf(manifest).adopt(worker)
    }, () => worker?.terminate())
  }

  async function answer(snippet, bar, action) {
    if (action === "run" && !isStarted) {
      isStarted = true
      startWorker()
    }
    let module
    try {
      module = await (modules ??= fetched("snippet.js"))
    } catch {
      // The next press tries again.
      modules = undefined
      tell(bar, location.protocol === "file:" ? "file" : "network")
      return
    }
    module.snippetOf(snippet, bar, template, manifest)[action]()
  }

  for (const snippet of document.querySelectorAll(".qkv-snippet")) {
    const bar = template.querySelector(".qkv-run").cloneNode(true)
    snippet.querySelector(".highlight").after(bar)
    bar.addEventListener("click", event => {
      const button = event.target.closest("[data-do]")
      if (button) answer(snippet, bar, button.dataset.do)
    })
  }
})()
