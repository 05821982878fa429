import { attend, argmax } from "../../attention.js";
import { DemoElement, define, flag, number, sentence, whole } from "../../demo.js";

/** Self-attention over six tokens. State: who asks, whom to compare with, whether masked. */
export class SelfAttentionElement extends DemoElement {
  fields() {
    const last = this.data.tokens.length - 1;
    return { asking: whole(0, last), asked: whole(0, last, 2), causal: flag() };
  }

  show({ asking, asked, causal }) {
    const { weights, output } = this.#attended();
    const { signs } = this.data[causal ? "causal" : "whole"];
    this.fill({
      weights,
      signs,
      asked: weights[asking],
      there: { looks: this.#looks(asking, asked), weight: weights[asking][asked] },
      back: { looks: this.#looks(asked, asking), weight: weights[asked][asking] },
      row: sentence(this.labels.row, { asker: this.#word(asking) }),
      change: sentence(this.labels.change, { asker: this.#word(asking) }),
      before: this.data.values[asking],
      after: output[asking],
    });
    this.#drawArcs();
    this.#markCells();
    this.toggle(this.querySelector("[data-back]"), asking !== asked);
    for (const row of this.querySelectorAll("[data-token]")) {
      const token = Number(row.dataset.token);
      row.classList.toggle("qkv-self-attention__asker", token === asking);
      row.classList.toggle("qkv-self-attention__unseen", causal && token > asking);
    }
  }

  sentence({ asking, asked, causal }) {
    const { weights } = this.#attended();
    const best = argmax(weights[asking]);
    const rest = sentence(this.labels[asking === asked ? "say_itself" : "say_pair"], {
      asked: this.#word(asked),
      there: number(weights[asking][asked], 2),
      back: number(weights[asked][asking], 2),
    });
    return sentence(this.labels[causal ? "say_causal" : "say"], {
      asker: this.#word(asking),
      best: this.#word(best),
      weight: number(weights[asking][best], 2),
      rest,
    });
  }

  #attended() {
    const { queries, keys, values } = this.data;
    const mask = queries.map((_, i) => keys.map((_, j) => !this.state.causal || j <= i));
    return attend(queries, keys, values, { mask, scale: 1 });
  }

  #word(index) {
    return this.data.tokens[index].text;
  }

  #looks(asking, asked) {
    const label = this.labels[asking === asked ? "looks_itself" : "looks"];
    return sentence(label, { asker: this.#word(asking), asked: this.#word(asked) });
  }

  #drawArcs() {
    const { asking, causal } = this.state;
    for (const path of this.querySelectorAll("[data-arc]")) {
      const asked = Number(path.dataset.arc);
      path.setAttribute("d", this.data.arcs[asking][asked]);
      path.classList.toggle("qkv-self-attention__cut", causal && asked > asking);
    }
    const middle = this.data.row * (asking + 0.5);
    this.querySelector(".qkv-self-attention__arcs circle").setAttribute("cy", middle);
  }

  #markCells() {
    const { asking, asked, causal } = this.state;
    const [body] = this.querySelector(".qkv-self-attention__matrix--live").tBodies;
    for (const [i, row] of [...body.rows].entries()) {
      row.classList.toggle("qkv-self-attention__asker", i === asking);
      for (const [j, cell] of row.querySelectorAll(".qkv-heat").entries()) {
        const inPair = (i === asking && j === asked) || (i === asked && j === asking);
        cell.classList.toggle("qkv-self-attention__in-pair", inPair);
        cell.classList.toggle("qkv-self-attention__masked", causal && j > i);
      }
    }
  }
}

define("self-attention", SelfAttentionElement);
