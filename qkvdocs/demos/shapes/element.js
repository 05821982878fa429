import { DemoElement, define, sentence, whole } from "../../demo.js";

/** Six sizes, and which of them fit. State: the sizes. */
export class ShapesElement extends DemoElement {
  fields() {
    const { cases, largest } = this.data;
    return Object.fromEntries(
      Object.entries(cases[0].sizes).map(([name, size]) => [name, whole(1, largest, size)]),
    );
  }

  listen(signal) {
    for (const button of this.querySelectorAll("[data-case]")) {
      button.addEventListener("click", () => {
        this.set(this.data.cases[Number(button.dataset.case)].sizes);
      }, { signal });
    }
  }

  show(sizes) {
    const { scores, output } = judge(sizes);
    const { n_q, d_q, n_k, d_k, n_v, d_v } = sizes;
    const blocks = {
      q: [n_q, d_q],
      k: [d_k, n_k],
      v: [n_v, d_v],
      scores: scores ? [n_q, n_k] : null,
      weights: scores ? [n_q, n_k] : null,
      output: output ? [n_q, d_v] : null,
    };
    for (const [name, shape] of Object.entries(blocks)) this.#draw(name, shape);
    for (const [name, fits] of [["scores", d_q === d_k], ["output", n_k === n_v]]) {
      this.querySelector(`[data-inner="${name}"]`).classList.toggle("qkv-shapes__clash", !fits);
    }
    this.fill({
      size: sizes,
      shape: Object.fromEntries(
        Object.entries(blocks).map(([name, shape]) => [name, shape ? shape.join(" × ") : "—"]),
      ),
      inner: { scores: compared(d_q, d_k), output: compared(n_k, n_v) },
      verdict: this.#verdict(sizes),
    });
  }

  sentence(sizes) {
    const { scores, output } = this.#verdict(sizes);
    return `${scores} ${output}`;
  }

  #verdict(sizes) {
    const { scores, output } = judge(sizes);
    const said = output ? "output_fit" : scores ? "output_clash" : "output_none";
    return {
      scores: sentence(this.labels[scores ? "scores_fit" : "scores_clash"], sizes),
      output: sentence(this.labels[said], sizes),
    };
  }

  #draw(name, shape) {
    const block = this.querySelector(`[data-block="${name}"]`);
    block.classList.toggle("qkv-shapes__none", !shape);
    const [rows, columns] = shape ?? [2, 2];
    block.style.setProperty("--rows", rows);
    block.style.setProperty("--columns", columns);
  }
}

/** Whether there are scores, and an output. */
function judge({ d_q, n_k, d_k, n_v }) {
  const scores = d_q === d_k;
  return { scores, output: scores && n_k === n_v };
}

function compared(one, other) {
  return `${one} ${one === other ? "=" : "≠"} ${other}`;
}

define("shapes", ShapesElement);
