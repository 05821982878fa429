import {
  DemoElement, choice, define, listenToTabs, prepareTabs, sentence, showTab, vector,
} from "../../demo.js";

/** Question, title and content of the library as tabs. State: the role. */
export class RolesElement extends DemoElement {
  fields() {
    return { role: choice(["query", "key", "value"]) };
  }

  prepare() {
    prepareTabs(this);
  }

  listen(signal) {
    listenToTabs(this, (role) => this.set({ role }), signal);
  }

  show({ role }) {
    showTab(this, role);
  }

  sentence({ role }) {
    const { token, vector: numbers } = this.data[role];
    return sentence(this.labels[`${role}_say`], { token, vector: vector(numbers) });
  }
}

define("roles", RolesElement);
