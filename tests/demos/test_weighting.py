"""Plain and weighted means: every number, in every state, is that of qkvdocs."""

import re
from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose
from playwright.sync_api import Locator, Page

from qkvdocs import demos
from qkvdocs.attention import attention_weights
from qkvdocs.demos import number
from qkvdocs.examples import engineer
from qkvdocs.experiments import ASKING, translation
from qkvdocs.languages import LANGUAGES, Language
from qkvdocs.markdown.snippet import snippet_of
from tests.demos.stand import Stand

STATES = list(product(range(4), (0, 1, 4, 8)))


def opened(
    stand: Stand, target: int, strength: int, language: Language = "en", **options: object
) -> Page:
    state = f"#weighting?target={target}&strength={strength}"
    page = stand("weighting", language=language, hash=state, **options)
    page.locator("qkv-weighting.qkv-demo--live").wait_for()
    return page


def cells(table: Locator) -> list[list[str]]:
    return [row.locator("td").all_inner_texts() for row in table.locator("tbody tr").all()]


def short(x: float) -> str:
    return number(x, next(digits for digits in (0, 1, 2) if round(x, digits) == round(x, 2)))


@pytest.mark.parametrize(("target", "strength"), STATES)
def test_shares_and_means_are_those_of_the_question(
    stand: Stand, target: int, strength: int
) -> None:
    page = opened(stand, target, strength)
    scale, h = strength / 4, engineer.x
    scores = h @ ASKING[target] * scale
    weights = attention_weights(ASKING[[target]], h, scale=scale)[0]
    shares, means = page.locator(".qkv-weighting__pair table").all()
    *rows, total = cells(shares)
    assert rows == [[short(e), number(a)] for e, a in zip(scores, weights, strict=True)]
    adds = number(sum(round(weight, 2) for weight in weights)) == "1.00"
    assert total == ["", f"{'=' if adds else '≈'} 1.00"]
    pairs = zip(h.mean(axis=0), weights @ h, strict=True)
    assert cells(means) == [[number(plain), number(weighted)] for plain, weighted in pairs]
    heats = page.locator(".qkv-weighting__pair .qkv-heat").evaluate_all(
        "(cells) => cells.map((cell) => Number(cell.style.getPropertyValue('--heat')))"
    )
    assert_allclose(heats, weights, atol=1e-4)


def test_at_strength_0_every_word_gets_the_plain_mean(stand: Stand) -> None:
    said = set()
    for target in range(4):
        page = opened(stand, target, 0)
        for plain, weighted in cells(page.locator(".qkv-weighting__pair table").last):
            assert plain == weighted
        said.add(page.locator("[role=status]").inner_text())
    assert len(said) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_says_which_state_counts_most(stand: Stand, language: Language) -> None:
    made = translation()
    for target, word in enumerate(made.target):
        said = opened(stand, target, 4, language).locator("[role=status]").inner_text()
        best = int(made.a[target].argmax())
        most = int(made.c[target].argmax())
        assert word.en in said
        assert f"“{made.source[best][language]}”" in said
        assert f"“{engineer.dimensions[most][language]}”" in said
        assert number(made.a[target, best]) in said
        assert number(made.c[target, most]) in said


def test_the_keyboard_reaches_words_and_strengths(stand: Stand) -> None:
    page = opened(stand, 0, 4)
    slider = page.get_by_role("slider")
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert slider.get_attribute("aria-valuetext") == "1.25"
    page.keyboard.press("Home")
    assert slider.get_attribute("aria-valuetext") == "0"
    page.get_by_role("radio", name="engineer").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.get_by_role("radio", name="in 在").is_checked()


def test_the_code_prints_every_number_of_strength_1(stand: Stand) -> None:
    output = snippet_of(*demos.snippet("weighting")).output
    printed = {float(x) for x in re.findall(r"\d+\.\d+", output)} | {1.0}
    for target in range(4):
        page = opened(stand, target, 4)
        shown = [x for table in page.locator("table:visible").all() for x in cells(table)]
        found = {float(x) for row in shown for cell in row for x in re.findall(r"\d+\.?\d*", cell)}
        assert found - printed - set(np.unique(engineer.x)) == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_a_script_all_four_words_have_their_numbers(
    stand: Stand, language: Language
) -> None:
    page = stand("weighting", language=language, java_script_enabled=False)
    shares, means = page.locator(".qkv-weighting__all table:visible").all()
    made = translation()
    assert [row[:4] for row in cells(shares)] == [[number(x) for x in row] for row in made.a]
    columns = np.vstack([made.mean, made.c])  # (5, 5): the plain mean, then one for each word
    assert cells(means) == [[number(x) for x in row] for row in columns.T]
