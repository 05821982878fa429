"""The shopping list: what is shown at each length is what the state, read anew, answers."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page

from qkvdocs import demos
from qkvdocs.attention import attention
from qkvdocs.demos import number
from qkvdocs.experiments import SHOPPING, WIDTH, signs
from qkvdocs.languages import LANGUAGES, Language
from qkvdocs.markdown.snippet import snippet_of
from tests.demos.stand import Stand

LENGTHS = (4, 8, 12, 16, 24, 32, 40, 48)


def opened(stand: Stand, length: int, language: Language = "en", **options: object) -> Page:
    page = stand("forgetting", language=language, hash=f"#forgetting?length={length}", **options)
    page.locator("qkv-forgetting.qkv-demo--live").wait_for()
    return page


def read_back(n: int) -> tuple[list[int], list[int]]:
    """Read the list back by the formulas of the lesson: from the state, and by attention."""
    rng = np.random.default_rng(0)
    codes, keys = signs(48, rng), signs(48, rng)[:n]
    state = sum(np.outer(key, value) for key, value in zip(keys, codes[:n], strict=True))
    answers = (keys @ state, attention(keys, keys, codes[:n]))
    by_state, by_attention = ((answer @ codes.T).argmax(axis=1).tolist() for answer in answers)
    return by_state, by_attention


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("place", [0, 2, 7])
def test_the_list_is_what_the_state_answers(stand: Stand, place: int, language: Language) -> None:
    page = opened(stand, place, language)
    n = LENGTHS[place]
    shown = page.locator("[data-length]:visible li").all()
    assert len(shown) == n
    by_state, _ = read_back(n)
    for index, (item, read) in enumerate(zip(shown, by_state, strict=True)):
        word = SHOPPING[index][language]
        struck = item.locator("s").all_inner_texts()
        answer = item.locator("strong").all_inner_texts()
        assert (struck, answer) == (
            ([], []) if read == index else ([word], [SHOPPING[read][language]])
        )
        assert word in item.inner_text()


def test_the_table_counts_what_is_read_back(stand: Stand) -> None:
    page = opened(stand, 0)
    rows = page.locator("[data-row]").all()
    assert len(rows) == len(LENGTHS)
    for n, row in zip(LENGTHS, rows, strict=True):
        by_state, by_attention = read_back(n)
        mean, state, found, kept = (int(x) for x in row.locator("td").all_inner_texts())
        assert state == sum(read == place for place, read in enumerate(by_state))
        assert found == sum(read == place for place, read in enumerate(by_attention))
        assert mean <= 1, "the mean has one answer, and no word stands twice"
        assert kept == 2 * n * WIDTH


def test_the_numbers_that_never_grow_are_named(stand: Stand) -> None:
    caption = opened(stand, 0).locator("caption").inner_text()
    assert re.findall(r"\d+", caption) == [str(WIDTH), str(WIDTH**2)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_arrow_keys_lengthen_the_list_and_say_what_is_left(
    stand: Stand, language: Language
) -> None:
    page = opened(stand, 0, language)
    slider = page.get_by_role("slider")
    slider.focus()
    for n in LENGTHS:
        by_state, by_attention = read_back(n)
        said = page.locator("[role=status]").inner_text()
        for count in (
            n,
            sum(read == place for place, read in enumerate(by_state)),
            sum(read == place for place, read in enumerate(by_attention)),
            WIDTH**2,
            2 * n * WIDTH,
        ):
            assert number(count, 0) in re.findall(r"\d+", said)
        assert slider.get_attribute("aria-valuetext") == str(n)
        assert page.locator("[data-length]:visible").count() == 1
        marked = page.locator(".qkv-forgetting__current th").all_inner_texts()
        assert marked == [str(n)]
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    assert slider.get_attribute("aria-valuetext") == str(LENGTHS[0])


def test_the_code_prints_every_count_on_the_screen(stand: Stand) -> None:
    printed = set(re.findall(r"\d+", snippet_of(*demos.snippet("forgetting")).output))
    cells = opened(stand, 0).locator("[data-row] td").all_inner_texts()
    assert set(cells) - printed == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_a_script_every_list_is_there(stand: Stand, language: Language) -> None:
    page = stand("forgetting", language=language, java_script_enabled=False)
    assert page.locator("[data-length]:visible").count() == len(LENGTHS)
    assert page.locator("[data-length] li:visible").count() == sum(LENGTHS)
