// Which lessons the reader has read: kept in this browser, shown wherever a lesson is listed.

const KEY = "qkv.read"

function load() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY))
    return new Set(Array.isArray(kept) ? kept : [])
  } catch {
    return new Set()
  }
}

function save(read) {
  try {
    localStorage.setItem(KEY, JSON.stringify([...read].sort()))
  } catch {
    // Storage is full or forbidden: the marks last as long as the page.
  }
}

const read = load()
const mark = document.getElementById("qkv-read-mark")
const end = document.querySelector("[data-lesson-end]")
const clear = document.querySelector("[data-progress-clear]")

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
  if (done) read.add(lesson)
  else read.delete(lesson)
  save(read)
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
  save(read)
  show()
})

show()
if (end) watchEnd()
