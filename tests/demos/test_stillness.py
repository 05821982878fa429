"""What is below a demo stays where it is while the demo is used, and the demo always fits."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page

from tests.demos.stand import Stand
from tests.demos.test_contract import wait_until_live

BELOW = '{}<p id="below">below</p>'


@pytest.fixture
def page(stand: Stand) -> Iterator[Page]:
    # The list of this demo grows by hundreds of pixels.
    page = stand("forgetting", language="en", body=BELOW)
    wait_until_live(page)
    yield page
    assert_fits(page)


def wait_for_frame(page: Page) -> None:
    """Wait until the demo has been told how high its frame is, which a frame of the page does."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")


def assert_fits(page: Page) -> None:
    wait_for_frame(page)
    overhang = page.locator("qkv-forgetting").evaluate(
        """(demo) => {
            const style = getComputedStyle(demo);
            const inner = demo.getBoundingClientRect().bottom
                - parseFloat(style.paddingBottom) - parseFloat(style.borderBottomWidth);
            return demo.firstElementChild.getBoundingClientRect().bottom - inner;
        }"""
    )
    assert overhang < 1


def place_below(page: Page) -> float:
    wait_for_frame(page)
    return float(page.locator("#below").evaluate("(it) => it.getBoundingClientRect().y + scrollY"))


def slider(page: Page) -> Locator:
    return page.locator("input[type=range]")


def test_a_demo_keeps_the_room_it_has_needed(page: Page) -> None:
    short = place_below(page)
    slider(page).press("End")
    long = place_below(page)
    assert long > short + 200
    assert_fits(page)
    slider(page).press("Home")
    assert place_below(page) == long


def test_another_width_asks_for_other_room(page: Page) -> None:
    slider(page).press("End")
    page.set_viewport_size({"width": 360, "height": 900})
    narrow = place_below(page)
    assert_fits(page)
    page.set_viewport_size({"width": 1280, "height": 900})
    assert place_below(page) < narrow


def test_a_part_that_is_closed_gives_its_room_back(page: Page) -> None:
    before = place_below(page)
    fold = page.locator("summary")
    fold.click()
    page.wait_for_function(
        "(before) => document.querySelector('#below').getBoundingClientRect().y"
        " + scrollY > before + 50",
        arg=before,
    )
    assert_fits(page)
    fold.click()
    page.wait_for_function(
        "(before) => Math.abs(document.querySelector('#below').getBoundingClientRect().y"
        " + scrollY - before) < 1",
        arg=before,
    )


def test_paper_has_the_room_that_all_the_content_needs(page: Page) -> None:
    slider(page).press("End")
    slider(page).press("Home")
    on_screen = place_below(page)
    page.emulate_media(media="print")
    assert page.locator("qkv-forgetting").evaluate("(it) => getComputedStyle(it).contain") == "none"
    assert place_below(page) != on_screen
    assert_fits(page)
    page.emulate_media(media="screen")


def test_a_demo_that_is_taken_out_and_put_back_fits(page: Page) -> None:
    page.evaluate(
        """() => {
            const demo = document.querySelector("qkv-forgetting");
            demo.remove();
            document.querySelector("#below").before(demo);
        }"""
    )
    slider(page).press("End")
    long = place_below(page)
    slider(page).press("Home")
    assert place_below(page) == long


def test_a_demo_that_gives_up_has_the_height_of_its_content(any_stand: Stand) -> None:
    page = any_stand("stepper", language="en", body=BELOW)
    wait_until_live(page)
    page.evaluate("document.querySelector('.qkv-demo').data.queries[1] = {}")
    page.get_by_role("radio", name="in", exact=False).nth(1).check()
    demo = page.locator("qkv-stepper")
    assert demo.evaluate("(it) => it.style.blockSize") == ""
    assert demo.evaluate("(it) => it.scrollHeight - it.clientHeight") <= 0
    assert any_stand.faults != []
