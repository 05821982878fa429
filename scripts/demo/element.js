import { DemoElement, define, number, sentence, whole } from "../../demo.js";

/** One row of weights at a time. State: who asks. */
export class SkeletonElement extends DemoElement {
  fields() {
    return { asking: whole(0, this.data.tokens.length - 1) };
  }

  show({ asking }) {
    for (const row of this.querySelectorAll("[data-row]")) {
      this.toggle(row, Number(row.dataset.row) === asking);
    }
  }

  sentence({ asking }) {
    const { tokens, weights, best } = this.data;
    return sentence(this.labels.say, {
      asker: tokens[asking].text,
      best: tokens[best[asking]].text,
      weight: number(weights[asking][best[asking]], 2),
    });
  }
}

define("skeleton", SkeletonElement);
