import { argmax, attend, dot } from "../../attention.js";
import {
  DemoElement, define, equalsSign, flag, number, sentence, stepTo, vector, whole,
} from "../../demo.js";

/** One lookup, walked through in six steps. State: the step, who asks, whether scores are scaled. */
export class StepperElement extends DemoElement {
  fields() {
    const { tokens } = this.data;
    return { step: whole(0, 6), query: whole(0, tokens.length - 1), scaled: flag() };
  }

  listen(signal) {
    for (const button of this.querySelectorAll("[data-move]")) {
      button.addEventListener("click", () => {
        this.#go(this.state.step + Number(button.dataset.move));
      }, { signal });
    }
    this.addEventListener("keydown", (event) => {
      // Radios, the slider and scrolling code have arrow keys of their own.
      if (!event.target.closest("[data-move], [data-step]")) return;
      const step = stepTo(event, this.state.step, 7);
      if (step === undefined) return;
      event.preventDefault();
      this.#go(step);
    }, { signal });
  }

  show({ step, query, scaled }) {
    this.fill({
      ...this.#lookup(),
      place: `${step}/6 · ${this.labels[`step_${step}`]}`,
      caption: sentence(this.labels.table, { asker: this.data.tokens[query] }),
    });
    this.#showStep(step);
    this.#showAsker(query);
    for (const part of this.querySelectorAll("[data-scaled]")) part.hidden = !scaled;
  }

  sentence({ step, query }) {
    const { tokens } = this.data;
    const lookup = this.#lookup();
    const best = argmax(lookup.weights);
    return sentence(this.labels[`say_${step}`], {
      step,
      asker: tokens[query],
      query: vector(lookup.query),
      best: tokens[best],
      score: number(lookup.scores[best]),
      weight: number(lookup.weights[best], 2),
      output: vector(lookup.output, 2),
    });
  }

  #go(step) {
    this.set({ step: Math.min(6, Math.max(0, step)) });
  }

  #lookup() {
    const { query, scaled } = this.state;
    return lookUp(this.data, query, scaled);
  }

  #showStep(step) {
    for (const panel of this.querySelectorAll("[data-step]")) {
      this.toggle(panel, Number(panel.dataset.step) === step);
    }
    for (const row of this.querySelectorAll("[data-from]")) {
      const from = Number(row.dataset.from);
      row.classList.toggle("qkv-demo__ahead", from > step);
      row.classList.toggle("qkv-demo__now", from === step);
    }
    for (const button of this.querySelectorAll("[data-move]")) {
      const stuck = step === (Number(button.dataset.move) < 0 ? 0 : 6);
      button.setAttribute("aria-disabled", String(stuck));
    }
    const slider = this.querySelector('[data-field="step"]');
    slider.setAttribute("aria-valuetext", `${step}/6 ${this.labels[`step_${step}`]}`);
  }

  #showAsker(asking) {
    const stage = this.querySelector(".qkv-demo__stage");
    for (const [index, head] of stage.querySelectorAll("thead th").entries()) {
      head.classList.toggle("qkv-demo__asker", index === asking);
    }
    for (const name of ["query", "output"]) {
      const shown = stage.querySelector(`[data-at="${name}"]`);
      const cell = shown.closest("tr").querySelectorAll("td")[asking];
      if (shown.parentElement !== cell) cell.append(shown);
    }
  }
}

/** Every number of the six steps, as data.py has them for the first token, and signs between them. */
function lookUp({ queries, keys, values }, asking, scaled) {
  const query = queries[asking];
  const scale = scaled ? 1 / Math.sqrt(query.length) : 1;
  const found = attend([query], keys, values, { scale });
  const [scores, weights] = [found.scores[0], found.weights[0]];
  const grown = scores.map((score) => Math.exp(score));
  const total = grown.reduce((sum, power) => sum + power, 0);
  const parts = values.map((value, j) => value.map((x) => weights[j] * x));
  const running = [];
  for (const part of parts) running.push(part.map((x, i) => (running.at(-1)?.[i] ?? 0) + x));
  return {
    query,
    dots: keys.map((key) => dot(query, key)),
    scores,
    grown,
    shares: grown.map((power) => `${number(power, 2)} ÷ ${number(total, 2)}`),
    weights,
    totals: [
      `${equalsSign(grown, total, 2)} ${number(total, 2)}`,
      `${equalsSign(weights, 1, 2)} ${number(1, 2)}`,
    ],
    parts,
    running,
    running_signs: running.map((sums, j) => signOf(running[j - 1], parts[j], sums)),
    output: found.output[0],
  };
}

/** "=" if each sum so far, as shown, is the one before plus this part, as shown. */
function signOf(before, part, sums) {
  const signs = sums.map((sum, i) => equalsSign([before?.[i] ?? 0, part[i]], sum, 2));
  return signs.includes("≈") ? "≈" : "=";
}

define("stepper", StepperElement);
