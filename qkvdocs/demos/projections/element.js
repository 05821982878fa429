import { attend, matmul } from "../../attention.js";
import {
  DemoElement, choice, define, number, sentence, vector, whole, writeText,
} from "../../demo.js";

const ROLES = { q: "query", k: "key", v: "value" };

/**
 * One x and its three products. State: the token, the choice of matrices, and the entry of q, k or v
 * whose sum is spelled out, such as "q2"; none at first.
 */
export class ProjectionsElement extends DemoElement {
  /** The cell under the pointer, which is lit for as long as it is there. */
  #pointed;

  /** The parts that have a class for now, by the class. */
  #marked = {};

  fields() {
    const { tokens, presets, x } = this.data;
    const entries = Object.keys(ROLES).flatMap((letter) =>
      x[0].map((_, column) => `${letter}${column + 1}`),
    );
    return {
      token: whole(0, tokens.length - 1),
      preset: choice(Object.keys(presets)),
      entry: choice(["", ...entries]),
    };
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
    for (const section of this.querySelectorAll("[data-preset]")) {
      this.toggle(section, section.dataset.preset === name);
    }
    makeGrid(this.#table());
    const products = this.#products();
    this.fill({
      token: this.data.tokens[token],
      x: this.data.x[token],
      [name]: {
        products: Object.values(products).flatMap((rows) => rows[token]),
        ...(name === "value" && this.#recovered(products)),
      },
    });
    this.#drawPicture(products);
    const bodies = [...this.#section().querySelectorAll("[data-tokens]")];
    this.#mark("qkv-projections__chosen", bodies.map((body) => body.rows[token]));
    this.#light();
  }

  sentence({ token, preset, entry }) {
    const said = { token: this.data.tokens[token], matrices: this.labels[`name_${preset}`] };
    if (entry === "") return sentence(this.labels.say, { ...said, ...this.#vectors() });
    const { letter, column, weights, total, digits } = this.#sum(entry);
    const terms = this.data.x[token].map((x, i) => `${number(x)} × ${factor(weights[i], digits)}`);
    return sentence(this.labels.say_entry, {
      ...said,
      letter,
      place: this.#place(column),
      sum: `${terms.join(" + ")} = ${total}`,
    });
  }

  /** The chosen matrices, and with how many digits numbers are shown. */
  #preset() {
    const { matrices, digits } = this.data.presets[this.state.preset];
    return { matrices, digits: digits ?? undefined };
  }

  /** What the chosen matrices make of all tokens. */
  #products() {
    const { matrices } = this.#preset();
    return Object.fromEntries(
      Object.entries(matrices).map(([letter, w]) => [letter, matmul(this.data.x, w)]),
    );
  }

  /** The output for values that are x, and what W^V as built makes of it. */
  #recovered({ q, k, v }) {
    const { output } = attend([q[this.state.token]], k, v, { scale: 1 });
    const [recovered] = matmul(output, this.data.presets.built.matrices.v);
    return { output: output[0], recovered };
  }

  /** The three vectors in words; `width` cuts them. */
  #vectors(width) {
    const { digits } = this.#preset();
    return Object.fromEntries(Object.entries(this.#products()).map(([letter, rows]) => [
      letter, vector(rows[this.state.token].slice(0, width), digits),
    ]));
  }

  /** What makes an entry; one that this choice of matrices doesn't have stands for the last. */
  #sum(entry) {
    const { matrices, digits } = this.#preset();
    const letter = entry[0];
    const column = Math.min(Number(entry.slice(1)), matrices[letter][0].length) - 1;
    const total = this.#products()[letter][this.state.token][column];
    return {
      letter,
      column,
      weights: matrices[letter].map((row) => row[column]),
      total: number(total, digits),
      digits,
    };
  }

  /** The names of the table's columns, such as "q1". */
  #entries() {
    return Object.entries(this.#preset().matrices).flatMap(([letter, [row]]) =>
      row.map((_, column) => `${letter}${column + 1}`),
    );
  }

  #place(column) {
    return sentence(this.labels.place, { place: column + 1 });
  }

  #section() {
    return this.querySelector(`[data-preset="${this.state.preset}"]`);
  }

  #table() {
    return this.#section().querySelector(".qkv-projections__product");
  }

  /** Let these parts have a class, and no others. */
  #mark(name, parts) {
    for (const part of this.#marked[name] ?? []) {
      if (!parts.includes(part)) part.classList.remove(name);
    }
    for (const part of parts) part.classList.add(name);
    this.#marked[name] = parts;
  }

  #drawPicture(products) {
    const { tokens, longest_arrow, letter_ahead, letter_aside } = this.data;
    const { token } = this.state;
    const all = Object.values(products).flat().flatMap((row) => row.slice(0, 2));
    const unit = longest_arrow / Math.max(...all.map(Math.abs));
    const picture = this.#section().querySelector("svg");
    for (const arrow of picture.querySelectorAll("[data-arrow]")) {
      const [x, y] = products[arrow.dataset.arrow][token];
      const length = Math.hypot(x, y) * unit;
      const angle = length === 0 ? -90 : Math.atan2(-y, x) * (180 / Math.PI);
      const [line, head, letter] = arrow.children;
      const aside = letter_aside[arrow.dataset.arrow];
      set(arrow, "transform", `rotate(${angle})`);
      set(line, "x2", length);
      set(head, "transform", `translate(${length})`);
      set(letter, "transform", `translate(${length + letter_ahead} ${aside}) rotate(${-angle})`);
    }
    const said = sentence(this.labels.picture, { token: tokens[token], ...this.#vectors(2) });
    set(picture, "aria-label", said);
  }

  /** Spell out the sum of the cell that is pointed at, has the focus, or was last chosen. */
  #light() {
    const rows = [...this.#table().tBodies[0].rows];
    const cell = this.#pointed ?? this.#table().querySelector("td:focus");
    const chosen = cell ? this.#entries()[columnOf(cell)] : this.state.entry;
    const sum = this.#sum(chosen || "q1");
    const column = this.#entries().indexOf(`${sum.letter}${sum.column + 1}`);
    const row = cell?.parentElement;
    const factors = row === rows.at(-1) ? undefined : row;
    this.#mark("qkv-projections__lit", chosen ? rows.map((each) => entriesOf(each)[column]) : []);
    this.#mark("qkv-projections__at", cell ? [cell] : []);
    this.#mark("qkv-projections__lit-row", factors ? [factors] : []);
    this.#spellOut(sum, rows.indexOf(factors));
  }

  #spellOut({ letter, column, weights, total, digits }, at) {
    const line = this.#section().querySelector(".qkv-projections__sum");
    line.dataset.role = ROLES[letter];
    const [badge, place] = line.firstElementChild.children;
    const terms = [...line.querySelectorAll(".qkv-demo__product")];
    writeText(badge, letter);
    writeText(place, this.#place(column));
    for (const [i, term] of terms.entries()) {
      writeText(term.firstChild, `${number(this.data.x[this.state.token][i])} × `);
      writeText(term.lastChild, factor(weights[i], digits));
    }
    writeText(line.querySelector("strong"), total);
    this.#mark("qkv-projections__lit-term", at === -1 ? [] : [terms[at]]);
  }

  #point(target) {
    const cell = entryAt(target);
    if (cell === this.#pointed) return;
    this.#pointed = cell;
    this.#light();
  }

  #takeFocus(target) {
    const cell = entryAt(target);
    if (!cell) return;
    this.#table().querySelector('[tabindex="0"]').tabIndex = -1;
    cell.tabIndex = 0;
    this.set({ entry: this.#entries()[columnOf(cell)] });
    this.#light();
  }

  #move(event) {
    const cell = entryAt(event.target);
    if (!cell || event.altKey || event.metaKey || event.shiftKey) return;
    const rows = [...this.#table().tBodies[0].rows].map(entriesOf);
    const row = cell.parentElement.sectionRowIndex;
    const column = columnOf(cell);
    const target = event.ctrlKey
      ? { Home: rows[0][0], End: rows.at(-1).at(-1) }[event.key]
      : {
        ArrowLeft: rows[row][column - 1] ?? cell,
        ArrowRight: rows[row][column + 1] ?? cell,
        ArrowUp: rows[row - 1]?.[column] ?? cell,
        ArrowDown: rows[row + 1]?.[column] ?? cell,
        Home: rows[row][0],
        End: rows[row].at(-1),
      }[event.key];
    if (!target) return;
    event.preventDefault();
    target.focus();
  }
}

/** Make a table whose cells take the focus, and scroll into view with it. */
function makeGrid(table) {
  if (table.getAttribute("role") === "grid") return;
  table.setAttribute("role", "grid");
  table.parentElement.removeAttribute("tabindex");
  const rows = [...table.tBodies[0].rows].map(entriesOf);
  for (const cell of rows.flat()) cell.tabIndex = -1;
  rows.at(-1)[0].tabIndex = 0;
}

/** The cells of a row that belong to the matrices or their products; before them are head and x. */
function entriesOf(row) {
  const first = row.querySelector(".query").cellIndex;
  return [...row.cells].slice(first);
}

function columnOf(cell) {
  return entriesOf(cell.parentElement).indexOf(cell);
}

function entryAt(target) {
  const cell = target?.closest("tbody td");
  return cell && columnOf(cell) >= 0 ? cell : undefined;
}

function factor(x, digits) {
  return x < 0 ? `(${number(x, digits)})` : number(x, digits);
}

function set(node, name, value) {
  if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

define("projections", ProjectionsElement);
