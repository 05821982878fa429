import { argmax, dot, softmax } from "../../attention.js";
import { DemoElement, choice, define, flag, number, sentence, text } from "../../demo.js";

const OWN = "own";
const LONGEST = 80;
const SLIDE_MS = 180;

// Chinese stands without spaces; all else is a run of letters and digits. As in words.py.
const HAN = "\\u3400-\\u9fff\\uf900-\\ufaff";
const RUN = new RegExp(`[${HAN}]+|(?:(?![${HAN}])[\\p{L}\\p{N}])+`, "gu");
const IS_HAN = new RegExp(`^[${HAN}]`, "u");

/**
 * A search in eight documents. State: which search (or the reader's own words), whether it is
 * matched on the texts, and the scene that names the parts.
 */
export class LookupElement extends DemoElement {
  #places;

  fields() {
    const given = this.data.searches.map((_, index) => String(index + 1));
    return {
      search: choice([...given, OWN]),
      words: text(LONGEST),
      text: flag(),
      scene: choice(this.data.scenes),
    };
  }

  prepare() {
    this.#places = new Map(this.data.vocabulary.map((word, place) => [word, place]));
  }

  listen(signal) {
    const box = this.#box();
    const read = () => this.set({ search: OWN, words: box.value });
    box.addEventListener("input", (event) => {
      // Half a word of an input method is not a search yet.
      if (!event.isComposing) read();
    }, { signal });
    box.addEventListener("compositionend", read, { signal });
  }

  show({ text, scene }) {
    const words = this.#words();
    const found = this.#found();
    const asked = new Set(readWords(words, this.#places).map(({ place }) => place));
    const names = (role) => this.labels[`${scene}_${role}`];
    this.fill({
      ...found,
      scene: { query: names("query"), key: names("key"), value: names("value") },
      caption: this.#caption(words, text),
    });
    this.#mark(asked, found.scores);
    this.#reorder(found.order);
    for (const part of this.querySelectorAll("[data-scene]")) {
      this.toggle(part, part.dataset.scene === scene);
    }
    const box = this.#box();
    if (box.value !== words) box.value = words;
  }

  sentence({ text }) {
    const found = this.#found();
    const parts = [this.#finding(found, text)];
    if (found.unknown.length > 0) {
      const words = found.unknown.join(" ");
      parts.push(sentence(this.labels.say_unknown, { words }));
    }
    return parts.join(" ");
  }

  #box() {
    return this.querySelector(".qkv-lookup__words");
  }

  #words() {
    const { search, words } = this.state;
    return search === OWN ? words : this.data.searches[Number(search) - 1].words;
  }

  #found(byText = this.state.text) {
    return lookUp(this.#words(), this.#places, byText ? this.data.texts : this.data.keys);
  }

  #caption(words, byText) {
    const name = `caption${words.trim() === "" ? "_empty" : ""}_${byText ? "text" : "key"}`;
    return sentence(this.labels[name], { words });
  }

  #finding({ scores, weights, order, unknown }, byText) {
    const { labels, data: { titles } } = this;
    const best = order.filter((place) => scores[place] === scores[order[0]]);
    const values = { score: number(scores[best[0]]), weight: number(weights[best[0]], 2) };
    if (values.score === "0") {
      const silent = unknown.length === 0 && this.#words().trim() === "";
      return sentence(labels[silent ? "say_empty" : "say_nothing"], {
        weight: number(weights[0], 3),
      });
    }
    const kind = byText ? "text" : "key";
    if (best.length > 1) {
      const quoted = best.map((place) => sentence(labels.quote, { title: titles[place] }));
      return sentence(labels[`say_tie_${kind}`], {
        ...values, count: best.length, titles: quoted.join(labels.join),
      });
    }
    const titled = this.#titled();
    const best_title = titles[best[0]];
    if (!byText || titled === undefined || titled === best[0]) {
      return sentence(labels[byText ? "say_text_same" : "say_key"], { ...values, best: best_title });
    }
    return sentence(labels.say_text, {
      ...values, best: best_title, title: titles[titled], title_weight: number(weights[titled], 2),
    });
  }

  /** The document whose title and tags fit the words best; undefined if none fits at all. */
  #titled() {
    const { scores } = this.#found(false);
    const best = argmax(scores);
    return scores[best] > 0 ? best : undefined;
  }

  #mark(asked, scores) {
    const { text } = this.state;
    const matched = text ? "text" : "key";
    for (const word of this.querySelectorAll("[data-word]")) {
      const { side } = word.closest("[data-side]").dataset;
      word.classList.toggle("qkv-lookup__hit", side === matched && asked.has(Number(word.dataset.word)));
    }
    for (const badge of this.querySelectorAll("[data-key]")) {
      badge.hidden = badge.dataset.key !== matched;
    }
    for (const row of this.querySelectorAll("[data-document]")) {
      row.classList.toggle("qkv-lookup__unmatched", scores[Number(row.dataset.document)] === 0);
    }
  }

  #reorder(order) {
    const rows = [...this.querySelectorAll("[data-document]")];
    const sorted = order.map((place) => rows.find((row) => Number(row.dataset.document) === place));
    if (sorted.every((row, index) => row === rows[index])) return;
    const before = sorted.map((row) => row.offsetTop);
    rows[0].parentElement.append(...sorted);
    if (!this.isConnected || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const [index, row] of sorted.entries()) {
      const way = before[index] - row.offsetTop;
      if (way === 0) continue;
      const from = { transform: `translateY(${way}px)` };
      row.animate([from, { transform: "none" }], { duration: SLIDE_MS, easing: "ease-out" });
    }
  }
}

/** What words find: the numbers that data.py has for the given searches. */
export function lookUp(words, places, keys) {
  const read = readWords(words, places);
  const query = keys[0].map(() => 0);
  for (const { place } of read) if (place !== undefined) query[place] += 1;
  const asked = [...query.keys()].filter((place) => query[place] > 0);
  const unknown = read.filter(({ place }) => place === undefined).map(({ word }) => word);
  const scores = keys.map((key) => dot(query, key));
  const weights = softmax(scores);
  const shown = weights.reduce((sum, weight) => sum + Number(number(weight, 2)), 0);
  const complete = (key) => asked.every((place) => key[place] > 0);
  return {
    scores,
    weights,
    weights_sign: number(shown, 2) === number(1, 2) ? "=" : "≈",
    terms: keys.map((key) => terms(query, key, asked)),
    order: [...keys.keys()].sort((a, b) => scores[b] - scores[a]),
    rows: asked.length > 0 && unknown.length === 0 ? keys.filter(complete).length : 0,
    unknown,
  };
}

function terms(query, key, asked) {
  if (asked.length < 2) return "";
  const counted = asked.filter((place) => key[place] > 0);
  return counted.map((place) => `${query[place]}×${key[place]}`).join(" + ");
}

/** The words of what was typed, each with its place in the vocabulary or undefined. */
export function readWords(typed, places) {
  return (typed.toLowerCase().match(RUN) ?? []).flatMap((run) =>
    IS_HAN.test(run) ? longestKnown(run, places) : [{ word: run, place: places.get(run) }],
  );
}

function longestKnown(run, places) {
  const found = [];
  for (let at = 0; at < run.length; at += found.at(-1).length) {
    const word = longestAt(run, at, places);
    const place = places.get(word);
    const last = found.at(-1);
    if (place === undefined && last && last.place === undefined) {
      last.word += word;
      last.length = word.length;
    } else {
      found.push({ word, place, length: word.length });
    }
  }
  return found.map(({ word, place }) => ({ word, place }));
}

function longestAt(run, at, places) {
  for (let end = run.length; end > at + 1; end -= 1) {
    if (places.has(run.slice(at, end))) return run.slice(at, end);
  }
  return run[at];
}

define("lookup", LookupElement);
