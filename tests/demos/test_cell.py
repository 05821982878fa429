"""The cell demo: each product is that of NumPy, and each cell says the sum that makes it."""

import ast
from itertools import product

import numpy as np
import pytest
from playwright.sync_api import Locator, Page

from qkvdocs import demos
from qkvdocs.demos import number
from qkvdocs.examples import engineer
from qkvdocs.languages import LANGUAGES, Language
from tests.demos.stand import Stand
from tests.demos.test_contract import wait_until_live

FACTORS = {
    "q": (engineer.x, engineer.w_q),
    "k": (engineer.x, engineer.w_k),
    "v": (engineer.x, engineer.w_v),
    "scores": (engineer.q, engineer.k.T),
    "output": (engineer.scaled.weights, engineer.v),
}


def short(x: float) -> str:
    return number(x, 0 if x == round(x) else 1 if x == round(x, 1) else 2)


def shown(x: float, name: str) -> str:
    return number(x, 2) if name == "output" else short(x)


def opened(stand: Stand, name: str, row: int, column: int, language: Language = "en") -> Page:
    address = f"#cell?product={name}&row={row}&column={column}"
    page = stand("cell", language=language, hash=address)
    wait_until_live(page)
    return page


def section(page: Page, name: str) -> Locator:
    return page.locator(f"[data-product='{name}']")


def texts(cells: Locator) -> list[str]:
    return [text.strip() for text in cells.all_text_contents()]


def spelled(text: str) -> tuple[list[tuple[float, float]], float]:
    """The factors of each term and the total, from words such as "2 × (−1) + 0 × 3 = −2"."""
    terms, total = text.replace("−", "-").replace("≈", "=").split(" = ")
    factors = [
        tuple(float(ast.literal_eval(factor)) for factor in " ".join(term.split()).split(" × "))
        for term in terms.split(" + ")
    ]
    return factors, float(total)


@pytest.mark.parametrize("name", FACTORS)
def test_the_tables_hold_both_factors_and_their_product(stand: Stand, name: str) -> None:
    left, right = FACTORS[name]
    page = opened(stand, name, 0, 0)
    assert page.locator("[data-product]:visible").count() == 1
    part = section(page, name)
    assert texts(part.locator(".qkv-cell__left")) == [shown(x, name) for x in left.ravel()]
    assert texts(part.locator(".qkv-cell__right td")) == [short(x) for x in right.ravel()]
    found = texts(part.locator("[data-cell]"))
    assert found == [shown(x, name) for x in (left @ right).ravel()]


@pytest.mark.parametrize("name", FACTORS)
def test_each_cell_lights_its_row_and_column_and_spells_out_its_sum(
    stand: Stand, name: str
) -> None:
    left, right = FACTORS[name]
    page = opened(stand, name, 0, 0)
    part = section(page, name)
    for i, j in product(range(left.shape[0]), range(right.shape[1])):
        part.locator("[data-cell]").nth(i * right.shape[1] + j).hover()
        factors, total = spelled(part.locator(".qkv-cell__terms").inner_text())
        assert np.allclose(factors, np.column_stack([left[i], right[:, j]]), atol=5e-5)
        assert total == pytest.approx((left @ right)[i, j], abs=5e-3)
        if name != "output":
            assert total == sum(x * y for x, y in factors)
        lit = texts(part.locator(".qkv-cell__lit"))
        assert lit == [short(x) for x in right[:, j]] + [shown(x, name) for x in left[i]]
        assert part.locator(".qkv-cell__at").count() == 1


def test_a_pointer_that_leaves_gives_the_chosen_cell_back(stand: Stand) -> None:
    page = opened(stand, "scores", 1, 2)
    terms = section(page, "scores").locator(".qkv-cell__terms")
    chosen = terms.inner_text()
    section(page, "scores").locator("[data-cell]").nth(0).hover()
    assert terms.inner_text() != chosen
    page.mouse.move(2, 2)
    assert terms.inner_text() == chosen


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_tap_chooses_a_cell_and_says_its_sum(stand: Stand, language: Language) -> None:
    page = stand("cell", language=language, has_touch=True, width=390)
    wait_until_live(page)
    section(page, "q").locator("[data-cell]").nth(5).tap()
    said = page.locator("[role=status]").inner_text()
    assert demos.load("cell", language).labels["name_q"] in said
    assert "0 × (−0.5) + 2 × 0.5 + 1 × 1 + 0 × 1 + 0 × (−0.5) = 2" in said
    assert page.evaluate("location.hash") == "#cell?product=q&row=2&column=1"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_keys_walk_the_result_and_stop_at_its_edges(stand: Stand, language: Language) -> None:
    page = opened(stand, "scores", 0, 0, language)
    cells = section(page, "scores").locator("[data-cell]")
    cells.nth(0).focus()
    walk = ["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown", "End", "Home",
            "Control+End", "ArrowRight", "ArrowDown", "Control+Home"]  # fmt: skip
    places = [0, 0, 1, 5, 7, 4, 15, 15, 15, 0]
    for key, place in zip(walk, places, strict=True):
        page.keyboard.press(key)
        assert cells.nth(place).evaluate("(cell) => cell === document.activeElement")
        said = page.locator("[role=status]").inner_text()
        total = short(engineer.scores.ravel()[place])
        assert f"= {total}." in said or f"= {total}。" in said
    assert section(page, "scores").locator("[data-cell][tabindex='0']").count() == 1


def test_a_column_that_a_product_lacks_stands_for_its_last(stand: Stand) -> None:
    page = opened(stand, "q", 1, 3)
    assert section(page, "q").locator(".qkv-cell__at").inner_text() == short(engineer.q[1, 1])


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_a_script_each_cell_has_its_sum(stand: Stand, language: Language) -> None:
    page = stand("cell", language=language, java_script_enabled=False)
    for name, (left, right) in FACTORS.items():
        lines = section(page, name).locator("li:visible").all_inner_texts()
        totals = [line.split()[-1] for line in lines]
        assert totals == [shown(x, name) for x in (left @ right).ravel()]


def test_the_code_prints_every_number_on_the_screen(stand: Stand) -> None:
    code, _ = demos.snippet("cell")
    for name, (left, right) in FACTORS.items():
        digits = 4 if name == "output" else 2
        assert f"  left   {left.round(4).tolist()}" in code
        assert f"  above  {right.round(digits).tolist()}" in code
        assert f"  result {((left @ right).round(2) + 0.0).tolist()}" in code
