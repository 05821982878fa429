"""Projections: every choice of matrices, every token, every sum is that of qkvdocs."""

import ast
import re
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, Page

from qkvdocs import demos
from qkvdocs.demos import number
from qkvdocs.examples import Sentence, engineer
from qkvdocs.experiments import no_projection, separate, tied, value_replaced
from qkvdocs.languages import LANGUAGES, Language
from qkvdocs.markdown.snippet import snippet_of
from tests.demos.stand import Stand
from tests.demos.test_contract import wait_until_live

UNCHANGED = np.eye(5)
PRESETS = ("built", "identity", "tied", "value", "random")
STATES = list(product(PRESETS, range(4)))


def drawn() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(2)
    w_q, w_k = (rng.normal(size=(5, 2)).round(1) for _ in range(2))
    return {"w_q": w_q, "w_k": w_k, "w_v": rng.normal(size=(5, 3)).round(1)}


MATRICES: dict[str, dict[str, np.ndarray]] = {
    "built": {},
    "identity": {"w_q": UNCHANGED, "w_k": UNCHANGED, "w_v": UNCHANGED},
    "tied": {"w_q": engineer.w_k},
    "value": {"w_v": UNCHANGED},
    "random": drawn(),
}


def sentence_for(preset: str) -> Sentence:
    matrices = MATRICES[preset]
    names: dict[str, Any] = {}
    if preset == "identity":
        names["match_dimensions"] = engineer.dimensions
    if preset in ("identity", "value"):
        names["value_dimensions"] = engineer.dimensions
    return replace(engineer, **matrices, **names)


def products_of(sentence: Sentence) -> dict[str, np.ndarray]:
    return {"q": sentence.q, "k": sentence.k, "v": sentence.v}


def short(x: float, digits: int | None = None) -> str:
    x = round(float(x), 9)
    return number(
        x, (0 if x == round(x) else 1 if x == round(x, 1) else 2) if digits is None else digits
    )


def digits_of(preset: str) -> int | None:
    return 1 if preset == "random" else None


def vector(xs: np.ndarray, digits: int | None = None) -> str:
    return f"({', '.join(short(x, digits) for x in xs)})"


def opened(stand: Stand, language: Language = "en", **state: Any) -> Page:
    query = "&".join(f"{name}={value}" for name, value in state.items())
    page = stand("projections", language=language, hash=f"#projections?{query}")
    wait_until_live(page)
    return page


def section(page: Page, preset: str) -> Locator:
    return page.locator(f"[data-preset={preset}]")


def entry(part: Locator, row: int, letter: str, column: int) -> Locator:
    """A cell of one of the matrices, from row 0 and column 0; of the products in row 5."""
    first = {"q": 0, "k": 2, "v": 4}[letter]  # of all choices but the identity
    if part.get_attribute("data-preset") == "identity":
        first = {"q": 0, "k": 5, "v": 10}[letter]
    return entries(part, row)[first + column]


def entries(part: Locator, row: int) -> list[Locator]:
    line = part.locator(".qkv-projections__product tbody tr").nth(row)
    return line.locator("td:not([data-at])").all()


def row_of(part: Locator, lit: str) -> int:
    """The row, from 0, of what has a class."""
    return int(part.locator(lit).evaluate("(node) => [...node.parentNode.children].indexOf(node)"))


def cells(table: Locator, selector: str = "td") -> list[str]:
    return [text.strip() for text in table.locator(selector).all_text_contents()]


def status(page: Page) -> str:
    return page.locator("[role=status]").inner_text()


@pytest.mark.parametrize(("preset", "token"), STATES)
def test_x_its_matrices_and_its_products(stand: Stand, preset: str, token: int) -> None:
    sentence, digits = sentence_for(preset), digits_of(preset)
    page = opened(stand, preset=preset, token=token)
    assert page.locator("[data-preset]:visible").count() == 1
    *rows, results = section(page, preset).locator(".qkv-projections__product tbody tr").all()
    whole = np.hstack([sentence.w_q, sentence.w_k, sentence.w_v])
    for row, x, w in zip(rows, engineer.x[token], whole, strict=True):
        assert cells(row) == [short(x), *(short(entry, digits) for entry in w)]
    assert cells(results) == [short(x, digits) for x in engineer.x[token] @ whole]
    found = status(page)
    for rows in products_of(sentence).values():
        assert vector(rows[token], digits) in found


@pytest.mark.parametrize("preset", PRESETS)
def test_each_sum_is_spelled_out_where_the_pointer_is(stand: Stand, preset: str) -> None:
    sentence, token = sentence_for(preset), 2
    page = opened(stand, preset=preset, token=token)
    part = section(page, preset)
    matrices = {"q": sentence.w_q, "k": sentence.w_k, "v": sentence.w_v}
    for letter, w in matrices.items():
        for column in range(w.shape[1]):
            entry(part, 1, letter, column).hover()
            spelled, total = (
                part.locator(".qkv-projections__terms").inner_text().replace("−", "-").split(" = ")
            )
            terms = [
                [float(ast.literal_eval(factor)) for factor in term.split(" × ")]
                for term in " ".join(spelled.split()).split(" + ")
            ]
            assert terms == [
                list(pair) for pair in zip(engineer.x[token], w[:, column], strict=True)
            ]
            assert float(total) == pytest.approx(sum(x * y for x, y in terms), abs=1e-9)
            said = " ".join(part.locator(".qkv-projections__entry").inner_text().split())
            assert said == f"{letter} number {column + 1}"
            lit = part.locator(".qkv-projections__product .qkv-projections__lit")
            assert lit.count() == 6
            assert lit.all_text_contents() == [
                entry(part, row, letter, column).text_content() for row in range(6)
            ]
            assert row_of(part, ".qkv-projections__lit-row") == 1
            assert row_of(part, ".qkv-projections__lit-term") == 1


def test_a_pointer_that_leaves_gives_the_chosen_sum_back(stand: Stand) -> None:
    page = opened(stand, preset="built", token=2, entry="k2")
    before = section(page, "built").locator(".qkv-projections__sum").inner_text()
    entry(section(page, "built"), 0, "v", 2).hover()
    assert section(page, "built").locator(".qkv-projections__sum").inner_text() != before
    page.locator(".qkv-demo__title").hover()
    assert section(page, "built").locator(".qkv-projections__sum").inner_text() == before
    assert page.url.endswith("entry=k2")


@pytest.mark.parametrize(("preset", "token"), STATES)
def test_the_arrows_point_where_the_vectors_do(stand: Stand, preset: str, token: int) -> None:
    sentence = sentence_for(preset)
    page = opened(stand, preset=preset, token=token)
    ends = (
        section(page, preset)
        .locator("line")
        .evaluate_all(
            """(lines) => lines.map((line) => {
            const { a, b } = line.parentNode.transform.baseVal.consolidate().matrix;
            const length = line.x2.baseVal.value;
            return [line.parentNode.dataset.arrow, a * length, -b * length];
        })"""
        )
    )
    longest = max(np.abs(rows[:, :2]).max() for rows in products_of(sentence).values())
    for letter, x, y in ends:
        wanted = products_of(sentence)[letter][token][:2] * 100 / longest
        assert (x, y) == pytest.approx(wanted, abs=0.06)
    name = section(page, preset).locator("svg").get_attribute("aria-label") or ""
    for rows in products_of(sentence).values():
        assert vector(rows[token][:2], digits_of(preset)) in name


@pytest.mark.parametrize("language", LANGUAGES)
def test_axes_have_the_names_of_what_is_matched(stand: Stand, language: Language) -> None:
    page = opened(stand, language, preset="built")
    names = section(page, "built").locator(".qkv-projections__axis").all_text_contents()
    assert names == [label[language] for label in engineer.match_dimensions]
    note = section(page, "built").locator("figcaption").inner_text()
    assert all(label[language] in note for label in engineer.value_dimensions[:2])


@pytest.mark.parametrize("preset", PRESETS)
def test_vectors_scores_weights_and_outputs_of_all_tokens(stand: Stand, preset: str) -> None:
    sentence, digits = sentence_for(preset), digits_of(preset)
    page = stand("projections", language="en", java_script_enabled=False)
    vectors, scores, weights = section(page, preset).locator("table").all()[1:]
    wanted = [vector(rows[i], digits) for i in range(4) for rows in products_of(sentence).values()]
    assert cells(vectors) == wanted
    flat = [short(s, 2 if digits else None) for s in sentence.scores.flatten()]
    assert cells(scores, "tbody td") == flat
    assert cells(weights, ".qkv-heat") == [number(w) for w in sentence.weights.flatten()]
    sums = [round(sum(round(w, 2) for w in row), 2) for row in sentence.weights]
    signs = [f"{'=' if total == 1 else '≈'} 1.00" for total in sums]
    assert cells(weights, "td:nth-last-child(2)") == signs
    assert cells(weights, "tbody td:last-child") == [vector(row, 2) for row in sentence.output]
    heats = weights.locator(".qkv-heat").evaluate_all(
        "(cells) => cells.map((cell) => Number(cell.style.getPropertyValue('--heat')))"
    )
    assert heats == sentence.weights.flatten().round(2).tolist()


@pytest.mark.parametrize(
    ("preset", "compared"),
    [("built", separate()), ("tied", tied()), ("identity", no_projection()), ("value", separate())],
)
def test_question_two_can_be_answered_here(stand: Stand, preset: str, compared: Any) -> None:
    page = opened(stand, preset=preset)
    found = section(page, preset).locator(".qkv-projections__finding").inner_text()
    wanted = [short(compared.score_asymmetry), number(compared.weight_asymmetry), "4"]
    assert re.findall(r"\d+(?:\.\d+)?", found) == [*wanted, str(compared.self_favouring)]


@pytest.mark.parametrize("token", range(4))
def test_question_three_can_be_answered_here(stand: Stand, token: int) -> None:
    page = opened(stand, preset="value", token=token)
    both = value_replaced(engineer.tokens[token].en)
    text = section(page, "value").inner_text()
    assert vector(both.raw, 2) in text
    assert vector(both.recovered, 2) in text
    assert both.recovered == pytest.approx(both.projected)


def test_each_question_has_its_link(stand: Stand) -> None:
    page = stand("projections", java_script_enabled=False)
    for preset in ("tied", "value"):
        link = section(page, preset).get_by_role("link")
        assert link.get_attribute("href") == f"#think-{preset}"
    assert page.locator("qkv-projections a[href^='#think']").count() == 2


def test_the_code_prints_every_number_on_the_screen(stand: Stand) -> None:
    output = snippet_of(*demos.snippet("projections")).output
    printed = {abs(float(x)) for x in re.findall(r"\d+(?:\.\d+)?", output)}
    page = stand("projections", language="en", java_script_enabled=False)
    for preset in PRESETS:
        found = section(page, preset)
        matrices = ".qkv-projections__product tr:not(.qkv-projections__result) td:not([data-at])"
        shown = cells(found, f"tbody td:not({matrices})")
        numbers = {float(x) for cell in shown for x in re.findall(r"\d+(?:\.\d+)?", cell)}
        assert numbers - printed == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_arrow_keys_walk_the_choices_and_each_is_said(stand: Stand, language: Language) -> None:
    labels = demos.load("projections", language).labels
    page = stand("projections", language=language)
    wait_until_live(page)
    page.locator("input[value=built]").focus()
    said = []
    for preset in PRESETS:
        assert page.locator("[data-preset]:visible").get_attribute("data-preset") == preset
        assert labels[f"name_{preset}"] in status(page)
        said.append(status(page))
        page.keyboard.press("ArrowRight")
    assert len(set(said)) == 5
    page.locator("input[data-field=token][value='0']").focus()
    for label in engineer.tokens:
        assert status(page).startswith(label[language])
        page.keyboard.press("ArrowDown")


def test_keys_walk_the_matrices_as_in_a_grid(stand: Stand) -> None:
    page = opened(stand, "en", preset="built", token=2)
    grid = page.get_by_role("grid")
    assert grid.count() == 1
    assert grid.locator("[tabindex='0']").count() == 1
    grid.locator("[tabindex='0']").focus()
    walk = [
        ("ArrowRight", "q2", 5),
        ("ArrowUp", "q2", 4),
        ("End", "v3", 4),
        ("ArrowRight", "v3", 4),
        ("Home", "q1", 4),
        ("ArrowLeft", "q1", 4),
        ("Control+Home", "q1", 0),
        ("ArrowUp", "q1", 0),
        ("ArrowDown", "q1", 1),
        ("Control+End", "v3", 5),
        ("ArrowDown", "v3", 5),
    ]
    for key, (letter, place), row in walk:
        page.keyboard.press(key)
        cell = entry(section(page, "built"), row, letter, int(place) - 1)
        assert cell.evaluate("(cell) => cell === document.activeElement")
        assert grid.locator("[tabindex='0']").count() == 1
        assert f"{letter}, number {place}" in status(page)
    assert status(page).endswith("0 × 0 + 2 × 0 + 1 × 1 + 0 × 1 + 0 × 0 = 1.")
    page.keyboard.press("Tab")
    assert not page.evaluate("document.activeElement.matches('td')")


def test_the_address_holds_the_state_and_gives_it_back(stand: Stand) -> None:
    page = stand("projections", language="en")
    wait_until_live(page)
    page.locator("input[value=tied]").check(force=True)
    page.locator("input[data-field=token][value='3']").check(force=True)
    entry(section(page, "tied"), 5, "k", 0).click()
    page.wait_for_function("location.hash === '#projections?token=3&preset=tied&entry=k1'")
    again = opened(stand, "en", token=3, preset="tied", entry="k1")
    assert status(again) == status(page)
    assert again.locator("input:checked").count() == 2


@pytest.mark.parametrize("junk", ["preset=nosuch", "token=4", "entry=q9", "entry=x1", "entry=q"])
def test_junk_leaves_the_first_state(stand: Stand, junk: str) -> None:
    page = stand("projections", language="en", hash=f"#projections?{junk}")
    wait_until_live(page)
    assert status(page) == "engineer, as built: query (0, −1), key (0, 2), value (2, 0, 0)."


def test_an_entry_beyond_the_width_stands_for_the_last(stand: Stand) -> None:
    page = opened(stand, "en", preset="built", token=2, entry="q5")
    assert "q, number 2" in status(page)


def test_a_second_copy_and_a_moved_one_keep_their_own_state(stand: Stand) -> None:
    page = stand("projections", "projections", language="en")
    wait_until_live(page)
    first, second = page.locator("qkv-projections").all()
    second.locator("input[value=random]").check(force=True)
    assert first.locator("input[value=built]").is_checked()
    page.evaluate(
        "document.querySelector('section').append(document.querySelectorAll('qkv-projections')[1])"
    )
    second = page.locator("qkv-projections").nth(1)
    assert second.locator("[data-preset]:visible").get_attribute("data-preset") == "random"
    entry(second.locator("[data-preset=random]"), 5, "k", 1).click()
    assert "k, number 2" in second.locator("[role=status]").inner_text()


@pytest.mark.parametrize("preset", PRESETS)
def test_on_a_narrow_page_matrices_scroll_in_their_boxes(stand: Stand, preset: str) -> None:
    page = stand("projections", hash=f"#projections?preset={preset}", width=320)
    wait_until_live(page)
    assert page.evaluate("document.scrollingElement.scrollWidth") == 320
    for box in section(page, preset).locator(".qkv-scroll").all():
        assert box.evaluate("(box) => box.tabIndex === 0 || !!box.querySelector('[tabindex]')")
