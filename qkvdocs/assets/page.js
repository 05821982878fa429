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
