"""What every demo keeps, found by its folder: a new demo is held to it from its first day."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page

from qkvdocs import demos
from qkvdocs.languages import LANGUAGES, Language
from qkvdocs.markdown.snippet import check, snippet_of
from tests.demos.stand import ASSETS, Stand

NAMES = demos.names()
LIVE = [name for name in NAMES if (demos.FOLDER / name / "element.js").is_file()]

each_demo = pytest.mark.parametrize("name", NAMES)
each_live = pytest.mark.parametrize("name", LIVE)
each_language = pytest.mark.parametrize("language", LANGUAGES)


def element(page: Page, name: str) -> Any:
    return page.locator(f"qkv-{name}").first


def shown_text(page: Page, name: str) -> str:
    return str(element(page, name).inner_text())


def wait_until_live(page: Page) -> None:
    page.wait_for_function(
        "[...document.querySelectorAll('.qkv-demo')]"
        ".every((demo) => demo.classList.contains('qkv-demo--live'))"
    )


@each_demo
def test_the_snippet_prints_what_it_promises(name: str) -> None:
    check(snippet_of(*demos.snippet(name)))


@each_demo
def test_both_languages_have_the_same_places_for_the_same_values(name: str) -> None:
    found = [
        sorted(re.findall(r"\{\w+\}", text))
        for language in LANGUAGES
        for text in demos.load(name, language).labels.values()
    ]
    half = len(found) // 2
    assert found[:half] == found[half:]


@each_demo
@each_language
def test_without_a_script_nothing_is_missing_and_nothing_is_idle(
    stand: Stand, name: str, language: Language
) -> None:
    page = stand(name, language=language, java_script_enabled=False)
    labels = demos.load(name, language).labels
    text = shown_text(page, name)
    assert labels["title"] in text
    assert labels["provenance"] in text
    assert element(page, name).locator("table").first.is_visible()
    idle = "input:visible, select:visible, button:visible, [role=tab]:visible"
    assert element(page, name).locator(idle).count() == 0


@each_demo
@each_language
def test_the_words_of_a_token_say_their_language(
    stand: Stand, name: str, language: Language
) -> None:
    page = stand(name, language=language, java_script_enabled=False)
    for part in element(page, name).locator(".qkv-token > span").all():
        has_chinese = bool(re.search("[一-鿿]", part.text_content() or ""))
        assert has_chinese == (part.get_attribute("lang") == "zh")


@each_live
def test_no_script_holds_words_for_the_reader(name: str) -> None:
    code = (demos.FOLDER / name / "element.js").read_text(encoding="utf-8")
    assert not re.search("[一-鿿]", code)
    assert not re.search(r"\b(innerHTML|outerHTML|insertAdjacentHTML|eval)\b", code)


@each_live
@each_language
def test_the_script_says_its_state_in_one_place(
    stand: Stand, name: str, language: Language
) -> None:
    page = stand(name, language=language)
    wait_until_live(page)
    status = element(page, name).locator("[role=status]")
    assert status.count() == 1
    assert len(status.inner_text()) > 5
    assert "{" not in status.inner_text()


@each_live
def test_junk_in_the_address_changes_nothing(stand: Stand, name: str) -> None:
    page = stand(name)
    wait_until_live(page)
    initial = shown_text(page, name)
    for junk in (f"{name}?%E0%A4%A", f"{name}?__proto__=1&toString=2&a=", "%E0%A4%A?a=2"):
        page = stand(name, hash=f"#{junk}")
        wait_until_live(page)
        assert shown_text(page, name) == initial
    fields = list(page.evaluate("Object.keys(document.querySelector('.qkv-demo').state)"))
    for value in ("-1", "9999", "1.5", "NaN", "", "%00", "<b>"):
        for field in fields:
            page.evaluate("(hash) => { location.hash = hash; }", f"{name}?{field}={value}")
    taken = page.evaluate("document.querySelector('.qkv-demo').state")
    words = [value for value in taken.values() if isinstance(value, str)]
    assert element(page, name).locator("b").count() == 0
    assert not {"-1", "9999", "1.5", "NaN"} & set(words)


@each_live
def test_a_second_copy_and_a_closed_fold_and_a_move_do_no_harm(stand: Stand, name: str) -> None:
    page = stand(name, name, body="<details><summary>more</summary>{}</details>")
    wait_until_live(page)
    first, second = page.locator(f"qkv-{name}").all()
    page.evaluate("document.querySelector('details').open = true")
    assert first.inner_text() == second.inner_text()
    page.evaluate("document.querySelector('section').append(document.querySelector('.qkv-demo'))")
    wait_until_live(page)
    assert first.inner_text() == second.inner_text()
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((node) => node.id)")
    assert len(ids) == len(set(ids))


@each_live
def test_a_script_that_fails_or_never_comes_leaves_the_content(any_stand: Stand, name: str) -> None:
    plain = shown_text(any_stand(name, java_script_enabled=False), name)
    for path in ("demo.js", f"demos/{name}/element.js"):
        for fault in ("broken", "missing"):
            any_stand.faults.clear()
            page = any_stand(name, **{fault: [f"{ASSETS}/{path}"]})
            page.wait_for_load_state()
            assert shown_text(page, name) == plain
            assert any_stand.faults != []


@each_live
def test_data_that_does_not_fit_leaves_the_content(any_stand: Stand, name: str) -> None:
    plain = shown_text(any_stand(name, java_script_enabled=False), name)
    page = any_stand(name)
    wait_until_live(page)
    page.evaluate(
        """() => {
            const copy = document.querySelector('.qkv-demo').cloneNode(true);
            copy.querySelector(':scope > script').textContent = '{"data":{},"labels":{}}';
            document.querySelector('.qkv-demo').replaceWith(copy);
        }"""
    )
    assert shown_text(page, name) == plain
    assert any_stand.faults != []


@each_demo
@each_language
def test_a_narrow_page_does_not_scroll_sideways(
    stand: Stand, name: str, language: Language
) -> None:
    for enabled in (True, False):
        page = stand(name, language=language, width=320, java_script_enabled=enabled)
        if enabled and name in LIVE:
            wait_until_live(page)
        box = element(page, name).bounding_box()
        # A matrix may be wider than its own box, which scrolls.
        parts = ".qkv-scroll:visible, :not(.qkv-scroll) > table:visible, math:visible"
        for part in element(page, name).locator(parts).all():
            edge = part.bounding_box()
            assert edge["x"] + edge["width"] <= box["x"] + box["width"] + 0.5
        assert page.viewport_size["width"] == 320
        assert box["x"] + box["width"] <= 320


@each_live
@each_language
def test_targets_are_large_enough_for_a_finger(stand: Stand, name: str, language: Language) -> None:
    page = stand(name, language=language, width=390)
    wait_until_live(page)
    for target in element(page, name).locator("button:visible, label:has(input):visible").all():
        box = target.bounding_box()
        assert box["height"] >= 43.9 and box["width"] >= 43.9, target.inner_text()


@each_live
def test_print_shows_what_a_page_without_a_script_shows(stand: Stand, name: str) -> None:
    plain = stand(name, java_script_enabled=False)
    plain.emulate_media(media="print")
    live = stand(name)
    wait_until_live(live)
    live.emulate_media(media="print")
    assert shown_text(live, name) == shown_text(plain, name)


@each_live
def test_nothing_moves_for_those_who_ask_for_stillness(stand: Stand, name: str) -> None:
    moving = """() => [...document.querySelectorAll('.qkv-demo *')].map((node) =>
        Math.max(...getComputedStyle(node).transitionDuration.split(',').map(parseFloat)))"""
    assert max(stand(name).evaluate(moving)) <= 0.2
    assert max(stand(name, reduced_motion="reduce").evaluate(moving)) == 0
