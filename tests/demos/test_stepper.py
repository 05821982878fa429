"""The stepper: every number in every state is that of qkvdocs, and every way to walk works."""

import ast
import re
from itertools import product

import numpy as np
import pytest
from playwright.sync_api import Locator, Page

from qkvdocs import demos
from qkvdocs.demos import number
from qkvdocs.examples import Sentence, engineer
from qkvdocs.languages import LANGUAGES, Language
from qkvdocs.markdown.snippet import snippet_of
from tests.demos.stand import Stand
from tests.demos.test_contract import wait_until_live

STATES = list(product(range(4), (False, True)))


def sentence_for(scaled: bool) -> Sentence:
    return engineer.scaled if scaled else engineer


def short(x: float) -> str:
    return number(x, 0 if x == round(x) else 1 if x == round(x, 1) else 2)


def vector(xs: np.ndarray, digits: int | None = None) -> str:
    return f"({', '.join(short(x) if digits is None else number(x, digits) for x in xs)})"


def opened(stand: Stand, step: int, query: int, scaled: bool, language: Language = "en") -> Page:
    page = stand(
        "stepper", language=language, hash=f"#stepper?step={step}&query={query}&scaled={scaled:d}"
    )
    wait_until_live(page)
    return page


def rows(table: Locator, selector: str = "tbody tr") -> list[list[str]]:
    """The cells of a table's body, each as its words with single spaces."""
    return [
        [" ".join(cell.split()) for cell in row.locator("td:visible").all_inner_texts()]
        for row in table.locator(selector).all()
    ]


@pytest.mark.parametrize(("query", "scaled"), STATES)
def test_the_stage_shows_the_lookup_of_whoever_asks(stand: Stand, query: int, scaled: bool) -> None:
    sentence = sentence_for(scaled)
    page = opened(stand, 6, query, scaled)
    asked, keys, scores, weights, values, output = rows(page.locator(".qkv-demo__stage"))
    assert asked == ["" if i != query else vector(sentence.q[query]) for i in range(4)]
    assert keys == [vector(key) for key in sentence.k]
    assert scores == [short(score) for score in sentence.scores[query]]
    assert weights == [number(weight) for weight in sentence.weights[query]]
    assert values == [vector(value) for value in sentence.v]
    assert output == ["" if i != query else vector(sentence.output[query], 2) for i in range(4)]
    heats = page.locator(".qkv-demo__stage .qkv-heat").evaluate_all(
        "(cells) => cells.map((cell) => Number(cell.style.getPropertyValue('--heat')))"
    )
    assert np.allclose(heats, sentence.weights[query], atol=1e-4)


@pytest.mark.parametrize(("query", "scaled"), STATES)
def test_the_products_of_each_dot_product_are_spelled_out(
    stand: Stand, query: int, scaled: bool
) -> None:
    sentence = sentence_for(scaled)
    page = opened(stand, 3, query, scaled)
    found = rows(page.locator("[data-step='3'] table"))
    for row, key, score in zip(found, sentence.k, sentence.scores[query], strict=True):
        spelled, total = row[0].replace("−", "-").split(" = ")
        factors = [
            [float(ast.literal_eval(factor)) for factor in part.split(" × ")]
            for part in spelled.split(" + ")
        ]
        assert factors == [list(pair) for pair in zip(sentence.q[query], key, strict=True)]
        assert float(total) == float(sentence.q[query] @ key)
        assert row[1:] == ([short(score)] if scaled else [])


@pytest.mark.parametrize(("query", "scaled"), STATES)
def test_softmax_shows_powers_shares_and_their_totals(
    stand: Stand, query: int, scaled: bool
) -> None:
    sentence = sentence_for(scaled)
    grown, weights = np.exp(sentence.scores[query]), sentence.weights[query]
    page = opened(stand, 4, query, scaled)
    *found, totals = rows(page.locator("[data-step='4'] table"))
    total = number(grown.sum())
    for row, score, power, weight in zip(
        found, sentence.scores[query], grown, weights, strict=True
    ):
        assert row == [
            f"e{short(score)} {number(power)}",
            f"{number(power)} ÷ {total} {number(weight)}",
        ]
    adds = sum(float(number(power)) for power in grown)
    assert totals == [f"{'=' if number(adds) == total else '≈'} {total}", "= 1.00"]
    assert number(sum(round(weight, 2) for weight in weights)) == "1.00"


@pytest.mark.parametrize(("query", "scaled"), STATES)
def test_the_last_step_adds_up_as_shown_or_says_that_it_is_rounded(
    stand: Stand, query: int, scaled: bool
) -> None:
    sentence = sentence_for(scaled)
    page = opened(stand, 6, query, scaled)
    table = page.locator("[data-step='6'] table")
    found = rows(table)
    signs = [sign.strip() for sign in table.locator(".qkv-demo__sign").all_inner_texts()]
    parts = [found[0], found[1], found[3], found[5]]
    for part, weight, value in zip(parts, sentence.weights[query], sentence.v, strict=True):
        assert part == [f"{number(weight, 4)} × {short(x)} {number(weight * x)}" for x in value]
    before = [cell.split()[-1] for cell in found[0]]
    running = sentence.weights[query][:, None] * sentence.v
    for row in (2, 4, 6):
        added = [cell.split()[-1] for cell in found[row - 1]]
        sums = [number(float(a) + float(b)) for a, b in zip(before, added, strict=True)]
        assert signs[row - 1] == "+"
        assert signs[row] == ("=" if sums == found[row] else "≈")
        assert found[row] == [number(x) for x in running.cumsum(axis=0)[row // 2]]
        before = found[row]
    assert before == [number(x) for x in sentence.output[query]]


def test_the_sentence_as_the_lesson_reads_it_adds_up_to_the_letter(stand: Stand) -> None:
    page = opened(stand, 6, 0, False)
    signs = page.locator("[data-step='6'] .qkv-demo__sign").all_inner_texts()
    assert [sign for sign in signs if sign not in ("", "+")] == ["=", "=", "="]


@pytest.mark.parametrize("scaled", [False, True])
def test_the_code_prints_every_number_on_the_screen(stand: Stand, scaled: bool) -> None:
    printed = {
        abs(float(x)) for x in re.findall(r"\d+\.\d+", snippet_of(*demos.snippet("stepper")).output)
    }
    # Places in a list, sizes and exponents are words of the page, not results.
    printed |= {0.0, 1.0, 2.0}
    for query in range(4):
        for step in (1, 2, 3, 4, 5, 6):
            page = opened(stand, step, query, scaled)
            panel = page.locator(f".qkv-demo__stage tbody, [data-step='{step}'] tbody")
            # The terms of one dot product's sum are spelled out on the screen alone.
            cells = panel.locator("td:not(.qkv-demo__sum):visible").all_inner_texts()
            shown = {float(x) for cell in cells for x in re.findall(r"\d+(?:\.\d+)?", cell)}
            assert shown - printed == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_arrow_keys_walk_all_steps_and_say_each(stand: Stand, language: Language) -> None:
    labels = demos.load("stepper", language).labels
    page = stand("stepper", language=language)
    wait_until_live(page)
    slider = page.get_by_role("slider")
    slider.focus()
    said = []
    for step in range(7):
        assert slider.get_attribute("aria-valuetext") == f"{step}/6 {labels[f'step_{step}']}"
        visible = page.locator("[data-step]:visible")
        assert [part.get_attribute("data-step") for part in visible.all()] == [str(step)]
        said.append(page.locator("[role=status]").inner_text())
        page.keyboard.press("ArrowRight")
    assert len(set(said)) == 7
    assert all(text.startswith(f"{step}/6") for step, text in enumerate(said))
    page.keyboard.press("Home")
    assert page.locator("[role=status]").inner_text() == said[0]
    page.keyboard.press("End")
    assert page.locator("[role=status]").inner_text() == said[6]


def test_the_buttons_take_arrow_keys_and_stop_at_the_ends(stand: Stand) -> None:
    page = stand("stepper", language="en")
    wait_until_live(page)
    back, forth = page.get_by_role("button", name="Back"), page.get_by_role("button", name="Next")
    assert back.get_attribute("aria-disabled") == "true"
    back.click(force=True)
    assert page.locator("[role=status]").inner_text().startswith("0/6")
    forth.focus()
    for key, step in (("Enter", 1), ("ArrowRight", 2), ("End", 6), ("Enter", 6), ("ArrowLeft", 5)):
        page.keyboard.press(key)
        assert page.locator("[role=status]").inner_text().startswith(f"{step}/6")
        assert forth.evaluate("(button) => button === document.activeElement")


def test_keys_elsewhere_do_nothing(stand: Stand) -> None:
    page = stand("stepper", language="en", body='<button id="outside">outside</button>{}')
    wait_until_live(page)
    page.locator("#outside").focus()
    page.keyboard.press("ArrowRight")
    page.get_by_role("radio", name="engineer").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("[role=status]").inner_text() == "0/6: “in” asks; nothing is computed yet."


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_a_script_each_token_has_its_results(stand: Stand, language: Language) -> None:
    page = stand("stepper", language=language, java_script_enabled=False)
    assert page.locator("li.qkv-demo__step:visible").count() == 6
    groups = page.locator(".qkv-demo__rest tbody").all()
    queries, scores, weights, outputs = (rows(group, "tr:has(td)") for group in groups)
    assert queries == [[short(x) for x in row] for row in engineer.q.T]
    assert scores == [[short(x) for x in row] for row in engineer.scores.T]
    assert weights == [[number(x) for x in row] for row in engineer.weights.T]
    assert outputs == [[number(x) for x in row] for row in engineer.output.T]
    stage = rows(page.locator(".qkv-demo__stage"))
    assert [row[0] for row in weights] == stage[3]
