"""When the scripts of a page's demos are fetched, and when its demos become widgets."""

import re

import pytest
from playwright.sync_api import Page

from tests.site.visit import Site

LESSON = "lessons/02-qkv-lookup/"
# Far from the top of the lesson, and from each other.
MIDDLE, LAST = "projections", "self-attention"

LIVE = "[...document.querySelectorAll('.qkv-demo--live')].map((demo) => demo.id)"
ALL_LIVE = "[...document.querySelectorAll('.qkv-demo')].every((one) => one.state !== undefined)"


def scripts_of(page: Page) -> list[str]:
    """The demos whose scripts the page has asked for so far."""
    names: list[str] = page.evaluate(
        "performance.getEntriesByType('resource').map((entry) => entry.name)"
    )
    return re.findall(r"demos/([a-z-]+)/element\.js", " ".join(names))


@pytest.fixture
def lesson(visit: Site) -> Page:
    page = visit(LESSON)
    page.wait_for_load_state("networkidle")
    return page


def test_far_from_a_demo_its_script_is_not_fetched(lesson: Page) -> None:
    assert LAST not in scripts_of(lesson)
    assert LAST not in lesson.evaluate(LIVE)


def test_a_demo_is_live_before_it_is_in_sight(lesson: Page) -> None:
    above = "(demo) => scrollTo(0, demo.offsetTop - 1.4 * innerHeight)"
    lesson.locator(f"#{LAST}").evaluate(above)
    lesson.locator(f"#{LAST}.qkv-demo--live").wait_for(state="attached")
    assert not lesson.locator(f"#{MIDDLE}").evaluate("demo => demo.matches('.qkv-demo--live')")


def test_a_demo_that_the_address_names_is_live_at_once(visit: Site) -> None:
    page = visit(f"{LESSON}#{LAST}?asking=1")
    page.locator(f"#{LAST}.qkv-demo--live").wait_for(state="attached")
    page.evaluate(f"location.hash = '{MIDDLE}?token=1'")
    page.locator(f"#{MIDDLE}.qkv-demo--live").wait_for(state="attached")


@pytest.mark.parametrize("sign", ["keydown", "focusin"])
def test_who_goes_by_keys_finds_all_demos_live(lesson: Page, sign: str) -> None:
    if sign == "keydown":
        lesson.keyboard.press("Shift")
    else:
        lesson.locator("article a[href]").first.focus()
    lesson.wait_for_function(ALL_LIVE)


@pytest.mark.parametrize("sign", ["scroll", "pointermove"])
def test_the_first_sign_of_a_reader_fetches_the_rest_but_does_not_run_it(
    lesson: Page, sign: str
) -> None:
    with lesson.expect_response(f"**/demos/{LAST}/element.js"):
        if sign == "scroll":
            lesson.evaluate("scrollBy(0, 1)")
        else:
            lesson.mouse.move(100, 100)
    assert LAST not in lesson.evaluate(LIVE)


def test_where_the_place_would_be_lost_all_demos_are_live_from_the_start(visit: Site) -> None:
    page = visit("404.html")
    page.add_init_script("CSS.supports = (property) => property !== 'overflow-anchor'")
    page.goto(visit.address + LESSON)
    page.wait_for_function(ALL_LIVE)


def test_the_place_is_kept_when_a_demo_above_becomes_a_widget(lesson: Page) -> None:
    lesson.set_viewport_size({"width": 1280, "height": 720})
    held = lesson.locator(f"#{LAST} ~ h2, #{LAST} ~ p").first
    held.evaluate("place => place.scrollIntoView()")
    lesson.locator(f"#{LAST}.qkv-demo--live").wait_for(state="attached")
    settled = "() => new Promise((done) => setTimeout(() => requestAnimationFrame(done), 300))"
    lesson.evaluate(settled)
    assert held.evaluate("place => place.getBoundingClientRect().top") == pytest.approx(0, abs=90)
