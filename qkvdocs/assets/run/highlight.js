// Colours Python while it is being edited, with the classes that the built pages have.

const KEYWORDS = new Set(
  ("and as assert async await break class continue def del elif else except finally for from global "
    + "if import in is lambda match nonlocal not or pass raise return try while with yield").split(" "),
)
const CONSTANTS = new Set(["None", "True", "False"])
const BUILTINS = new Set(
  ("abs all any bool dict enumerate filter float int isinstance len list map max min print range repr "
    + "reversed round set sorted str sum tuple type zip").split(" "),
)

const STRING = String.raw`(?:\b[rbfu]{1,2})?(?:"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)`
const TOKEN = new RegExp(
  [
    String.raw`(?<c1>#.*)`,
    `(?<s1>${STRING})`,
    String.raw`(?<mi>\b(?:0[xob][\da-f_]+|\d[\d_]*(?:\.[\d_]*)?(?:e[+-]?\d+)?j?))`,
    String.raw`(?<n>[\p{L}_][\p{L}\p{N}_]*)`,
    String.raw`(?<o>[-+*/%@&|^~<>=!]+)`,
    String.raw`(?<p>[()[\]{},:;.])`,
  ].join("|"),
  "giu",
)

/** Fill `target` with the code, each token in a span of its class. */
export function highlight(code, target) {
  const parts = []
  let done = 0
  for (const found of code.matchAll(TOKEN)) {
    if (found.index > done) parts.push(code.slice(done, found.index))
    parts.push(token(found))
    done = found.index + found[0].length
  }
  // A last line that is empty has a height of its own only if something follows its break.
  target.replaceChildren(...parts, code.slice(done), code.endsWith("\n") || !code ? "\u200b" : "")
}

function token(found) {
  const span = document.createElement("span")
  const [kind] = Object.entries(found.groups).find(([, text]) => text !== undefined)
  span.className = kind === "n" ? nameClass(found[0]) : kind
  span.textContent = found[0]
  return span
}

function nameClass(name) {
  if (KEYWORDS.has(name)) return "k"
  if (CONSTANTS.has(name)) return "kc"
  return BUILTINS.has(name) ? "nb" : "n"
}
