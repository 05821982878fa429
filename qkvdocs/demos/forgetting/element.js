import { DemoElement, define, sentence, whole, writeText } from "../../demo.js";

/** A list that grows while the state that holds it doesn't. State: which length. */
export class ForgettingElement extends DemoElement {
  fields() {
    return { length: whole(0, this.data.lists.length - 1) };
  }

  show({ length }) {
    const { n } = this.data.lists[length];
    writeText(this.querySelector("[data-words]"), String(n));
    this.querySelector('[data-field="length"]').setAttribute("aria-valuetext", String(n));
    for (const list of this.querySelectorAll("[data-length]")) {
      this.toggle(list, Number(list.dataset.length) === length);
    }
    for (const row of this.querySelectorAll("[data-row]")) {
      row.classList.toggle("qkv-forgetting__current", Number(row.dataset.row) === length);
    }
  }

  sentence({ length }) {
    const { n, right, kept } = this.data.lists[length];
    return sentence(this.labels.say, {
      n,
      mean: right.mean,
      state: right.state,
      attention: right.attention,
      state_kept: kept.state,
      attention_kept: kept.attention,
    });
  }
}

define("forgetting", ForgettingElement);
