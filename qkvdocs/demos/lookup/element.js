import { argmax, dot, softmax } from "../../attention.js";
import {
  DemoElement, choice, define, equalsSign, flag, number, sentence, text,
} from "../../demo.js";

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
  #documents = [];

  /** What the words are marked for: the words that are asked, and the side. */
  #markedFor = "";

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
    this.#places = placesOf(this.data.vocabulary);
    for (const row of this.querySelectorAll("[data-document]")) {
      this.#documents[Number(row.dataset.document)] = documentOf(row, this.#places);
    }
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
    // Where the rows are is asked before anything is written: the page is laid out once.
    const before = this.#isSorted(found.order) ? undefined : this.#tops();
    const names = (role) => this.labels[`${scene}_${role}`];
    this.fill({
      ...found,
      scene: { query: names("query"), key: names("key"), value: names("value") },
      caption: this.#caption(words, text),
    });
    this.#mark(words, text ? "text" : "key");
    for (const [place, { row }] of this.#documents.entries()) {
      row.classList.toggle("qkv-lookup__unmatched", found.scores[place] === 0);
    }
    for (const part of this.querySelectorAll("[data-scene]")) {
      this.toggle(part, part.dataset.scene === scene);
    }
    const box = this.#box();
    if (box.value !== words) box.value = words;
    if (before) this.#reorder(found, before);
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
    return search === OWN ? words : this.data.searches[Number(search) - 1];
  }

  #found(byText = this.state.text) {
    const side = byText ? "text" : "key";
    const counts = this.#documents.map((document) => document.counts[side]);
    return lookUp(this.#words(), this.#places, counts);
  }

  #caption(words, byText) {
    const name = `caption${words.trim() === "" ? "_empty" : ""}_${byText ? "text" : "key"}`;
    return sentence(this.labels[name], { words });
  }

  #finding({ scores, weights, order, unknown }, byText) {
    const { labels } = this;
    const titles = this.#documents.map(({ title }) => title);
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

  #mark(words, matched) {
    const asked = readWords(words, this.#places).map(({ place }) => place);
    const markedFor = `${matched} ${asked}`;
    if (markedFor === this.#markedFor) return;
    this.#markedFor = markedFor;
    for (const { parts } of this.#documents) {
      for (const [side, part] of parts) markWords(part, this.#places, side === matched ? asked : []);
    }
    for (const badge of this.querySelectorAll("[data-key]")) {
      badge.hidden = badge.dataset.key !== matched;
    }
  }

  #rows() {
    return [...this.querySelectorAll("[data-document]")];
  }

  #tops() {
    return new Map(this.#rows().map((row) => [row, row.offsetTop]));
  }

  #isSorted(order) {
    const rows = this.#rows();
    return order.every((place, index) => rows[index] === this.#documents[place].row);
  }

  #reorder({ order, scores }, before) {
    const rows = order.map((place) => this.#documents[place].row);
    rows[0].parentElement.append(...rows);
    if (!this.isConnected || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    // What matches comes up into its place; to move the rest with it would cost as much as all else.
    const matching = rows.filter((_, index) => scores[order[index]] > 0);
    requestAnimationFrame(() => {
      const ways = matching.map((row) => before.get(row) - row.offsetTop);
      for (const [index, row] of matching.entries()) slide(row, ways[index]);
    });
  }
}

/** Show a row coming from where it was. */
function slide(row, way) {
  if (way === 0) return;
  const from = { transform: `translateY(${way}px)` };
  row.animate([from, { transform: "none" }], { duration: SLIDE_MS, easing: "ease-out" });
}

/** The place of each word of a vocabulary, which stands in one text. */
export function placesOf(vocabulary) {
  return new Map(vocabulary.split(" ").map((word, place) => [word, place]));
}

/** A document of the page, with the counts of its words on each side. */
function documentOf(row, places) {
  const [name, tags, passage] = ["name", "tags", "passage"].map((part) =>
    row.querySelector(`.qkv-lookup__${part}`),
  );
  const key = `${name.textContent} ${tags.textContent}`;
  return {
    row,
    title: name.textContent,
    parts: [["key", name], ["key", tags], ["text", passage]],
    counts: { key: countWords(key, places), text: countWords(passage.textContent, places) },
  };
}

/** How often each word of the vocabulary stands in a text. */
export function countWords(text, places) {
  const counts = Array(places.size).fill(0);
  for (const { place } of readWords(text, places)) if (place !== undefined) counts[place] += 1;
  return counts;
}

/** Mark the words of a text that are asked for. */
function markWords(part, places, asked) {
  const text = part.textContent;
  const hits = readWords(text, places).filter(({ place }) => asked.includes(place));
  if (hits.length === 0 && part.childElementCount === 0) return;
  const pieces = [];
  let end = 0;
  for (const { word, at } of hits) {
    const hit = document.createElement("span");
    hit.className = "qkv-lookup__hit";
    hit.textContent = text.slice(at, at + word.length);
    pieces.push(text.slice(end, at), hit);
    end = at + word.length;
  }
  part.replaceChildren(...pieces, text.slice(end));
}

/** What words find: the numbers that data.py has for the given searches. */
export function lookUp(words, places, keys) {
  const query = countWords(words, places);
  const asked = [...query.keys()].filter((place) => query[place] > 0);
  const unknown = readWords(words, places)
    .filter(({ place }) => place === undefined).map(({ word }) => word);
  const scores = keys.map((key) => dot(query, key));
  const weights = softmax(scores);
  const complete = (key) => asked.every((place) => key[place] > 0);
  return {
    scores,
    weights,
    weights_sign: equalsSign(weights, 1, 2),
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

/**
 * The words of a text, each with where it begins and its place in the vocabulary or undefined.
 */
export function readWords(text, places) {
  return [...text.toLowerCase().matchAll(RUN)].flatMap(({ 0: run, index }) =>
    IS_HAN.test(run) ? longestKnown(run, index, places) : [{ word: run, at: index, place: places.get(run) }],
  );
}

function longestKnown(run, start, places) {
  const found = [];
  for (let at = 0; at < run.length;) {
    const word = longestAt(run, at, places);
    const place = places.get(word);
    const last = found.at(-1);
    if (place === undefined && last && last.place === undefined) last.word += word;
    else found.push({ word, at: start + at, place });
    at += word.length;
  }
  return found;
}

function longestAt(run, at, places) {
  for (let end = run.length; end > at + 1; end -= 1) {
    if (places.has(run.slice(at, end))) return run.slice(at, end);
  }
  return run[at];
}

define("lookup", LookupElement);
