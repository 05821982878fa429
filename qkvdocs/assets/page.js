// On every page: the link to the other language keeps the place, boxes that scroll take the
// focus, and the buttons of each code block are no landmark of the page.

function keepPlace(link) {
  // The state of a demo stands in the hash, set without an event: so it is read when it is needed.
  const carry = () => { link.hash = location.hash }
  for (const event of ["focus", "pointerdown", "click"]) link.addEventListener(event, carry)
}

function focusWhileScrollable(box) {
  new ResizeObserver(() => {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0
    else box.removeAttribute("tabindex")
  }).observe(box)
}

document.querySelectorAll("a.qkv-twin").forEach(keepPlace)
document.querySelectorAll(".qkv-scroll").forEach(focusWhileScrollable)

// Material's script makes them after this one has run, and before the page is loaded.
addEventListener("load", () => {
  for (const buttons of document.querySelectorAll(".md-code__nav")) buttons.setAttribute("role", "none")
})

// The blocks that site.css leaves out while they are out of sight, one whenever there is time: so
// that copying and saving the page find all of it, and its contents know the places.
const BLOCKS = ":scope > :is(.qkv-demo, .qkv-figure, .qkv-snippet, .qkv-math, .qkv-scroll)"

function layOutRest(article) {
  const waiting = article.querySelectorAll(BLOCKS).values()
  // Not in Safari, which leaves nothing out.
  const whenIdle = window.requestIdleCallback ?? setTimeout
  const next = () => {
    const { value: block, done } = waiting.next()
    if (done) return
    block.classList.add("qkv-laid-out")
    whenIdle(next)
  }
  whenIdle(next)
}

// And again while a demo is used, for which site.css wants to be told: asking with :has() would cost
// each input more than it saves.
function tellUse(article) {
  article.addEventListener("focusin", ({ target }) => {
    article.classList.toggle("qkv-in-use", target.closest(".qkv-demo") !== null)
  })
  article.addEventListener("focusout", ({ relatedTarget }) => {
    if (!relatedTarget) article.classList.remove("qkv-in-use")
  })
}

for (const article of document.querySelectorAll(".md-content__inner")) {
  addEventListener("load", () => layOutRest(article))
  tellUse(article)
}
