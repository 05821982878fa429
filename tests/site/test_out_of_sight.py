"""What is out of sight costs a page no time, and is there all the same."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.axe import violations
from tests.site.visit import BLOCKS, Site, let_all_come

LESSON = "lessons/02-qkv-lookup/"
# Of each block, from the top of the page.
PLACES = """(blocks) => blocks.map((one) => {
    const { top, height } = one.getBoundingClientRect()
    return [top + scrollY, height]
})"""
LEFT_OUT = "(blocks) => blocks.map((one) => getComputedStyle(one).contentVisibility === 'auto')"


def of_blocks(page: Page, asked: str) -> list[Any]:
    answer: list[Any] = page.locator(BLOCKS).evaluate_all(asked)
    return answer


@pytest.fixture
def lesson(visit: Site) -> Page:
    """The lesson when nothing is left to do."""
    page = visit(LESSON)
    let_all_come(page)
    return page


def test_at_the_start_what_is_out_of_sight_is_left_out(visit: Site) -> None:
    page = visit("404.html")
    # The page as it is before there is time for anything.
    page.add_init_script("window.requestIdleCallback = () => {}")
    page.goto(visit.address + LESSON)
    assert all(of_blocks(page, LEFT_OUT))


def test_until_the_reader_moves_nothing_out_of_sight_is_laid_out_or_covers_the_next_block(
    visit: Site,
) -> None:
    page = visit(LESSON, width=390)
    page.wait_for_load_state("networkidle")
    page.evaluate("() => new Promise((done) => requestIdleCallback(done))")
    assert all(of_blocks(page, LEFT_OUT))
    assert violations(page, rules=["target-size"]) == []


def test_soon_nothing_is_left_out(lesson: Page) -> None:
    assert len(of_blocks(lesson, LEFT_OUT)) > 40
    assert not any(of_blocks(lesson, LEFT_OUT))


def test_while_a_demo_is_used_the_rest_is_left_out_and_stays_where_it_is(lesson: Page) -> None:
    demo = lesson.locator("#roles")
    demo.locator("[role=tab]").first.click()
    lesson.mouse.click(5, 5)
    before = of_blocks(lesson, PLACES)
    assert not any(of_blocks(lesson, LEFT_OUT))
    demo.locator("[role=tab]").first.focus()
    assert all(of_blocks(lesson, LEFT_OUT))
    lesson.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    during = of_blocks(lesson, PLACES)
    for place, other in zip(before, during, strict=True):
        assert other == pytest.approx(place, abs=1)
    lesson.locator("article > p a").last.focus()
    assert not any(of_blocks(lesson, LEFT_OUT))
    for outside in ("header input", "footer a"):
        demo.locator("[role=tab]").first.focus()
        assert any(of_blocks(lesson, LEFT_OUT))
        lesson.locator(outside).first.focus()
        assert not any(of_blocks(lesson, LEFT_OUT))


def test_what_is_left_out_waits_until_the_demo_is_no_longer_used(visit: Site) -> None:
    page = visit("404.html")
    page.add_init_script(
        """window.waiting = [];
        window.requestIdleCallback = (next) => {
            waiting.push(() => next({ timeRemaining: () => 0 }));
        };"""
    )
    page.goto(visit.address + LESSON)
    laid_out = page.locator("article > .qkv-laid-out")
    page.keyboard.press("Shift")
    page.wait_for_function("waiting.length > 0")
    page.evaluate("waiting.shift()()")
    assert laid_out.count() == 1
    demo = page.locator("#roles.qkv-demo--live [role=tab]").first
    demo.focus()
    page.evaluate("waiting.splice(0).forEach((next) => next())")
    assert laid_out.count() == 1
    assert page.evaluate("waiting.length") == 0
    page.locator("article > p a").first.focus()
    page.evaluate("while (waiting.length > 0) waiting.shift()()")
    assert not any(of_blocks(page, LEFT_OUT))


def test_where_the_place_would_be_lost_nothing_is_left_out(visit: Site) -> None:
    # The conditions around each rule that leaves something out.
    conditions = visit("").evaluate(
        """() => {
            const sheets = [...document.styleSheets].filter(({ href }) => href.includes("qkvdocs"))
            const found = (rules, around) => [...rules].flatMap((rule) =>
                (rule.style?.contentVisibility === "auto" ? [around] : [])
                    .concat(found(rule.cssRules ?? [], [...around, rule.conditionText])))
            return sheets.flatMap(({ cssRules }) => found(cssRules, []))
        }"""
    )
    assert len(conditions) == 1
    assert "(overflow-anchor: auto)" in conditions[0]


def test_without_scripts_and_on_paper_nothing_is_left_out(visit: Site) -> None:
    plain, printed = visit(LESSON, java_script_enabled=False), visit(LESSON)
    printed.add_init_script("window.requestIdleCallback = () => {}")
    printed.reload()
    printed.emulate_media(media="print")
    for page in (plain, printed):
        assert not any(of_blocks(page, LEFT_OUT))
