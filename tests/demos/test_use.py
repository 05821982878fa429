"""What every demo keeps while a reader uses it, whatever its controls are."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from qkvdocs import demos
from qkvdocs.languages import Language
from qkvdocs.markdown.snippet import snippet_of
from tests.axe import OF_COLOURS, violations
from tests.demos.reader import Moment, Reader
from tests.demos.stand import Pages, Stand
from tests.demos.test_contract import (
    each_demo,
    each_language,
    each_live,
    element,
    shown_text,
    wait_until_live,
)

# What a change of state can break where it changes no look: the rest of axe looks at what stays.
CHANGING = [
    "aria-allowed-attr",
    "aria-hidden-focus",
    "aria-required-attr",
    "aria-valid-attr-value",
    "empty-table-header",
    "scrollable-region-focusable",
]
MANY = 10
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
UNFINISHED = re.compile(r"[{}]|\bundefined\b|\bNaN\b|\bnull\b|\bInfinity\b")
# What decides on colours: states that differ in words and numbers alone look the same.
LOOK = """() => [...new Set([...document.querySelectorAll('.qkv-demo *')]
    .filter((node) => node.checkVisibility())
    .map((node) => `${node.localName} ${[...node.classList].sort().join(' ')} ${
        Math.round(5 * node.style.getPropertyValue('--heat'))}`))].sort().join()"""
IN_PAGE = "document.querySelector('.qkv-demo')"


@dataclass(frozen=True)
class Walk:
    """A whole walk through a demo by keyboard, and what the page had to say against it."""

    moments: list[Moment]
    missed: list[str]
    address: str
    faults: list[str]

    def states(self) -> list[Moment]:
        """All states of each widget; of one that has many the first, a middle and the last."""
        found: dict[str, Moment] = {}
        for widget in {moment.widget for moment in self.moments}:
            used = [moment for moment in self.moments if moment.widget == widget]
            if len(used) > MANY:
                used = [used[0], used[len(used) // 2], used[-1]]
            found |= {query_of(moment.state): moment for moment in used}
        return list(found.values())


def query_of(state: dict[str, Any]) -> str:
    """The state as the address has it."""
    values = {name: int(x) if isinstance(x, bool) else x for name, x in state.items()}
    return urlencode(values)


@pytest.fixture(scope="module")
def walk(pages: Pages) -> Callable[[str, Language], Walk]:
    """Walks through a demo, once for all tests."""
    done: dict[tuple[str, Language], Walk] = {}

    def walked(name: str, language: Language) -> Walk:
        if (name, language) not in done:
            stand = Stand(pages)
            page = stand(name, language=language)
            wait_until_live(page)
            reader = Reader(page, name, "keyboard")
            moments = reader.try_all()
            page.wait_for_timeout(350)  # so often at most is the address written
            done[name, language] = Walk(moments, reader.missed(), page.url, stand.faults)
            stand.close()
        return done[name, language]

    return walked


@each_live
@each_language
def test_the_keyboard_reaches_every_value_and_each_state_is_said(
    walk: Callable[[str, Language], Walk], name: str, language: Language
) -> None:
    found = walk(name, language)
    assert found.missed == []
    assert found.faults == []
    assert {moment.widget for moment in found.moments} != {-1}
    for moment in found.moments:
        assert len(moment.said) > 5
        assert not UNFINISHED.search(moment.said), moment.state
        assert not UNFINISHED.search(moment.shown), moment.state
    assert len({moment.said for moment in found.moments}) > 1


@each_live
@each_language
def test_the_pointer_reaches_every_control(stand: Stand, name: str, language: Language) -> None:
    page = stand(name, language=language)
    wait_until_live(page)
    reader = Reader(page, name, "pointer")
    moments = reader.try_all()
    assert reader.missed() == []
    assert all(len(moment.said) > 5 for moment in moments)


@each_live
@each_language
def test_the_address_gives_each_state_back(
    stand: Stand, walk: Callable[[str, Language], Walk], name: str, language: Language
) -> None:
    found = walk(name, language)
    place, _, query = urlsplit(found.address).fragment.partition("?")
    last = found.moments[-1]
    assert place == name
    assert dict(parse_qsl(query, keep_blank_values=True)) == dict(
        parse_qsl(query_of(last.state), keep_blank_values=True)
    )
    page = stand(name, language=language, hash=f"#{place}?{query}")
    wait_until_live(page)
    assert shown_text(page, name) == last.shown
    for moment in found.states():
        # As a link in the page would.
        page.evaluate(
            """(hash) => new Promise((done) => {
                if (location.hash === `#${hash}`) return done();
                addEventListener("hashchange", done, { once: true });
                location.hash = hash;
            })""",
            f"{name}?{query_of(moment.state)}",
        )
        assert page.evaluate(f"{IN_PAGE}.state") == moment.state
        assert element(page, name).locator("[role=status]").text_content() == moment.said


@each_live
def test_no_mixture_of_states_is_left_unfinished(
    stand: Stand, walk: Callable[[str, Language], Walk], name: str
) -> None:
    states = [moment.state for moment in walk(name, "zh").moments]
    values = {field: list(dict.fromkeys(state[field] for state in states)) for field in states[0]}
    page = stand(name)
    wait_until_live(page)
    # A walk that steps through all values of each field at a pace of its own.
    said = page.evaluate(
        f"""(values) => Array.from({{ length: 120 }}, (_, step) => {{
            const state = Object.fromEntries(Object.entries(values).map(([name, all], place) =>
                [name, all[Math.floor(step * (place + 1) * 0.77) % all.length]]));
            {IN_PAGE}.set(state);
            return {IN_PAGE}.innerText;
        }})""",
        values,
    )
    assert [text for text in said if UNFINISHED.search(text)] == []


@each_live
def test_keys_act_only_inside_and_letters_nowhere(stand: Stand, name: str) -> None:
    page = stand(name, body='<p tabindex="0" id="outside">outside</p>{}')
    wait_until_live(page)
    page.locator("#outside").focus()
    for key in ("ArrowRight", "ArrowDown", "Home", "End", "Enter", "Space", *LETTERS):
        page.keyboard.press(key)
    control = "button:visible, input:not([type=text]):visible"
    element(page, name).locator(control).first.focus()
    page.keyboard.type(LETTERS)
    assert "#" not in page.url


@each_live
@pytest.mark.parametrize("forced", ["none", "active"], ids=["colours", "forced colours"])
def test_the_tab_key_reaches_all_and_the_focus_is_seen(
    stand: Stand, name: str, forced: str
) -> None:
    page = stand(name, forced_colors=forced, body='<p tabindex="0" id="outside">outside</p>{}')
    wait_until_live(page)
    page.locator("#outside").focus()
    reached = []
    while True:
        page.keyboard.press("Tab")
        stop = page.evaluate(
            """() => {
                const at = document.activeElement;
                if (!at.closest('.qkv-demo')) return null;
                const ringed = [at, at.closest('label'), at.nextElementSibling].filter(Boolean);
                return {
                    name: at.name || at.dataset.field || at.outerHTML.slice(0, 120),
                    ring: ringed.map((node) => getComputedStyle(node)).some((style) =>
                        style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1),
                };
            }"""
        )
        if stop is None:
            break
        reached.append(stop)
        assert len(reached) < 100
    assert [stop["name"] for stop in reached if not stop["ring"]] == []
    fields = (
        element(page, name)
        .locator("[data-field]:visible")
        .evaluate_all("(all) => all.map((one) => one.name || one.dataset.field)")
    )
    assert set(fields) <= {stop["name"] for stop in reached}


@each_demo
def test_forced_colours_keep_the_sign_of_the_code(stand: Stand, name: str) -> None:
    page = stand(name, forced_colors="active")
    summary = element(page, name).locator("summary").last
    sign, ground = summary.evaluate(
        "(node) => [getComputedStyle(node, '::after').backgroundColor,"
        " getComputedStyle(document.body).backgroundColor]"
    )
    assert sign != ground


@each_demo
@each_language
def test_axe_finds_nothing(stand: Stand, name: str, language: Language) -> None:
    page = stand(name, language=language, reduced_motion="reduce")
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert violations(page, f"qkv-{name}") == []
    page.evaluate("document.body.dataset.mdColorScheme = 'slate'")
    assert violations(page, f"qkv-{name}", OF_COLOURS) == []


@each_live
@each_language
def test_axe_finds_nothing_in_any_state(
    stand: Stand, walk: Callable[[str, Language], Walk], name: str, language: Language
) -> None:
    states = walk(name, language).states()
    page = stand(name, language=language, width=390, reduced_motion="reduce")
    wait_until_live(page)
    seen = set()
    for moment in states:
        page.evaluate(f"(state) => {IN_PAGE}.set(state)", moment.state)
        look = page.evaluate(LOOK)
        rules = CHANGING if look in seen else ()
        assert violations(page, f"qkv-{name}", rules) == [], moment.state
        seen.add(look)


@each_live
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_all_states_are_readable(
    stand: Stand, walk: Callable[[str, Language], Walk], name: str, dark: bool
) -> None:
    # Wide, for axe passes over cells that a narrow table has scrolled out of sight.
    page = stand(name, dark=dark, reduced_motion="reduce")
    wait_until_live(page)
    seen = set()
    for moment in walk(name, "zh").states():
        page.evaluate(f"(state) => {IN_PAGE}.set(state)", moment.state)
        look = page.evaluate(LOOK)
        if look not in seen:
            assert violations(page, f"qkv-{name}", OF_COLOURS) == [], moment.state
        seen.add(look)


@each_live
def test_paper_has_all_of_it_in_any_state(
    stand: Stand, walk: Callable[[str, Language], Walk], name: str
) -> None:
    hidden = """(demo) => {
        const walker = document.createTreeWalker(demo, NodeFilter.SHOW_TEXT);
        const found = [];
        while (walker.nextNode()) {
            const { parentElement: parent, data } = walker.currentNode;
            if (parent.closest('script, details, [data-live], [role=status]')) continue;
            if (data.trim() !== '' && !parent.checkVisibility()) found.push(data.trim());
        }
        return found;
    }"""
    plain = stand(name, java_script_enabled=False)
    plain.emulate_media(media="print")
    wanted = len(element(plain, name).evaluate(hidden))
    live = stand(name)
    wait_until_live(live)
    live.emulate_media(media="print")
    for moment in walk(name, "zh").states():
        live.evaluate(f"(state) => {IN_PAGE}.set(state)", moment.state)
        found = element(live, name).evaluate(hidden)
        assert len(found) <= wanted, (moment.state, found)


@each_demo
@each_language
def test_the_code_prints_the_numbers_of_the_screen(
    stand: Stand, name: str, language: Language
) -> None:
    page = stand(name, language=language)
    decimal = re.compile(r"\d+\.\d+")
    output = snippet_of(*demos.snippet(name)).output
    printed = {abs(float(x)) for x in re.findall(r"\d+(?:\.\d+)?(?:e-?\d+)?", output)}
    printed.add(1.0)  # what all weights of a row add up to
    cells = element(page, name).locator("table td:visible").all_inner_texts()
    shown = {number for cell in cells for number in decimal.findall(cell)}
    missing = [
        x for x in shown if not any(round(y, len(x.split(".")[1])) == float(x) for y in printed)
    ]
    assert missing == []
