import { DemoElement, choice, define, number, sentence, vector, whole } from "../../demo.js";

const ROLES = { q: "query", k: "key", v: "value" };

/**
 * One x and its three products. State: the token, the choice of matrices, and the entry of q, k or v
 * whose sum is spelled out, such as "q2"; none at first.
 */
export class ProjectionsElement extends DemoElement {
  /** The cell under the pointer, which is lit for as long as it is there. */
  #pointed;

  fields() {
    const { tokens, presets, dimensions } = this.data;
    const entries = Object.keys(ROLES).flatMap((letter) =>
      dimensions.map((_, column) => `${letter}${column + 1}`),
    );
    return {
      token: whole(0, tokens.length - 1),
      preset: choice(Object.keys(presets)),
      entry: choice(["", ...entries]),
    };
  }

  prepare() {
    for (const table of this.querySelectorAll(".qkv-projections__product")) {
      table.setAttribute("role", "grid");
      // The cells take the focus now, and scroll into view with it.
      table.parentElement.removeAttribute("tabindex");
      for (const cell of table.querySelectorAll("[data-entry]")) cell.tabIndex = -1;
      table.querySelector(".qkv-projections__result [data-entry]").tabIndex = 0;
    }
  }

  listen(signal) {
    for (const table of this.querySelectorAll(".qkv-projections__product")) {
      table.addEventListener("focusin", (event) => this.#takeFocus(event.target), { signal });
      table.addEventListener("focusout", () => this.#light(), { signal });
      table.addEventListener("keydown", (event) => this.#move(event), { signal });
      table.addEventListener("pointerover", (event) => this.#point(event.target), { signal });
      table.addEventListener("pointerleave", () => this.#point(), { signal });
    }
  }

  show({ token, preset: name }) {
    const preset = this.data.presets[name];
    const { q, k, v } = preset.products;
    for (const section of this.querySelectorAll("[data-preset]")) {
      this.toggle(section, section.dataset.preset === name);
    }
    this.fill({
      token: this.data.tokens[token].text,
      x: this.data.x[token],
      [name]: {
        q: q[token],
        k: k[token],
        v: v[token],
        output: preset.output[token],
        recovered: this.data.recovered[token],
      },
    });
    this.#drawPicture();
    for (const row of this.#section().querySelectorAll("[data-token]")) {
      row.classList.toggle("qkv-projections__chosen", Number(row.dataset.token) === token);
    }
    this.#light();
  }

  sentence({ token, preset, entry }) {
    const said = {
      token: this.data.tokens[token].text,
      matrices: this.labels[`name_${preset}`],
    };
    if (entry === "") return sentence(this.labels.say, { ...said, ...this.#vectors() });
    const { letter, column, weights, total, digits } = this.#product(entry);
    const terms = this.data.x[token].map((x, i) => `${number(x)} × ${factor(weights[i], digits)}`);
    return sentence(this.labels.say_entry, {
      ...said,
      letter,
      place: this.#place(column),
      sum: `${terms.join(" + ")} = ${total}`,
    });
  }

  /** The three vectors in words; `width` cuts them. */
  #vectors(width) {
    const { token, preset: name } = this.state;
    const { products, digits } = this.data.presets[name];
    return Object.fromEntries(Object.keys(ROLES).map((letter) => [
      letter, vector(products[letter][token].slice(0, width), digits ?? undefined),
    ]));
  }

  /** What makes an entry; one that this choice of matrices doesn't have stands for the last. */
  #product(entry) {
    const { token, preset: name } = this.state;
    const { matrices, products } = this.data.presets[name];
    const digits = this.data.presets[name].digits ?? undefined;
    const letter = entry[0];
    const column = Math.min(Number(entry.slice(1)), products[letter][token].length) - 1;
    return {
      letter,
      column,
      weights: matrices[letter].map((row) => row[column]),
      total: number(products[letter][token][column], digits),
      digits,
    };
  }

  #place(column) {
    return sentence(this.labels.place, { place: column + 1 });
  }

  #section() {
    return this.querySelector(`[data-preset="${this.state.preset}"]`);
  }

  #drawPicture() {
    const { token, preset } = this.state;
    const drawn = this.data.presets[preset].pictures[token];
    const picture = this.#section().querySelector("svg");
    for (const arrow of picture.querySelectorAll("[data-arrow]")) {
      const { x, y, angle, letter_x, letter_y } = drawn[arrow.dataset.arrow];
      const [line, head, letter] = arrow.children;
      set(line, { x2: x, y2: y });
      set(head, { transform: `translate(${x} ${y}) rotate(${angle})` });
      set(letter, { x: letter_x, y: letter_y });
    }
    picture.setAttribute("aria-label", sentence(this.labels.picture, {
      token: this.data.tokens[token].text, ...this.#vectors(2),
    }));
  }

  /** Spell out the sum of the cell that is pointed at, has the focus, or was last chosen. */
  #light() {
    const table = this.#section().querySelector(".qkv-projections__product");
    const cell = this.#pointed ?? table.querySelector("[data-entry]:focus");
    const chosen = cell?.dataset.entry ?? this.state.entry;
    const { letter, column, weights, total } = this.#product(chosen || "q1");
    this.fill({
      [`sum_${this.state.preset}`]: { letter, place: this.#place(column), column: weights, total },
    });
    const row = cell?.closest("tr").dataset.row;
    const lit = chosen === "" ? "" : `${letter}${column + 1}`;
    for (const other of table.querySelectorAll("[data-entry]")) {
      other.classList.toggle("qkv-projections__lit", other.dataset.entry === lit);
      other.classList.toggle("qkv-projections__at", other === cell);
    }
    for (const other of table.querySelectorAll("[data-row]")) {
      other.classList.toggle("qkv-projections__lit-row", other.dataset.row === row);
    }
    const sum = this.#section().querySelector(".qkv-projections__sum");
    sum.dataset.role = ROLES[letter];
    for (const term of sum.querySelectorAll("[data-term]")) {
      term.classList.toggle("qkv-projections__lit-term", term.dataset.term === row);
    }
  }

  #point(target) {
    this.#pointed = target?.closest("[data-entry]") ?? undefined;
    this.#light();
  }

  #takeFocus(target) {
    const cell = target.closest("[data-entry]");
    if (!cell) return;
    const cells = cell.closest("table").querySelectorAll("[data-entry]");
    for (const other of cells) other.tabIndex = other === cell ? 0 : -1;
    this.set({ entry: cell.dataset.entry });
    this.#light();
  }

  #move(event) {
    const cell = event.target.closest("[data-entry]");
    if (!cell || event.altKey || event.metaKey || event.shiftKey) return;
    const rows = [...cell.closest("tbody").rows].map((row) => [
      ...row.querySelectorAll("[data-entry]"),
    ]);
    const row = rows.findIndex((cells) => cells.includes(cell));
    const column = rows[row].indexOf(cell);
    const last = rows[0].length - 1;
    const target = event.ctrlKey
      ? { Home: rows[0][0], End: rows.at(-1)[last] }[event.key]
      : {
        ArrowLeft: rows[row][column - 1] ?? cell,
        ArrowRight: rows[row][column + 1] ?? cell,
        ArrowUp: rows[row - 1]?.[column] ?? cell,
        ArrowDown: rows[row + 1]?.[column] ?? cell,
        Home: rows[row][0],
        End: rows[row][last],
      }[event.key];
    if (!target) return;
    event.preventDefault();
    target.focus();
  }
}

function factor(x, digits) {
  return x < 0 ? `(${number(x, digits)})` : number(x, digits);
}

function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}

define("projections", ProjectionsElement);
