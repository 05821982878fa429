import { DemoElement, choice, define, number, sentence, tabStop, whole } from "../../demo.js";

/**
 * One matrix product, a cell of it taken apart. State: the product, and the row and column of the
 * cell; a column that a product doesn't have stands for its last.
 */
export class CellElement extends DemoElement {
  /** The cell under the pointer, which is lit for as long as it is there. */
  #pointed;

  fields() {
    const products = Object.values(this.data.products);
    const widest = Math.max(...products.map(({ columns }) => columns.length));
    return {
      product: choice(Object.keys(this.data.products)),
      row: whole(0, products[0].rows.length - 1),
      column: whole(0, widest - 1),
    };
  }

  prepare() {
    for (const table of this.querySelectorAll(".qkv-cell__table")) {
      table.setAttribute("role", "grid");
      // The cells take the focus now, and scroll into view with it.
      table.parentElement.removeAttribute("tabindex");
    }
  }

  listen(signal) {
    for (const table of this.querySelectorAll(".qkv-cell__table")) {
      table.addEventListener("focusin", (event) => this.#choose(event.target), { signal });
      table.addEventListener("keydown", (event) => this.#move(event), { signal });
      table.addEventListener("pointerover", (event) => this.#point(event.target), { signal });
      table.addEventListener("pointerleave", () => this.#point(), { signal });
    }
  }

  show({ product }) {
    for (const section of this.querySelectorAll("[data-product]")) {
      this.toggle(section, section.dataset.product === product);
    }
    for (const list of this.querySelectorAll(".qkv-cell__all")) this.toggle(list, false);
    const chosen = this.#cell();
    for (const cell of this.#section().querySelectorAll("[data-cell]")) {
      tabStop(cell, cell === chosen);
    }
    this.#light();
  }

  sentence({ product }) {
    const { left, right, total, place, sign } = this.#parts(this.#cell());
    const { spelled, digits } = this.data.products[product];
    const terms = left.map((x, i) => {
      const [one, other] = [number(x, spelled ?? undefined), number(right[i])];
      return `${i > 0 && x < 0 ? `(${one})` : one} × ${right[i] < 0 ? `(${other})` : other}`;
    });
    return sentence(this.labels.say, {
      product: this.labels[`name_${product}`],
      place,
      sum: `${terms.join(" + ")} ${sign} ${number(total, digits ?? undefined)}`,
    });
  }

  #section() {
    return this.querySelector(`[data-product="${this.state.product}"]`);
  }

  /** The cell of the state. */
  #cell() {
    const { row, column } = this.state;
    const cells = this.#section().querySelectorAll(`[data-row="${row}"] > [data-cell]`);
    return cells[Math.min(column, cells.length - 1)];
  }

  /** What makes a cell: its row, its column, their product, and where it stands in words. */
  #parts(cell) {
    const { left, right, result, rows, columns, spelled } = this.data.products[this.state.product];
    const [row, column] = placeOf(cell);
    return {
      left: left[row],
      right: right.map((entries) => entries[column]),
      total: result[row][column],
      sign: spelled === null ? "=" : "≈",
      place: sentence(this.labels.place, {
        row: row + 1,
        column: column + 1,
        row_name: rows[row].text,
        column_name: columns[column].text,
      }),
    };
  }

  /** Spell out and light up the cell that is pointed at or, if there is none, chosen. */
  #light() {
    const cell = this.#pointed ?? this.#cell();
    this.fill({ [this.state.product]: this.#parts(cell) });
    const [row, column] = placeOf(cell);
    for (const other of this.#section().querySelectorAll("td")) {
      const inRow = other.matches(".qkv-cell__left") && placeOf(other)[0] === row;
      const inColumn = other.matches(".qkv-cell__right td") && placeOf(other)[1] === column;
      other.classList.toggle("qkv-cell__lit", inRow || inColumn);
      other.classList.toggle("qkv-cell__at", other === cell);
    }
  }

  #point(target) {
    this.#pointed = target?.closest("[data-cell]") ?? undefined;
    this.#light();
  }

  #choose(target) {
    const cell = target.closest("[data-cell]");
    if (!cell) return;
    const [row, column] = placeOf(cell);
    this.set({ row, column });
  }

  #move(event) {
    const cell = event.target.closest("[data-cell]");
    if (!cell || event.altKey || event.metaKey || event.shiftKey) return;
    const [row, column] = placeOf(cell);
    const rows = [...cell.closest("tbody").rows].map((one) => [
      ...one.querySelectorAll("[data-cell]"),
    ]);
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

/** The row and the column of a table's cell, each from 0; NaN where it has none. */
function placeOf(cell) {
  return [Number(cell.parentElement.dataset.row), Number(cell.dataset.column)];
}

define("cell", CellElement);
