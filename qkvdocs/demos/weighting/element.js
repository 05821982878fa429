import { argmax, attend } from "../../attention.js";
import {
  DemoElement, define, equalsSign, number, sentence, whole, writeText,
} from "../../demo.js";

/**
 * A plain mean that turns into a weighted one. State: the word to be written, and the place of the
 * strength's slider.
 */
export class WeightingElement extends DemoElement {
  fields() {
    const { target, strengths, one } = this.data;
    return { target: whole(0, target.length - 1), strength: whole(0, strengths.length - 1, one) };
  }

  show() {
    const strength = number(this.#strength());
    this.fill(this.#look());
    writeText(this.querySelector("[data-strength]"), strength);
    this.querySelector('[data-field="strength"]').setAttribute("aria-valuetext", strength);
  }

  sentence({ target }) {
    const { source, dimensions } = this.data;
    const { weights, context } = this.#look();
    const best = argmax(weights);
    const most = argmax(context);
    return sentence(this.labels[this.#strength() === 0 ? "say_plain" : "say"], {
      target: this.data.target[target].text,
      strength: number(this.#strength()),
      best: source[best].name,
      weight: number(weights[best], 2),
      entry: dimensions[most],
      amount: number(context[most], 2),
    });
  }

  #strength() {
    return this.data.strengths[this.state.strength];
  }

  #look() {
    const { questions, states } = this.data;
    const found = attend([questions[this.state.target]], states, states, { scale: this.#strength() });
    const [weights] = found.weights;
    return { scores: found.scores[0], weights, sign: equalsSign(weights, 1, 2), context: found.output[0] };
  }
}

define("weighting", WeightingElement);
