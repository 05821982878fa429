// One snippet that the reader can run and edit: which buttons are there, what is shown and said.

import { difference } from "./difference.js"
import { Editor } from "./editor.js"
import { picture } from "./picture.js"
import { runtimeOf } from "./runtime.js"

const known = new WeakMap()

/** The snippet of this element, with the bar of buttons that was put into it. */
export function snippetOf(element, bar, template, manifest) {
  if (!known.has(element)) known.set(element, new Snippet(element, bar, template, manifest))
  return known.get(element)
}

class Snippet {
  #editor
  #running
  #waitsFor
  #ran = {}
  #got = ""

  constructor(element, bar, template, manifest) {
    this.element = element
    this.manifest = manifest
    this.bar = bar
    this.template = template
    this.runtime = runtimeOf(manifest)
    this.code = element.querySelector(".highlight code")
    this.built = [...this.code.childNodes]
    this.source = this.code.textContent
    this.output = element.querySelector(".qkv-snippet__output")
    this.checked = this.output?.textContent ?? ""
    this.output ??= this.#newOutput()
    this.pictures = [...element.querySelectorAll(".qkv-snippet__picture")]
  }

  get text() {
    return this.#editor?.text ?? this.source
  }

  // Whether there is something to take back.
  get #isChanged() {
    const { state } = this.element.dataset
    return this.#editor !== undefined || (state !== undefined && state !== "checked")
  }

  get isEdited() {
    return this.text.trimEnd() !== this.source.trimEnd()
  }

  /** Run the code, and before it the cells above that it builds on; resolves when it has ended. */
  run() {
    this.#running ??= this.#runAfterOthers().finally(() => {
      this.#running = undefined
      this.#buttons()
    })
    return this.#running
  }

  async #runAfterOthers() {
    const edited = this.isEdited
    const text = this.text
    const stopped = await this.#runAbove()
    if (stopped) {
      this.#end({ state: stopped }, edited)
      return
    }
    this.watcher = {
      phase: (name, numbers) => this.#phase(name, numbers),
      show: (kind, words) => this.#show(kind, words),
    }
    const result = await this.runtime.run(text, this.watcher, this.element.dataset.notebook)
    this.#ran = result.state === "done" ? { text, life: this.runtime.life } : {}
    this.#end(result, edited)
  }

  /** Run the cells above that have not run as they stand; says why not all of them did. */
  async #runAbove() {
    // The first step of a run, before anything is waited for.
    this.#begin()
    for (const cell of this.#above().filter(each => !each.hasRun)) {
      this.#say("waiting")
      this.#waitsFor = cell
      await cell.run()
      if (this.#waitsFor === undefined) return "stopped"
      if (!cell.hasRun) return "above"
    }
    return undefined
  }

  #above() {
    const { notebook } = this.element.dataset
    if (notebook === undefined) return []
    const cells = [...document.querySelectorAll(`[data-notebook="${CSS.escape(notebook)}"]`)]
    return cells
      .slice(0, cells.indexOf(this.element))
      .map(cell => snippetOf(cell, cell.querySelector(".qkv-run"), this.template, this.manifest))
  }

  /** Whether the code has run as it stands, and its names are still there. */
  get hasRun() {
    return this.#ran.text === this.text && this.#ran.life === this.runtime.life
  }

  stop() {
    const above = this.#waitsFor
    this.#waitsFor = undefined
    if (above) above.stop()
    else this.runtime.stop(this.watcher)
  }

  edit() {
    if (this.#editor) return
    const area = this.#part("editor")
    this.#editor = new Editor(this.code, area, () => this.run())
    this.element.classList.add("qkv-snippet--edited")
    this.hint = this.#part("hint")
    area.setAttribute("aria-describedby", (this.hint.id = uniqueId()))
    this.bar.append(this.hint)
    this.#button("edit", false)
    this.#button("reset", true)
    area.focus()
    area.setSelectionRange(0, 0)
  }

  reset() {
    this.#editor?.remove()
    this.#editor = undefined
    this.hint?.remove()
    this.code.replaceChildren(...this.built)
    this.element.classList.remove("qkv-snippet--edited")
    delete this.element.dataset.state
    this.#clear()
    this.#write(this.checked)
    this.#label(undefined)
    this.#button("edit", true)
    this.#button("reset", false)
    this.element.append(...this.pictures)
    this.#say("")
    this.#button("run", true).focus()
  }

  #begin() {
    this.#got = ""
    this.#cleared = false
    this.#buttons(true)
    this.element.classList.add("qkv-snippet--running")
  }

  #cleared = false

  // The last output stays until there is something new, so that the page doesn't jump.
  #clear() {
    this.#cleared = true
    this.output.querySelector("samp").replaceChildren()
    for (const old of this.element.querySelectorAll(".qkv-snippet__picture")) old.remove()
  }

  #phase(name, numbers) {
    const progress = this.bar.querySelector("progress")
    progress.hidden = name !== "loading"
    if (numbers) {
      progress.max = numbers.total
      progress.value = numbers.loaded
    }
    this.#say(name, numbers && { loaded: megabytes(numbers.loaded), total: megabytes(numbers.total) })
  }

  #show(kind, text) {
    if (!this.#cleared) this.#clear()
    if (kind === "picture") {
      this.#draw(text)
      return
    }
    if (kind === "out") this.#got += text
    this.#label("output")
    this.#write(text)
  }

  #draw(svg) {
    const drawn = picture(svg)
    if (!drawn) return
    const box = this.#part("picture")
    box.append(drawn)
    this.element.append(box)
  }

  #end({ state, reason, file }, edited) {
    this.#waitsFor = undefined
    this.element.classList.remove("qkv-snippet--running")
    this.bar.querySelector("progress").hidden = true
    if (!this.#cleared && (state === "done" || state === "raised")) this.#clear()
    const verdict = state === "done" ? this.#verdict(edited) : state
    if (verdict === "differs") this.#showDifference()
    this.#say(verdict === "broken" ? reason : verdict, { file })
    this.element.dataset.state = verdict
  }

  #verdict(edited) {
    if (edited) return "edited"
    return this.#got === this.checked ? "checked" : "differs"
  }

  #showDifference() {
    this.#clear()
    this.#label("difference")
    for (const { mark, line } of difference(this.checked, this.#got)) {
      const sign = { same: "  ", wanted: "− ", got: "+ " }[mark]
      this.#write(`${sign}${line}\n`, `qkv-snippet__line--${mark}`)
    }
  }

  #buttons(running = false) {
    const focused = document.activeElement
    const shown = {
      run: !running,
      stop: running,
      edit: !this.#editor,
      reset: !running && this.#isChanged,
    }
    for (const [name, is] of Object.entries(shown)) this.#button(name, is)
    // Run and Stop take each other's place, and the focus with it.
    if (focused?.hidden && this.bar.contains(focused)) {
      this.bar.querySelector(`[data-do="${running ? "stop" : "run"}"]`).focus()
    }
  }

  #button(name, shown) {
    const button = this.bar.querySelector(`[data-do="${name}"]`)
    button.hidden = !shown
    return button
  }

  #write(text, className) {
    this.output.hidden = false
    const part = document.createElement("span")
    if (className) part.className = className
    part.textContent = text
    this.output.querySelector("samp").append(part)
  }

  #say(sentence, values = {}) {
    const status = this.bar.querySelector("[role=status]")
    const message = this.template.querySelector(`[data-say="${sentence}"]`)?.textContent ?? ""
    const text = message.replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? "")
    status.dataset.sentence = sentence
    // Each megabyte would be read aloud; the phase is enough.
    status.setAttribute("aria-live", sentence === "loading" ? "off" : "polite")
    if (status.textContent !== text) status.textContent = text
  }

  /** Name the output: the sentence of the template, or what the built page says. */
  #label(sentence) {
    const label = this.element.querySelector(".qkv-snippet__label")
    this.labelled ??= label.textContent
    const text = sentence
      ? this.template.querySelector(`[data-label="${sentence}"]`).textContent
      : this.labelled
    label.textContent = text
    this.output.setAttribute("aria-label", text)
    label.hidden = this.output.hidden = sentence === undefined && this.checked === ""
  }

  #newOutput() {
    const [label, output] = this.template.querySelector('[data-part="output"]').cloneNode(true).children
    this.bar.after(label, output)
    return output
  }

  #part(name) {
    return this.template.querySelector(`[data-part="${name}"]`).cloneNode(true)
  }
}

let ids = 0

function uniqueId() {
  ids += 1
  return `qkv-run-${ids}`
}

function megabytes(bytes) {
  return (bytes / 1e6).toFixed(1)
}
