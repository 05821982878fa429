// A textarea that lies over the coloured code and shows only its caret: the browser's own editing,
// with what phones and screen readers bring along.

import { highlight } from "./highlight.js"

const INDENT = "    "

export class Editor {
  #leaving = false

  /** `code` has the coloured code, `area` is the textarea for it, `run` what Ctrl-Enter does. */
  constructor(code, area, run) {
    this.code = code
    this.area = area
    area.value = code.textContent.replace(/\n$/, "")
    area.addEventListener("input", () => highlight(area.value, code))
    area.addEventListener("keydown", event => this.#key(event, run))
    area.addEventListener("blur", () => { this.#leaving = false })
    code.closest("pre").append(area)
    highlight(area.value, code)
  }

  get text() {
    return this.area.value
  }

  remove() {
    this.area.remove()
  }

  #key(event, run) {
    if (event.isComposing) return
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      run()
    } else if (event.key === "Escape") {
      this.#leaving = true
    } else if (event.key === "Tab" && !this.#leaving && !hasModifier(event)) {
      event.preventDefault()
      if (event.shiftKey) this.#outdent()
      else this.#insert(INDENT)
    } else if (event.key === "Enter" && !event.shiftKey && !hasModifier(event)) {
      event.preventDefault()
      this.#insert(`\n${indentAfter(this.#lineBefore())}`)
    } else if (event.key !== "Shift" && event.key !== "Tab") {
      this.#leaving = false
    }
  }

  #lineBefore() {
    return this.area.value.slice(0, this.area.selectionStart).split("\n").pop()
  }

  #outdent() {
    const spaces = /^ {1,4}/.exec(this.#lineOfCaret().text)?.[0].length ?? 0
    if (!spaces) return
    const { start } = this.#lineOfCaret()
    const caret = Math.max(start, this.area.selectionStart - spaces)
    this.area.setSelectionRange(start, start + spaces)
    this.#insert("")
    this.area.setSelectionRange(caret, caret)
  }

  #lineOfCaret() {
    const start = this.area.value.lastIndexOf("\n", this.area.selectionStart - 1) + 1
    return { start, text: this.area.value.slice(start).split("\n")[0] }
  }

  #insert(text) {
    // The only way that the browser's own undo knows of.
    const command = text ? "insertText" : "delete"
    if (document.execCommand(command, false, text)) return
    this.area.setRangeText(text, this.area.selectionStart, this.area.selectionEnd, "end")
    this.area.dispatchEvent(new Event("input"))
  }
}

function hasModifier(event) {
  return event.ctrlKey || event.metaKey || event.altKey
}

/** The indentation of the line that follows `line`. */
function indentAfter(line) {
  const own = /^\s*/.exec(line)[0]
  return line.trimEnd().endsWith(":") ? own + INDENT : own
}
