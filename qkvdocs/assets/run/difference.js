// Which lines two texts share.

const MOST_LINES = 400

/** The lines of both texts in order, each with its mark: same, wanted (first only), got. */
export function difference(wanted, got) {
  const before = lines(wanted)
  const after = lines(got)
  const shared = sharedAfter(before, after)
  const marked = []
  let i = 0
  let j = 0
  while (i < before.length || j < after.length) {
    if (i < before.length && before[i] === after[j]) {
      marked.push({ mark: "same", line: before[i] })
      i += 1
      j += 1
    } else if (j >= after.length || (i < before.length && shared[i + 1][j] >= shared[i][j + 1])) {
      marked.push({ mark: "wanted", line: before[i] })
      i += 1
    } else {
      marked.push({ mark: "got", line: after[j] })
      j += 1
    }
  }
  return marked
}

function lines(text) {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n").slice(0, MOST_LINES)
}

/** How many lines the rests of both texts share at most, by where the rests begin. */
function sharedAfter(before, after) {
  const count = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1))
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      count[i][j] = before[i] === after[j]
        ? count[i + 1][j + 1] + 1
        : Math.max(count[i + 1][j], count[i][j + 1])
    }
  }
  return count
}
