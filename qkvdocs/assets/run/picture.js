// A picture that the reader's code made: drawn anew from the shapes and attributes that are known
// to do no more than draw. An <img> would need an address that a strict content policy refuses.

const SVG = "http://www.w3.org/2000/svg"

const SHAPES = new Set(
  "svg g path rect circle ellipse line polyline polygon text tspan title desc".split(" "),
)

const ATTRIBUTES = new Set(
  ("viewBox width height x y x1 y1 x2 y2 dx dy cx cy r rx ry d points transform fill fill-opacity "
    + "fill-rule stroke stroke-width stroke-opacity stroke-dasharray stroke-linecap stroke-linejoin "
    + "opacity font-size font-family font-weight font-style text-anchor dominant-baseline "
    + "preserveAspectRatio").split(" "),
)

// No url(), so that nothing points elsewhere.
const HARMLESS = /^(?!.*url\s*\()[\p{L}\p{N}\s#%.,+\-()"']*$/iu

/** The picture as an element, or undefined if the text is none. */
export function picture(text) {
  const { documentElement } = new DOMParser().parseFromString(text, "image/svg+xml")
  if (documentElement.namespaceURI !== SVG || documentElement.localName !== "svg") return undefined
  return copy(documentElement)
}

function copy(element) {
  const made = document.createElementNS(SVG, element.localName)
  for (const { name, value } of element.attributes) set(made, name, value)
  for (const declaration of (element.getAttribute("style") ?? "").split(";")) {
    const [name, value] = declaration.split(":").map(part => part.trim())
    if (value) set(made, name, value)
  }
  for (const child of element.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) made.append(child.data)
    else if (child.namespaceURI === SVG && SHAPES.has(child.localName)) made.append(copy(child))
  }
  return made
}

function set(element, name, value) {
  if (ATTRIBUTES.has(name) && HARMLESS.test(value)) element.setAttribute(name, value)
}
