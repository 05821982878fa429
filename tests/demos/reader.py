"""A reader who tries all controls of a demo, by keyboard or by pointer, and notes what happens."""

from dataclasses import dataclass
from typing import Any, Literal

from playwright.sync_api import Page

Hand = Literal["keyboard", "pointer"]

# Widgets are found by what they are, so that any demo can be tried. Of one that shows a number of
# values, `values` says how many; those that were met are counted while it is tried.
PREPARE = """(demo) => {
    const visible = (node) => node.checkVisibility({ visibilityProperty: true });
    const widgets = [];
    const add = (kind, members, values) => {
        if (members.length === 0) return;
        for (const [i, one] of members.entries()) one.dataset.probe = `${widgets.length}-${i}`;
        widgets.push({ kind, members, values, met: new Set(), tried: false });
    };
    const all = (selector, root = demo) => [...root.querySelectorAll(selector)];
    for (const list of all("[role=tablist]")) {
        const tabs = all("[role=tab]", list);
        add("tabs", tabs, tabs.length);
    }
    for (const name of new Set(all("input[type=radio]").map((radio) => radio.name))) {
        const radios = all(`input[name="${name}"]`);
        add("radios", radios, radios.length);
    }
    for (const box of all("input[type=checkbox]")) add("switch", [box], 2);
    for (const range of all("input[type=range]")) {
        add("range", [range], (range.max - range.min) / (range.step || 1) + 1);
    }
    for (const box of all("input[type=text], input[type=search]")) add("text", [box], 0);
    for (const grid of all("[role=grid]")) add("grid", [grid], 1);
    for (const button of all(".qkv-demo__frame button:not([role=tab])")) {
        if (!button.closest("details")) add("button", [button], 0);
    }
    // The first row and the first column of a grid, once it is seen: as they are reached, all are.
    const spread = (widget) => {
        delete widget.members[0].dataset.probe;
        const rows = all("tr", widget.members[0])
            .map((row) => all("[tabindex]", row)).filter((row) => row.length > 0);
        const cells = [...rows[0], ...rows.slice(1).map(([first]) => first)];
        const at = widgets.indexOf(widget);
        for (const [i, cell] of cells.entries()) cell.dataset.probe = `${at}-${i}`;
        Object.assign(widget, { members: cells, values: cells.length, columns: rows[0].length });
    };
    const value = ({ kind, members }) => {
        switch (kind) {
            case "tabs": return members.findIndex((tab) => tab.ariaSelected === "true");
            case "radios": return members.findIndex((radio) => radio.checked);
            case "switch": return members[0].checked;
            case "range": return members[0].value;
            case "grid": return members.indexOf(document.activeElement);
        }
    };
    const reader = window.reader = {
        moments: [],
        widgets,
        next() {
            const at = widgets.findIndex(({ tried, members }) => !tried && members.some(visible));
            if (at === -1) return null;
            widgets[at].tried = true;
            if (widgets[at].kind === "grid") spread(widgets[at]);
            this.focus(at);
            const { kind, members, values, columns } = widgets[at];
            return { at, kind, size: members.length, values, columns };
        },
        focus(at) {
            const { members } = widgets[at];
            const chosen = members.find((one) => one.checked)
                ?? members.find((one) => one.tabIndex === 0) ?? members[0];
            chosen.focus();
            this.now = at;
        },
        note() {
            const widget = widgets[this.now];
            if (widget) widget.met.add(value(widget));
            this.moments.push({
                widget: widget ? this.now : -1,
                kind: widget?.kind ?? "",
                state: { ...demo.state },
                said: demo.querySelector("[role=status]").textContent,
                shown: demo.innerText,
            });
        },
        missed: (most) => widgets
            .filter(({ tried, met, values }) => !tried || met.size < Math.min(values, most))
            .map(({ kind, members, met, values }) =>
                `${kind} ${members[0].outerHTML.slice(0, 90)}: ${met.size} of ${values}`),
    };
    reader.note();
    demo.addEventListener("keyup", () => reader.note());
}"""

TYPED = "key key 键"


@dataclass(frozen=True)
class Moment:
    """What a demo was, said and showed after one key or click.

    Parameters
    ----------
    widget : the number of the widget that was used; -1 before the first
    kind : of the widget
    state : of the demo
    said : in its status
    shown : its visible text
    """

    widget: int
    kind: str
    state: dict[str, Any]
    said: str
    shown: str


class Reader:
    """Tries each widget of the first demo of a page as soon as it is seen."""

    def __init__(self, page: Page, name: str, hand: Hand) -> None:
        self.page = page
        self.hand = hand
        page.locator(f"qkv-{name}").first.evaluate(PREPARE)

    def try_all(self) -> list[Moment]:
        while widget := self.page.evaluate("reader.next()"):
            self._try(**widget)
        return [Moment(**moment) for moment in self.page.evaluate("reader.moments")]

    def missed(self) -> list[str]:
        """The widgets that were never seen, or of which a value was never met."""
        # A pointer goes to the two ends of a range alone.
        most = 1000 if self.hand == "keyboard" else 2
        return list(self.page.evaluate(f"reader.missed({most})"))

    def _try(self, at: int, kind: str, size: int, values: int, columns: int = 0) -> None:
        if self.hand == "pointer":
            self._click(at, kind, size)
        elif kind in ("tabs", "radios"):
            # Once more than round: what came into sight may have chosen another one meanwhile.
            for _ in range(size + 1):
                self._press("ArrowRight")
                self._try_what_came_into_sight(at)
        elif kind == "switch":
            self._press("Space", "Space")
        elif kind == "range":
            self._press("End", "Home", *["ArrowRight"] * (values - 1))
        elif kind == "grid":
            self._press("Control+End", "Control+Home", *["ArrowRight"] * (columns - 1))
            self._press("Home", *["ArrowDown"] * (size - columns))
        elif kind == "text":
            self.page.keyboard.type(TYPED)
        else:
            self._press("Enter")

    def _try_what_came_into_sight(self, at: int) -> None:
        """A tab may show further widgets, which are hidden again by the next one."""
        while widget := self.page.evaluate("reader.next()"):
            self._try(**widget)
        self.page.evaluate(f"reader.focus({at})")

    def _click(self, at: int, kind: str, size: int) -> None:
        for member in range(size):
            target = self.page.locator(f'[data-probe="{at}-{member}"]')
            if kind == "range":
                box = target.bounding_box()
                assert box is not None
                for x in (1, box["width"] - 1):
                    target.click(position={"x": x, "y": box["height"] / 2})
                    self.page.evaluate("reader.note()")
            else:
                for _ in range(2 if kind == "switch" else 1):
                    # A button that leads no further may be pressed all the same.
                    target.click(force=True)
                    self.page.evaluate("reader.note()")
            if kind in ("tabs", "radios"):
                self._try_what_came_into_sight(at)

    def _press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
