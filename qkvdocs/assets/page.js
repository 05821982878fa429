// On every page: the link to the other language keeps the place, boxes that scroll take the
// focus and show that there is more, and the buttons of each code block are no landmark of the page.

function keepPlace(link) {
  // The state of a demo stands in the hash, set without an event: so it is read when it is needed.
  const carry = () => { link.hash = location.hash }
  for (const event of ["focus", "pointerdown", "click"]) link.addEventListener(event, carry)
}

// Boxes in which something wide scrolls. The last two keep the focus they were built with.
const FOCUSED = ".qkv-scroll, pre > code"
const SCROLLING = `${FOCUSED}, .qkv-math, .qkv-snippet__output`

// At which edges something lies outside, for site.css to let it fade: cut between two columns, a table
// or a formula would look whole.
function edges({ scrollWidth, clientWidth, scrollLeft }) {
  const before = Math.abs(scrollLeft)
  const after = scrollWidth - clientWidth - before
  return [before > 1 ? "before" : "", after > 1 ? "after" : ""].join(" ").trim()
}

function write(box, more) {
  if (more) box.dataset.more = more
  else delete box.dataset.more
}

// All that changed at once, and asked for before anything is written: a page is laid out once for it.
const scrolling = new ResizeObserver(entries => {
  const boxes = new Set(entries.map(({ target }) => target.closest(SCROLLING)))
  for (const [box, more] of [...boxes].map(box => [box, edges(box)])) {
    write(box, more)
    if (!box.matches(FOCUSED)) continue
    if (more) box.tabIndex = 0
    else box.removeAttribute("tabindex")
  }
})

function watchScrolling(box) {
  scrolling.observe(box)
  // What is in it may become wider while the box stays as it is.
  if (box.firstElementChild) scrolling.observe(box.firstElementChild)
  box.addEventListener("scroll", () => write(box, edges(box)), { passive: true })
}

// Material adds the buttons when the block comes into sight.
function leaveLandmarks(block) {
  new MutationObserver((_, observer) => {
    const buttons = block.querySelector(".md-code__nav")
    if (!buttons) return
    buttons.setAttribute("role", "none")
    observer.disconnect()
  }).observe(block, { childList: true })
}

document.querySelectorAll("a.qkv-twin").forEach(keepPlace)
document.querySelectorAll(SCROLLING).forEach(watchScrolling)
document.querySelectorAll("pre").forEach(leaveLandmarks)

const IN_USE = "qkv-in-use"

const MS_FOR_A_BLOCK = 10
const MS_TO_WAIT = 300

// The blocks that site.css leaves out while they are out of sight, as many whenever there is time as
// fit into it, from when the reader first moves: so that copying and saving the page find all of it,
// and its contents know the places. Not before: on a phone it is seconds of work, during which the
// page would not yet answer. Nor while a demo is used.
function layOutRest(article) {
  const isLeftOut = block => getComputedStyle(block).contentVisibility === "auto"
  const waiting = [...article.children].filter(isLeftOut)
  const layOut = block => {
    block.classList.add("qkv-laid-out")
    // Asked for its height, the browser lays it out at once, and so within the time there is.
    return block.offsetHeight
  }
  const next = deadline => {
    if (article.classList.contains(IN_USE)) return
    do layOut(waiting.shift())
    while (waiting.length > 0 && deadline.timeRemaining() > MS_FOR_A_BLOCK)
    goOn()
  }
  // A page that shows nothing new may be given no time at all.
  const goOn = () => {
    // Safari, which has no such callback, leaves nothing out.
    if (waiting.length > 0) requestIdleCallback(next, { timeout: MS_TO_WAIT })
  }
  goOn()
}

// And again while a demo is used, for which site.css wants to be told: asking with :has() would cost
// each input more than it saves.
function tellUse(article) {
  const tell = isUsed => {
    if (article.classList.contains(IN_USE) === isUsed) return
    article.classList.toggle(IN_USE, isUsed)
    if (!isUsed) layOutRest(article)
  }
  article.addEventListener("focusin", ({ target }) => tell(target.closest(".qkv-demo") !== null))
  article.addEventListener("focusout", ({ relatedTarget }) => {
    if (!article.contains(relatedTarget)) tell(false)
  })
}

function atFirstMove(action) {
  const moved = new AbortController()
  const start = () => {
    moved.abort()
    action()
  }
  for (const sign of ["scroll", "pointermove", "keydown", "focusin"]) {
    addEventListener(sign, start, { signal: moved.signal, passive: true })
  }
}

for (const article of document.querySelectorAll(".md-content__inner")) {
  atFirstMove(() => layOutRest(article))
  tellUse(article)
}
