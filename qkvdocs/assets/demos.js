// Fetches the script of a demo when the reader comes near it. Until then the demo is as it was built.

// How far ahead, in screens: a demo becomes a widget, and so changes its height, out of sight. Its
// script is there by then, since all are fetched when the reader first moves.
const AHEAD = "50%"

// Where the browser doesn't hold the place when something above it changes its height, the reader
// would be thrown off: there all demos change at once.
const holdsPlace = CSS.supports("overflow-anchor", "auto")

const waiting = new Set(document.querySelectorAll(".qkv-demo"))

function script({ dataset }) {
  return new URL(`demos/${dataset.demo}/element.js`, import.meta.url).href
}

function wake(demo) {
  waiting.delete(demo)
  near.unobserve(demo)
  // A demo whose script does not arrive keeps what it shows; the browser reports the failure.
  import(script(demo))
}

function wakeAll() {
  waiting.forEach(wake)
}

function wakeAddressed() {
  const [id, state] = location.hash.slice(1).split("?")
  for (const demo of waiting) if (state !== undefined && demo.id === id) wake(demo)
}

// Who moves will soon be near one; and a visited page shall have all of them when the network is gone.
function fetchRest() {
  moved.abort()
  // Browsers need not preload what a module imports.
  const shared = ["demo.js", "attention.js"].map((name) => new URL(name, import.meta.url).href)
  for (const href of new Set([...shared, ...[...waiting].map(script)])) {
    const link = document.createElement("link")
    Object.assign(link, { rel: "modulepreload", href })
    document.head.append(link)
  }
}

const moved = new AbortController()

const near = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) if (isIntersecting) wake(target)
}, { rootMargin: `${AHEAD} 0px` })

if (holdsPlace) {
  waiting.forEach((demo) => near.observe(demo))
  wakeAddressed()
  addEventListener("hashchange", wakeAddressed)
  // Who goes by keys or hears the page may be anywhere in it, whatever is in sight. A click brings the
  // focus too, but who points sees where they are; and what was pressed shall not wait for all demos.
  addEventListener("keydown", wakeAll, { once: true })
  addEventListener("focusin", ({ target }) => {
    if (target.matches(":focus-visible")) wakeAll()
  })
  const { signal } = moved
  for (const sign of ["scroll", "pointermove"]) addEventListener(sign, fetchRest, { signal })
} else {
  wakeAll()
}
