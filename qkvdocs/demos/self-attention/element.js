import { attend, argmax } from "../../attention.js";
import { DemoElement, define, equalsSign, flag, number, sentence, whole } from "../../demo.js";

/** Self-attention over six tokens. State: who asks, whom to compare with, whether masked. */
export class SelfAttentionElement extends DemoElement {
  fields() {
    const last = this.data.tokens.length - 1;
    return { asking: whole(0, last), asked: whole(0, last, 2), causal: flag() };
  }

  show({ asking, asked, causal }) {
    const { weights, output } = this.#attended();
    this.fill({
      rows: weights.map((row) => [...row, `${equalsSign(row, 1, 2)} ${number(1, 2)}`]),
      asked: weights[asking],
      there: { looks: this.#looks(asking, asked), weight: [weights[asking][asked]] },
      back: { looks: this.#looks(asked, asking), weight: [weights[asked][asking]] },
      row: sentence(this.labels.row, { asker: this.#word(asking) }),
      change: sentence(this.labels.change, { asker: this.#word(asking) }),
      before: this.data.values[asking],
      after: output[asking],
    });
    this.#drawArcs();
    this.#markRows();
    this.#markCells();
    this.toggle(this.querySelector('[data-cells="back.weight"]'), asking !== asked);
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
    return this.data.tokens[index];
  }

  #looks(asking, asked) {
    const label = this.labels[asking === asked ? "looks_itself" : "looks"];
    return sentence(label, { asker: this.#word(asking), asked: this.#word(asked) });
  }

  #drawArcs() {
    const { asking, causal } = this.state;
    const { row, reach } = this.data;
    const picture = this.querySelector(".qkv-self-attention__arcs");
    for (const [asked, path] of picture.querySelectorAll("path").entries()) {
      const drawn = arc(asking, asked, row, reach);
      if (path.getAttribute("d") !== drawn) path.setAttribute("d", drawn);
      path.classList.toggle("qkv-self-attention__cut", causal && asked > asking);
    }
    picture.querySelector("circle").setAttribute("cy", row * (asking + 0.5));
  }

  #markRows() {
    const { asking, causal } = this.state;
    const [{ rows }] = this.querySelector(".qkv-self-attention__bars").tBodies;
    for (const [token, row] of [...rows].entries()) {
      row.classList.toggle("qkv-self-attention__asker", token === asking);
      row.classList.toggle("qkv-self-attention__unseen", causal && token > asking);
    }
  }

  #markCells() {
    const { asking, asked, causal } = this.state;
    for (const [i, row] of this.querySelectorAll('[data-cells^="rows."]').entries()) {
      row.classList.toggle("qkv-self-attention__asker", i === asking);
      for (const [j, cell] of row.querySelectorAll(".qkv-heat").entries()) {
        const inPair = (i === asking && j === asked) || (i === asked && j === asking);
        cell.classList.toggle("qkv-self-attention__in-pair", inPair);
        cell.classList.toggle("qkv-self-attention__masked", causal && j > i);
      }
    }
  }
}

/** The path from one row's middle to another's, as data.py has it for the first that asks. */
function arc(asking, asked, height, reach) {
  const [start, end] = [asking, asked].map((row) => height * (row + 0.5));
  const right = reach * 6;
  if (start === end) {
    const out = right - 22;
    return `M${right} ${start - 6}C${out} ${start - 16} ${out} ${start + 16} ${right} ${start + 6}`;
  }
  const out = Math.round(right - 8 - reach * (4 / 3) * (Math.abs(asked - asking) - 0.25));
  return `M${right} ${start}C${out} ${start} ${out} ${end} ${right} ${end}`;
}

define("self-attention", SelfAttentionElement);
