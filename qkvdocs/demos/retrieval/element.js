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
      n: whole(0, this.data.distractors.rows.length - 1),
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
    this.fill(this.#view());
    this.#showTemperature(t);
    this.#showDistractors(n);
    this.#showNudge(raised);
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

  /** The soft numbers at the present temperature. */
  #view() {
    const { once, tie, nudge, gradient, distractors } = this.data;
    const temperature = temperatureAt(this.state.t);
    return {
      once: soft(once, temperature),
      tie: soft(tie, temperature),
      nudge: moved(nudge, temperature),
      gradient: slopes(once, gradient.column, temperature),
      shares: distractors.rows[this.state.n],
    };
  }

  #said(part, way, n, raised) {
    const { once, tie, nudge, gradient, distractors } = this.data;
    const view = this.#view();
    const isSoft = way === "soft";
    switch (part) {
      case "once": {
        const best = argmax(once.scores);
        return {
          best: once.tokens[best].text,
          weight: number(view.once.weights[best], 2),
          output: isSoft ? vector(view.once.output, 2) : vector(once.hard.output),
          distance: number(distance(view.once.output, once.hard.output), 2),
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
          first: first.text,
          second: second.text,
          weight: number(view.tie.weights[0], 2),
          output: isSoft ? vector(view.tie.output, 2) : vector(tie.hard.output),
        };
      }
      case "gradient":
        return { gradient: isSoft ? vector(view.gradient.formula, 3) : vector(gradient.hard.formula) };
      default: {
        const row = distractors.rows[n];
        return {
          others: row.others,
          weight: number(row.weight, 2),
          soft: number(row.soft, 2),
          error: number(row[way], 2),
        };
      }
    }
  }

  #showTemperature(t) {
    const words = temperatureText(temperatureAt(t));
    for (const place of this.querySelectorAll("[data-temperature]")) place.textContent = words;
    this.querySelector('[data-field="t"]').setAttribute("aria-valuetext", words);
  }

  #showDistractors(n) {
    const { others, weight } = this.data.distractors.rows[n];
    this.querySelector("[data-others]").textContent = String(others);
    this.querySelector('[data-field="n"]').setAttribute("aria-valuetext", String(others));
    this.querySelector(".qkv-retrieval__share").style.setProperty("--share", weight.toFixed(4));
    for (const row of this.querySelectorAll("[data-size]")) {
      row.classList.toggle("qkv-retrieval__current", Number(row.dataset.size) === n);
    }
  }

  #showNudge(raised) {
    const time = raised ? "after" : "before";
    const { nudge } = this.data;
    const found = { soft: moved(nudge, temperatureAt(this.state.t)), hard: nudge.hard };
    for (const marker of this.querySelectorAll(".qkv-retrieval__marker")) {
      const place = found[marker.dataset.way][time] / nudge.values[1];
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
