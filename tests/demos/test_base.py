"""assets/demo.js: the parts that all demos share."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from qkvdocs.demos import number
from qkvdocs.demos.parts import equals_sign
from tests.demos.stand import ASSETS, Stand
from tests.demos.test_contract import wait_until_live


@pytest.fixture
def call(stand: Stand) -> Callable[[str, list[list[Any]]], list[Any]]:
    """Call a function of demo.js once for each list of arguments."""
    page = stand("roles")

    def calls(function: str, cases: list[list[Any]]) -> list[Any]:
        script = f"""async ([name, cases]) => {{
            const base = await import("./{ASSETS}/demo.js");
            return cases.map((values) => base[name](...values));
        }}"""
        return list(page.evaluate(script, [function, cases]))

    return calls


def test_numbers_look_as_the_built_page_has_them(call: Callable[..., list[Any]]) -> None:
    random = np.random.default_rng(6)
    ties = (random.integers(-4000, 4000, 400) / 8).tolist()
    others = (random.uniform(-10, 10, 400) * 10.0 ** random.integers(-4, 3, 400)).tolist()
    cases = [(x, digits) for x in [*ties, *others, -0.0] for digits in (0, 1, 2, 4)]
    assert call("number", [list(case) for case in cases]) == [number(x, d) for x, d in cases]


def test_a_number_without_digits_has_as_many_as_it_needs_up_to_two(
    call: Callable[..., list[Any]],
) -> None:
    found = call("number", [[2], [-0.5], [1.25], [2**0.5], [-0.0]])
    assert found == ["2", "−0.5", "1.25", "1.41", "0"]


def test_a_sum_of_rounded_numbers_says_whether_it_is_one(call: Callable[..., list[Any]]) -> None:
    random = np.random.default_rng(7)
    rows = [(random.integers(-300, 300, 4) / 8).tolist() for _ in range(200)]
    rows += [random.uniform(-2, 2, 3).tolist() for _ in range(200)]
    wanted = [equals_sign(row, sum(row), digits=2) for row in rows]
    assert call("equalsSign", [[row, sum(row), 2] for row in rows]) == wanted
    assert set(wanted) == {"=", "≈"}


SLOTS = """
<p id="vector" data-at="v" data-digits="1"></p>
<table><tbody><tr data-cells="m.1" data-digits="2"><th></th><td>0</td><td class="qkv-heat">0</td>
<td id="rest">as it was</td></tr></tbody></table>"""


def test_an_array_fills_a_vector_or_the_cells_of_a_row(stand: Stand) -> None:
    page = stand("roles")
    wait_until_live(page)
    page.evaluate(
        "(html) => document.querySelector('qkv-roles').insertAdjacentHTML('beforeend', html)", SLOTS
    )
    page.evaluate(
        "document.querySelector('qkv-roles').fill({ v: [0.25, -1], m: [[], [-0.5, 0.125]] })"
    )
    assert page.locator("#vector").text_content() == "(0.2, −1.0)"
    row = page.locator("[data-cells]")
    assert row.locator("td").all_text_contents() == ["−0.50", "0.12", "as it was"]
    assert (
        row.locator(".qkv-heat").evaluate("(td) => td.style.getPropertyValue('--heat')") == "0.1250"
    )


def test_a_label_gets_its_values(call: Callable[..., list[Any]]) -> None:
    assert call("sentence", [["{a} and {b}: {a}", {"a": 1, "b": "$&"}]]) == ["1 and $&: 1"]


def status(page: Page) -> str:
    return page.locator("qkv-stepper [role=status]").first.inner_text()


def test_a_link_to_a_state_opens_the_fold_and_shows_it(stand: Stand) -> None:
    page = stand(
        "stepper",
        language="en",
        hash="#stepper?step=3&query=2",
        body='<p style="height:3000px"></p><details><summary>more</summary>{}</details>',
    )
    wait_until_live(page)
    assert status(page) == "3/6: “works” has the highest score, 6."
    assert page.locator("qkv-stepper").evaluate("(demo) => demo.getBoundingClientRect().y") < 200


def test_a_link_in_the_page_changes_the_state(stand: Stand) -> None:
    page = stand("stepper", "roles", language="en")
    wait_until_live(page)
    page.evaluate("location.hash = '#stepper?step=1'")
    page.wait_for_function("document.querySelector('[role=status]').textContent.startsWith('1')")
    page.evaluate("location.hash = '#roles?role=key'")
    page.locator("[role=tab][aria-selected=true]", has_text="title").wait_for()
    assert status(page).startswith("1/6")


def test_the_address_holds_the_state_of_the_demo_last_used(stand: Stand) -> None:
    page = stand("stepper", "roles", language="en")
    wait_until_live(page)
    assert "#" not in page.url
    length = page.evaluate("history.length")
    page.get_by_role("button", name="Next").click()
    assert page.url.endswith("#stepper?step=1&query=0&scaled=0")
    page.get_by_role("tab", name="content").click()
    assert page.url.endswith("#roles?role=value")
    assert page.evaluate("history.length") == length


def test_many_changes_write_the_address_seldom_and_end_right(stand: Stand) -> None:
    page = stand("stepper")
    wait_until_live(page)
    page.evaluate(
        "() => { window.written = 0; const write = history.replaceState.bind(history);"
        "history.replaceState = (...all) => { window.written += 1; write(...all); }; }"
    )
    page.evaluate(
        """() => { const slider = document.querySelector('[type=range]');
        for (let i = 0; i < 60; i += 1) {
            slider.value = i % 7;
            slider.dispatchEvent(new Event('input', { bubbles: true }));
        } }"""
    )
    page.wait_for_function("location.hash.includes('step=3')")
    assert page.evaluate("window.written") <= 2


def test_each_copy_has_an_address_of_its_own(stand: Stand) -> None:
    page = stand("stepper", "stepper", hash="#stepper-2?step=2")
    wait_until_live(page)
    first, second = page.locator("qkv-stepper [role=status]").all_inner_texts()
    assert first.startswith("0/6") and second.startswith("2/6")


def test_copies_do_not_share_their_radios(stand: Stand) -> None:
    page = stand("stepper", "stepper", language="en")
    wait_until_live(page)
    page.locator("qkv-stepper").nth(1).get_by_role("radio", name="California").check()
    assert page.locator("qkv-stepper").nth(0).get_by_role("radio", name="engineer").is_checked()


def test_a_demo_outside_the_page_hears_nothing(stand: Stand) -> None:
    page = stand("stepper")
    wait_until_live(page)
    page.evaluate("() => { window.demo = document.querySelector('.qkv-demo'); demo.remove(); }")
    before = page.evaluate("demo.textContent")
    page.evaluate("location.hash = '#stepper?step=5'")
    page.evaluate("demo.querySelector('[data-move=\"1\"]').click()")
    page.wait_for_timeout(50)
    assert page.evaluate("demo.textContent") == before
    page.evaluate("document.querySelector('section').append(demo)")
    page.locator("[data-move='1']").click()
    assert page.locator("[role=status]").inner_text().startswith("1/6")


def test_an_error_on_the_way_gives_the_content_back(any_stand: Stand) -> None:
    page = any_stand("stepper", language="en")
    wait_until_live(page)
    page.evaluate("document.querySelector('.qkv-demo').data.queries[1] = {}")
    page.get_by_role("radio", name="in", exact=False).nth(1).check()
    assert page.locator("input:visible, button:visible").count() == 0
    assert page.locator("li.qkv-demo__step:visible").count() == 6
    assert any_stand.faults != []
