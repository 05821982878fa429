import { argmax, attend, dot, matmul, softmax } from "../../attention.js";
import {
  DemoElement, choice, define, flag, listenToTabs, number, prepareTabs, sentence, showTab, vector,
  whole,
} from "../../demo.js";

const ARGMAX = 0;
const UNIFORM = 40;
const ONE = 20;
const STEP = 1e-5;

/**
 * The same query, retrieved soft and hard. State: the part, the way that is looked at, the place of
 * the temperature's slider, how many distractors, and whether the second score is raised.
 */
export class RetrievalElement extends DemoElement {
  fields() {
    return {
      part: choice(["once", "nudge", "tie", "gradient", "distractors"]),
      way: choice(["soft", "hard"]),
      t: whole(ARGMAX, UNIFORM, ONE),
      n: whole(0, this.#sizes().length - 1),
      raised: flag(),
    };
  }

  prepare() {
    prepareTabs(this);
  }

  listen(signal) {
    listenToTabs(this, (part) => this.set({ part }), signal);
  }

  show({ part, way, n, t, raised }) {
    showTab(this, part);
    for (const range of this.querySelectorAll("[data-for]")) {
      this.toggle(range, range.dataset.for.split(" ").includes(part));
    }
    const view = this.#view();
    const { once, tie, nudge, gradient, shares } = view;
    const words = temperatureText(temperatureAt(t));
    this.fill({
      t: words,
      once,
      tie,
      nudge: [nudge.before, nudge.after, nudge.change],
      gradient: [...gradient.formula, ...gradient.measured],
      shares,
    });
    this.querySelector('[data-field="t"]').setAttribute("aria-valuetext", words);
    this.#showDistractors(n, shares);
    this.#showNudge(raised, nudge);
    for (const line of this.querySelectorAll("[data-way]")) {
      line.classList.toggle("qkv-retrieval__looked-at", line.dataset.way === way);
    }
  }

  sentence({ part, way, n, raised, t }) {
    const stage = part === "nudge" ? `_${raised ? "after" : "before"}` : "";
    return sentence(this.labels[`say_${part}_${way}${stage}`], {
      t: temperatureText(temperatureAt(t)),
      ...this.#said(part, way, n, raised),
    });
  }

  /** The soft numbers at the present temperature and, as the page has them, those of a size. */
  #view() {
    const { once, tie, nudge, gradient } = this.data;
    const temperature = temperatureAt(this.state.t);
    const row = this.#sizes()[this.state.n];
    const [others, weight, softError, hardError] = [...row.cells].map((cell) => cell.textContent);
    return {
      once: soft(once, temperature),
      tie: soft(tie, temperature),
      nudge: moved(nudge, temperature),
      gradient: slopes(once, gradient.column, temperature),
      shares: { others, weight, rest: number(1 - Number(weight), 2), soft: softError, hard: hardError },
    };
  }

  /** The rows of the table of distractors. */
  #sizes() {
    return this.querySelectorAll("[data-size]");
  }

  #said(part, way, n, raised) {
    const { once, tie, nudge, gradient } = this.data;
    const view = this.#view();
    const isSoft = way === "soft";
    switch (part) {
      case "once": {
        const best = argmax(once.keys.map((key) => dot(once.query, key)));
        return {
          best: once.tokens[best],
          weight: number(view.once.weights[best], 2),
          output: isSoft ? vector(view.once.output, 2) : vector(once.hard),
          distance: number(distance(view.once.output, once.hard), 2),
        };
      }
      case "nudge": {
        const found = isSoft ? view.nudge : nudge.hard;
        const digits = isSoft ? 4 : 0;
        return {
          output: number(raised ? found.after : found.before, digits),
          change: number(found.change, digits),
        };
      }
      case "tie": {
        const [first, , second] = tie.tokens;
        return {
          first,
          second,
          weight: number(view.tie.weights[0], 2),
          output: isSoft ? vector(view.tie.output, 2) : vector(tie.hard),
        };
      }
      case "gradient":
        return { gradient: isSoft ? vector(view.gradient.formula, 3) : vector(gradient.hard) };
      default: {
        const { others, weight, soft: error } = view.shares;
        return { others, weight, soft: error, error: view.shares[way] };
      }
    }
  }

  #showDistractors(n, { others, weight }) {
    this.querySelector('[data-field="n"]').setAttribute("aria-valuetext", others);
    this.querySelector(".qkv-retrieval__share").style.setProperty("--share", weight);
    for (const [size, row] of this.#sizes().entries()) {
      row.classList.toggle("qkv-retrieval__current", size === n);
    }
  }

  #showNudge(raised, nudge) {
    const time = raised ? "after" : "before";
    const found = { soft: nudge, hard: this.data.nudge.hard };
    for (const marker of this.querySelectorAll(".qkv-retrieval__marker")) {
      const place = found[marker.dataset.way][time] / this.data.nudge.values[1];
      marker.style.setProperty("--place", place.toFixed(4));
    }
    for (const cell of this.querySelectorAll("[data-time]")) {
      cell.classList.toggle("qkv-retrieval__current", cell.dataset.time === time);
    }
  }
}

/** From T → 0 over powers of two, four steps for a doubling and T = 1 in the middle, to T → ∞. */
export function temperatureAt(place) {
  if (place === ARGMAX) return 0;
  return place === UNIFORM ? Infinity : 2 ** ((place - ONE) / 4);
}

function temperatureText(temperature) {
  if (temperature === 0) return "T → 0";
  return temperature === Infinity ? "T → ∞" : `T = ${number(temperature)}`;
}

/** Softmax, and its limit for T → 0: the best share all, equally. */
export function weightsAt(scores, temperature) {
  if (temperature > 0) return softmax(scores, temperature);
  const top = scores[argmax(scores)];
  const shares = scores.filter((score) => score === top).length;
  return scores.map((score) => (score === top ? 1 / shares : 0));
}

function soft({ query, keys, values }, temperature) {
  if (temperature > 0) {
    const found = attend([query], keys, values, { scale: 1, temperature });
    return { weights: found.weights[0], output: found.output[0] };
  }
  const weights = weightsAt(keys.map((key) => dot(query, key)), temperature);
  return { weights, output: matmul([weights], values)[0] };
}

function moved({ scores, values }, temperature) {
  const before = dot(weightsAt(scores.before, temperature), values);
  const after = dot(weightsAt(scores.after, temperature), values);
  return { before, after, change: after - before };
}

/** The gradient of one entry of the output in the query, by the formula and by differences. */
function slopes({ query, keys, values }, column, temperature) {
  const value = values.map((row) => row[column]);
  const weigh = (q) => weightsAt(keys.map((key) => dot(q, key)), temperature);
  const output = (q) => dot(weigh(q), value);
  const weights = weigh(query);
  const pull = weights.map((weight, j) => weight * (value[j] - output(query)));
  const nudged = (entry, by) => query.map((x, index) => (index === entry ? x + by : x));
  return {
    formula: query.map((_, entry) => (temperature === 0
      ? 0
      : dot(pull, keys.map((key) => key[entry])) / temperature)),
    measured: query.map((_, entry) =>
      (output(nudged(entry, STEP)) - output(nudged(entry, -STEP))) / (2 * STEP)),
  };
}

function distance(a, b) {
  return Math.hypot(...a.map((x, index) => x - b[index]));
}

define("retrieval", RetrievalElement);
