import { attend, matmul } from "../../attention.js";
import { DemoElement, choice, define, equalsSign, flag, number, sentence } from "../../demo.js";

/** What *it* stands for. State: how the sentence ends, whether both layers have the causal mask. */
export class CoreferenceElement extends DemoElement {
  fields() {
    return { ending: choice(Object.keys(this.data.sentences)), causal: flag() };
  }

  show({ ending, causal }) {
    const story = this.data.sentences[ending];
    const { first, x, query, keys, second } = this.#layers();
    const seen = (scores) => scores.map((score) =>
      score === -Infinity ? this.labels.unseen : number(score, 2),
    );
    const [firstScores, secondScores] = [seen(first.scores), seen(second.scores)];
    this.fill({
      [ending]: {
        first_scores: firstScores,
        first_weights: first.weights,
        taken: first.output,
        x,
        query,
        keys: story.candidates.map((j) => keys[j]),
        second_scores: secondScores,
        second_weights: second.weights,
        every: story.tokens.map((_, j) =>
          [firstScores[j], first.weights[j], secondScores[j], second.weights[j]],
        ),
        totals: ["", totalOf(first.weights), "", totalOf(second.weights)],
      },
    });
    for (const section of this.querySelectorAll("[data-ending]")) {
      this.toggle(section, section.dataset.ending === ending);
    }
    for (const word of this.querySelectorAll("[data-word]")) {
      const hidden = causal && Number(word.dataset.word) > story.it;
      word.classList.toggle("qkv-coreference__unseen", hidden);
    }
  }

  sentence({ ending, causal }) {
    const { tokens, candidates, property } = this.data.sentences[ending];
    const { second } = this.#layers();
    const [animal, street] = candidates.map((j) => number(second.weights[j], 2));
    return sentence(this.labels[causal ? "say_causal" : "say"], {
      ending: tokens[property], animal, street,
    });
  }

  /** Both layers: in the first all tokens look, in the second *it* alone. */
  #layers() {
    const { ending, causal } = this.state;
    const { x, it } = this.data.sentences[ending];
    const one = this.data.first;
    const two = this.data.second;
    const mask = x.map((_, i) => x.map((_, j) => !causal || j <= i));
    const [queries, keys, values] = [one.w_q, one.w_k, one.w_v].map((w) => matmul(x, w));
    const first = attend(queries, keys, values, { mask, scale: 1 });
    const after = x.map((row, i) => row.map((entry, d) => entry + first.output[i][d]));
    const [query] = matmul([after[it]], two.w_q);
    const [laterKeys, laterValues] = [two.w_k, one.w_v].map((w) => matmul(after, w));
    const second = attend([query], laterKeys, laterValues, { mask: [mask[it]], scale: 1 });
    return {
      first: rowOf(first, it), x: after[it], query, keys: laterKeys, second: rowOf(second, 0),
    };
  }
}

function totalOf(weights) {
  return `${equalsSign(weights, 1, 2)} ${number(1, 2)}`;
}

function rowOf({ scores, weights, output }, i) {
  return { scores: scores[i], weights: weights[i], output: output[i] };
}

define("coreference", CoreferenceElement);
