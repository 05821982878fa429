import { DemoElement, define, flag, number, sentence, stepTo, vector, whole } from "../../demo.js";

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
    const lookup = this.#lookup();
    this.fill(lookup);
    this.#showStep(step);
    this.#showAsker(query);
    for (const part of this.querySelectorAll("[data-scaled]")) part.hidden = !scaled;
  }

  sentence({ step, query }) {
    const { tokens } = this.data;
    const lookup = this.#lookup();
    return sentence(this.labels[`say_${step}`], {
      step,
      asker: tokens[query].text,
      query: vector(lookup.query),
      best: tokens[lookup.best].text,
      score: number(lookup.scores[lookup.best]),
      weight: number(lookup.weights[lookup.best], 2),
      output: vector(lookup.output, 2),
    });
  }

  #go(step) {
    this.set({ step: Math.min(6, Math.max(0, step)) });
  }

  #lookup() {
    const { query, scaled } = this.state;
    return this.data[scaled ? "scaled" : "unscaled"][query];
  }

  #showStep(step) {
    const name = this.labels[`step_${step}`];
    for (const panel of this.querySelectorAll("[data-step]")) {
      this.toggle(panel, Number(panel.dataset.step) === step);
    }
    for (const row of this.querySelectorAll(".qkv-demo__stage--live [data-from]")) {
      const from = Number(row.dataset.from);
      row.classList.toggle("qkv-demo__ahead", from > step);
      row.classList.toggle("qkv-demo__now", from === step);
    }
    for (const button of this.querySelectorAll("[data-move]")) {
      const stuck = step === (Number(button.dataset.move) < 0 ? 0 : 6);
      button.setAttribute("aria-disabled", String(stuck));
    }
    this.querySelector("[data-place]").textContent = `${step}/6 · ${name}`;
    this.querySelector('[data-field="step"]').setAttribute("aria-valuetext", `${step}/6 ${name}`);
  }

  #showAsker(asking) {
    const stage = this.querySelector(".qkv-demo__stage--live");
    for (const [index, head] of stage.querySelectorAll("thead th").entries()) {
      head.classList.toggle("qkv-demo__asker", index === asking);
    }
    for (const name of ["query", "output"]) {
      const shown = stage.querySelector(`[data-row="${name}"] .qkv-demo__vector`);
      const cell = shown.closest("tr").querySelectorAll("td")[asking];
      if (shown.parentElement !== cell) cell.append(shown);
    }
    stage.caption.textContent = sentence(this.labels.table, {
      asker: this.data.tokens[asking].text,
    });
    for (const [index, other] of this.querySelectorAll(".qkv-demo__other").entries()) {
      other.classList.toggle("qkv-demo__shown-above", index === asking);
    }
  }
}

define("stepper", StepperElement);
