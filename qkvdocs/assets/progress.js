// Which lessons the reader has read: kept in this browser, shown wherever a lesson is listed.

const KEY = "qkv.read"

let read = new Set()

function load() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY))
    read = new Set(Array.isArray(kept) ? kept.filter(each => typeof each === "string") : [])
  } catch {
    // Storage is forbidden or holds something else: what this page knows stands.
  }
}

function save() {
  try {
    localStorage.setItem(KEY, JSON.stringify([...read].sort()))
  } catch {
    // Storage is full or forbidden: the marks last as long as the page.
  }
}

const mark = document.getElementById("qkv-read-mark")
const end = document.querySelector("[data-lesson-end]")
const clear = document.querySelector("[data-progress-clear]")

function update() {
  load()
  show()
}

function show() {
  for (const item of document.querySelectorAll("[data-lesson]")) {
    item.querySelector(".qkv-read-mark")?.remove()
    item.toggleAttribute("data-read", read.has(item.dataset.lesson))
    if (read.has(item.dataset.lesson))
      (item.querySelector("a") ?? item).append(mark.content.cloneNode(true))
  }
  if (end) {
    const done = read.has(end.dataset.lessonEnd)
    for (const text of end.querySelectorAll("[data-when]"))
      text.hidden = (text.dataset.when === "read") !== done
    end.hidden = false
  }
  if (clear) clear.hidden = read.size === 0
}

function change(lesson, done) {
  // Another tab may have marked a lesson since.
  load()
  if (done) read.add(lesson)
  else read.delete(lesson)
  save()
  show()
}

function watchEnd() {
  // A reader who takes the mark back has the last word: the end of the page is watched only once.
  const reached = new IntersectionObserver(entries => {
    if (scrollY > 0 && entries.some(entry => entry.isIntersecting)) {
      reached.disconnect()
      change(end.dataset.lessonEnd, true)
    }
  }, { threshold: 1 })
  reached.observe(end)
  end.querySelector("button").addEventListener("click", () => {
    reached.disconnect()
    change(end.dataset.lessonEnd, !read.has(end.dataset.lessonEnd))
  })
}

clear?.querySelector("button").addEventListener("click", () => {
  read.clear()
  save()
  show()
})

addEventListener("storage", event => {
  // Without a key, all that the site had stored is gone.
  if (event.key === KEY || event.key === null) update()
})
addEventListener("pageshow", event => {
  // A page that the browser had put aside heard nothing of the other tabs.
  if (event.persisted) update()
})

update()
if (end) watchEnd()
