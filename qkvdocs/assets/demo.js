/**
 * The base of all demos: an element that turns finished HTML into a widget.
 *
 * The page holds all content of a demo. A subclass says which state it has (`fields`), how the page
 * shows it (`show`) and what is said aloud (`sentence`); controls, address, announcements and the
 * way back to the plain content are here. How a demo is made: qkvdocs/demos/README.md.
 */

const LIVE = "qkv-demo--live";
const OFF = "qkv-demo__off";
const STILL = "qkv-demo--still";
const QUIET_MS = 300;

export class DemoElement extends HTMLElement {
  #block;
  #fields;
  #state;
  #slots;
  #listening;
  #address = { due: 0, timer: undefined };

  /** The numbers of data.py. */
  get data() {
    return this.#content().data;
  }

  /** The texts of labels.toml, in the language of the page. */
  get labels() {
    return this.#content().labels;
  }

  /** The state as it is shown, one value for each field. */
  get state() {
    return this.#state;
  }

  /** The state's fields by name, made by whole(), real(), choice(), flag() or text(). */
  fields() {
    return {};
  }

  /** Change the element once, before it is first shown: ids, roles. No listeners here. */
  prepare() {}

  /** Add listeners beyond those of controls; they must use the signal. Called at each connection. */
  listen(_signal) {}

  /** Bring the page to the state. */
  show(_state) {}

  /** The sentence to announce after a change, from the element's own labels. */
  sentence(_state) {
    return "";
  }

  connectedCallback() {
    this.#attempt(() => {
      const first = this.#state === undefined;
      if (first) this.#setUp();
      this.#listening = new AbortController();
      this.#listenToControls(this.#listening.signal);
      this.#keepStill(this.#listening.signal);
      this.listen(this.#listening.signal);
      if (first) this.#goLive();
    });
  }

  disconnectedCallback() {
    this.#listening?.abort();
    clearTimeout(this.#address.timer);
  }

  /** Change some fields, and with them the page, the address and the announcement. */
  set(changes) {
    this.#attempt(() => {
      const names = Object.keys(changes);
      if (names.every((name) => changes[name] === this.#state[name])) return;
      this.#change({ ...this.#state, ...changes });
      this.#writeAddressSoon();
    });
  }

  /**
   * Write the numbers and words of `view` into all slots: [data-at] gets text, [data-heat] a heat.
   *
   * `view` is an object of arrays; a slot's path, such as "weights.2", leads into it. Slots whose
   * first name is not in `view` stay as they are, so that a demo may fill its parts apart.
   */
  fill(view) {
    this.#slots ??= findSlots(this);
    for (const slot of this.#slots) {
      if (slot.path[0] in view) slot.write(follow(view, slot.path));
    }
  }

  /** Show or hide a part of the content; print and a failed script show it all the same. */
  toggle(part, shown) {
    part.classList.toggle(OFF, !shown);
  }

  #content() {
    this.#block ??= JSON.parse(
      this.querySelector(':scope > script[type="application/json"]').textContent,
    );
    return this.#block;
  }

  #setUp() {
    this.#fields = this.fields();
    this.#state = initialState(this.#fields);
    nameRadios(this);
    this.prepare();
  }

  #goLive() {
    const said = this.#stateInAddress();
    this.#change({ ...this.#state, ...said });
    for (const part of this.querySelectorAll("[data-live]")) part.hidden = false;
    this.classList.add(LIVE);
    if (said) this.#reveal();
  }

  #change(state) {
    this.#state = state;
    for (const control of this.querySelectorAll("[data-field]")) {
      writeControl(control, this.#fields[control.dataset.field], state[control.dataset.field]);
    }
    this.show(state);
    this.#say(this.sentence(state));
  }

  #say(words) {
    const status = this.querySelector('[role="status"]');
    if (status.textContent !== words) status.textContent = words;
  }

  #listenToControls(signal) {
    this.addEventListener("input", (event) => {
      const { field } = event.target.dataset;
      if (field === undefined) return;
      const value = this.#fields[field].read(readControl(event.target));
      if (value !== undefined) this.set({ [field]: value });
    }, { signal });
    window.addEventListener("hashchange", () => this.#attempt(() => {
      const said = this.#stateInAddress();
      if (!said) return;
      this.#change({ ...initialState(this.#fields), ...said });
      this.#reveal();
    }), { signal });
  }

  // The demo stays as high as it has been, until its width changes or a part is opened or closed:
  // nothing below it moves under the reader's eyes, and an input is paid with the layout of the demo
  // alone, not of the page. Its frame says how high that is before anything is painted.
  #keepStill(signal) {
    const frame = this.querySelector(".qkv-demo__frame");
    const room = { width: 0, height: 0 };
    const observer = new ResizeObserver(([{ borderBoxSize: [size] }]) => {
      if (size.inlineSize !== room.width) room.height = 0;
      room.width = size.inlineSize;
      if (size.blockSize <= room.height) return;
      room.height = size.blockSize;
      this.style.blockSize = `${room.height}px`;
      this.classList.add(STILL);
    });
    observer.observe(frame);
    this.addEventListener("toggle", () => {
      room.height = 0;
      observer.unobserve(frame);
      observer.observe(frame);
    }, { signal, capture: true });
    signal.addEventListener("abort", () => {
      observer.disconnect();
      this.style.blockSize = "";
      this.classList.remove(STILL);
    });
  }

  /** The valid fields of an address such as #stepper?step=3; undefined if it names another place. */
  #stateInAddress() {
    const [place, query] = splitHash(location.hash);
    if (query === undefined || place !== this.id) return undefined;
    const said = {};
    for (const [name, text] of new URLSearchParams(query)) {
      if (!Object.hasOwn(this.#fields, name)) continue;
      const value = this.#fields[name].read(text);
      if (value !== undefined) said[name] = value;
    }
    return said;
  }

  // Browsers refuse many changes of the address in a short time, as a dragged slider would make.
  #writeAddressSoon() {
    clearTimeout(this.#address.timer);
    const wait = Math.max(0, this.#address.due - performance.now());
    if (wait === 0) this.#writeAddress();
    else this.#address.timer = setTimeout(() => this.#writeAddress(), wait);
  }

  #writeAddress() {
    this.#address.due = performance.now() + QUIET_MS;
    const query = new URLSearchParams();
    for (const [name, field] of Object.entries(this.#fields)) {
      query.set(name, field.write(this.#state[name]));
    }
    history.replaceState(history.state, "", `#${encodeURIComponent(this.id)}?${query}`);
  }

  #reveal() {
    for (let outer = this.closest("details"); outer; outer = outer.parentElement.closest("details")) {
      outer.open = true;
    }
    this.scrollIntoView();
  }

  #attempt(action) {
    try {
      action();
    } catch (error) {
      this.#giveUp();
      console.error(error);
    }
  }

  /** Leave the reader with the content as it was built. */
  #giveUp() {
    this.#listening?.abort();
    this.classList.remove(LIVE);
    this.#say("");
    for (const part of this.querySelectorAll("[data-live]")) part.hidden = true;
  }
}

/** Register a demo's class for its element; a second time does nothing. */
export function define(name, Demo) {
  if (!customElements.get(`qkv-${name}`)) customElements.define(`qkv-${name}`, Demo);
}

/** A field for a whole number from `min` to `max`. */
export function whole(min, max, initial = min) {
  return field(initial, (text) => {
    const number = Number(text);
    return /^-?\d+$/.test(text) && number >= min && number <= max ? number : undefined;
  });
}

/** A field for a number from `min` to `max`. */
export function real(min, max, initial = min) {
  return field(initial, (text) => {
    const number = Number(text);
    return text.trim() !== "" && number >= min && number <= max ? number : undefined;
  });
}

/** A field for one of some words. */
export function choice(words, initial = words[0]) {
  return field(initial, (text) => (words.includes(text) ? text : undefined));
}

/** A field for on or off: 1 or 0 in the address, a checkbox in the page. */
export function flag(initial = false) {
  const values = { 0: false, 1: true };
  return {
    initial,
    read: (text) => (Object.hasOwn(values, text) ? values[text] : undefined),
    write: (value) => (value ? "1" : "0"),
  };
}

/** A field for words that the reader types; only ever shown as text. */
export function text(maxLength, initial = "") {
  return field(initial, (words) => words.slice(0, maxLength));
}

function field(initial, read) {
  return { initial, read, write: String };
}

/**
 * A number as the built page shows it: rounded half to even, with a true minus and no "−0".
 * Without digits: as many as it has, up to two.
 */
export function number(x, digits = digitsOf(x)) {
  const size = roundedSize(Math.abs(x), digits);
  return x < 0 && Number(size) !== 0 ? `−${size}` : size;
}

/** A row of numbers in parentheses. */
export function vector(xs, digits) {
  return `(${xs.map((x) => number(x, digits)).join(", ")})`;
}

/** "=" if the parts, as they are shown, add up to the total as it is shown; else "≈". */
export function equalsSign(parts, total, digits) {
  const shown = parts.map((x) => Math.sign(x) * Number(number(Math.abs(x), digits)));
  const sum = shown.reduce((before, x) => before + x, 0);
  return number(sum, digits) === number(total, digits) ? "=" : "≈";
}

/** A label with its {placeholders} replaced. */
export function sentence(label, values) {
  return label.replaceAll(/\{(\w+)\}/g, (_, name) => {
    if (!Object.hasOwn(values, name)) {
      throw new Error(`label ${label}: wanted a value for {${name}}, got ${Object.keys(values)}`);
    }
    return values[name];
  });
}

/**
 * Make a tablist of [data-tab] buttons and the [data-panel] parts of the same name, once.
 * Roles stand in the template where they hold without a script; panels become panels only here.
 */
export function prepareTabs(root) {
  for (const tab of root.querySelectorAll("[data-tab]")) {
    const panel = panelOf(root, tab);
    tab.id = uniqueId("tab");
    panel.id = uniqueId("panel");
    tab.setAttribute("aria-controls", panel.id);
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", tab.id);
    panel.tabIndex = 0;
  }
}

/** Mark the chosen tab; return its panel and the others. */
export function showTab(root, name) {
  for (const tab of root.querySelectorAll("[data-tab]")) {
    const chosen = tab.dataset.tab === name;
    tab.setAttribute("aria-selected", String(chosen));
    tabStop(tab, chosen);
    root.toggle(panelOf(root, tab), chosen);
  }
}

/** Let clicks, arrow keys, Home and End choose a tab and take the focus there. */
export function listenToTabs(root, choose, signal) {
  const tabs = [...root.querySelectorAll("[data-tab]")];
  const go = (tab) => {
    // First the focus: to take the Tab key from the element that has it lays out the page at once.
    tabStop(tab, true);
    tab.focus();
    choose(tab.dataset.tab);
  };
  for (const [index, tab] of tabs.entries()) {
    tab.addEventListener("click", () => go(tab), { signal });
    tab.addEventListener("keydown", (event) => {
      const target = stepTo(event, index, tabs.length);
      if (target === undefined) return;
      event.preventDefault();
      go(tabs[(target + tabs.length) % tabs.length]);
    }, { signal });
  }
}

/** Where an arrow key, Home or End leads from `index`, maybe beyond the ends; else undefined. */
export function stepTo(event, index, length) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return undefined;
  return {
    ArrowLeft: index - 1,
    ArrowUp: index - 1,
    ArrowRight: index + 1,
    ArrowDown: index + 1,
    Home: 0,
    End: length - 1,
  }[event.key];
}

/** Whether the Tab key stops at an element of a group through which arrow keys lead. */
export function tabStop(node, stops) {
  const index = stops ? 0 : -1;
  // Unchanged is untouched: each change of the element with the focus lays out the page at once.
  if (node.getAttribute("tabindex") !== String(index)) node.tabIndex = index;
}

let ids = 0;

/** An id that nothing else on the page has. */
export function uniqueId(stem) {
  ids += 1;
  return `qkv-${stem}-${ids}`;
}

function panelOf(root, tab) {
  return root.querySelector(`[data-panel="${tab.dataset.tab}"]`);
}

// Radios of one name are one group in the whole page, also across two copies of a demo.
function nameRadios(root) {
  const names = {};
  for (const radio of root.querySelectorAll('input[type="radio"][data-field]')) {
    names[radio.dataset.field] ??= uniqueId(radio.dataset.field);
    radio.name = names[radio.dataset.field];
  }
}

function initialState(fields) {
  return Object.fromEntries(Object.entries(fields).map(([name, { initial }]) => [name, initial]));
}

function readControl(control) {
  return control.type === "checkbox" ? String(Number(control.checked)) : control.value;
}

function writeControl(control, { write }, value) {
  const words = write(value);
  if (control.type === "checkbox") control.checked = value;
  else if (control.type === "radio") control.checked = control.value === words;
  else if (control.value !== words) control.value = words;
}

function splitHash(hash) {
  const cut = hash.indexOf("?");
  if (cut === -1) return [hash.slice(1), undefined];
  try {
    return [decodeURIComponent(hash.slice(1, cut)), hash.slice(cut + 1)];
  } catch {
    return ["", undefined]; // a stray % in the address names no place
  }
}

function findSlots(root) {
  const all = (name) => [...root.querySelectorAll(`[data-${name}]`)];
  const slot = (node, name, write) => ({ path: node.dataset[name].split("."), write });
  return [
    ...all("at").map((node) => slot(node, "at", textWriter(node, node.dataset))),
    ...all("heat").map((node) => slot(node, "heat", heatWriter(node))),
    ...all("cells").map((row) => slot(row, "cells", cellsWriter(row))),
  ];
}

function textWriter(node, form) {
  return (value) => writeText(node, formatted(form, value));
}

function heatWriter(node) {
  let shown;
  return (value) => {
    const heat = value.toFixed(4);
    if (heat !== shown) node.style.setProperty("--heat", heat);
    shown = heat;
  };
}

function cellsWriter(row) {
  const cells = [...row.querySelectorAll("td")].map((cell) => ({
    text: textWriter(cell, row.dataset),
    heat: cell.classList.contains("qkv-heat") ? heatWriter(cell) : () => {},
  }));
  return (values) => {
    for (const [i, value] of values.entries()) {
      cells[i].text(value);
      cells[i].heat(value);
    }
  };
}

function formatted({ digits, factor }, value) {
  if (typeof value === "string") return value;
  const places = digits === undefined ? undefined : Number(digits);
  if (Array.isArray(value)) return vector(value, places);
  const shown = number(value, places);
  return factor !== undefined && value < 0 ? `(${shown})` : shown;
}

/** Let a node say these words; text that is there changes in place, so that no part is built again. */
export function writeText(node, words) {
  if (node.textContent === words) return;
  if (node.childNodes.length === 1 && node.firstChild instanceof Text) node.firstChild.data = words;
  else node.textContent = words;
}

function follow(view, path) {
  const found = path.reduce((inner, name) => inner?.[name], view);
  if (found === undefined) throw new Error(`wanted ${path.join(".")} in the view, got nothing there`);
  return found;
}

function digitsOf(x) {
  return Number(x.toFixed(0)) === x ? 0 : Number(x.toFixed(1)) === x ? 1 : 2;
}

// toFixed rounds a tie up and Python to even. A tie is an odd multiple of a power of two.
function roundedSize(size, digits) {
  if ((size * 2 ** (digits + 1)) % 2 !== 1) return size.toFixed(digits);
  const below = Math.floor(size * 10 ** digits);
  return ((below + (below % 2)) / 10 ** digits).toFixed(digits);
}
