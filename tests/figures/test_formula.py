"""The figures of lesson 03 show the numbers and sizes that attention computes."""

from collections.abc import Callable

import numpy as np
import pytest

from qkvdocs.attention import attention_scores, attention_weights, softmax
from qkvdocs.demos import number
from qkvdocs.examples import engineer
from qkvdocs.figures.formula import SIZES
from qkvdocs.languages import LANGUAGES, Language

from .conftest import Drawn
from .test_svg import texts

SCORES = attention_scores(engineer.q, engineer.k, scale=1)
WEIGHTS = attention_weights(engineer.q, engineer.k)
UNSCALED = attention_weights(engineer.q, engineer.k, scale=1)

each_language = pytest.mark.parametrize("language", LANGUAGES)


def short(x: float) -> str:
    return number(x, 0 if x == round(x) else 1)


def two(x: float) -> str:
    return number(x, 2)


def written(array: np.ndarray, how: Callable[[float], str]) -> list[str]:
    return [how(float(x)) for x in array.ravel()]


def in_order(wanted: list[str], words: list[str]) -> bool:
    """Return whether the wanted texts stand among the words, in this order."""
    rest = iter(words)
    return all(any(word == one for word in rest) for one in wanted)


@each_language
def test_the_flow_shows_every_number_from_x_to_the_output(language: Language, drawn: Drawn) -> None:
    found = texts(drawn("formula-flow", language).svg)
    for array in (engineer.x, engineer.q, engineer.k, engineer.v, SCORES):
        assert in_order(written(array, short), found)
    for array in (WEIGHTS, WEIGHTS @ engineer.v):
        assert in_order(written(array, two), found)
    for rows, columns in ((4, 5), (4, 2), (4, 3), (4, 4)):
        assert f"{rows} × {columns}" in found


@each_language
def test_each_cell_of_the_grid_adds_up(language: Language, drawn: Drawn) -> None:
    found = texts(drawn("product-grid", language).svg)
    totals = [text for text in found if text.startswith("= ")]
    assert totals == [f"= {one}" for one in written(SCORES, short)]
    terms = [text for text in found if "×" in text]
    for place, total in enumerate(SCORES.ravel()):
        first, second = (text.replace("−", "-") for text in terms[2 * place : 2 * place + 2])
        assert eval(f"{first}{second}".replace("×", "*")) == total


@each_language
def test_each_weight_stands_before_and_after_the_division(language: Language, drawn: Drawn) -> None:
    figure = drawn("scaled-weights", language)
    pairs = [
        f"{two(before)} → {two(after)}"
        for before, after in zip(UNSCALED.ravel(), WEIGHTS.ravel(), strict=True)
    ]
    assert [text for text in texts(figure.svg) if "→" in text] == pairs
    assert two(float(np.abs(UNSCALED - WEIGHTS).max())) in figure.description
    for row in range(4):
        assert pairs[4 * row + int(UNSCALED[row].argmax())] in figure.description


@each_language
def test_both_axes_are_shown_with_the_sums_that_tell_them_apart(
    language: Language, drawn: Drawn
) -> None:
    figure = drawn("row-column", language)
    scores = SCORES / np.sqrt(2)
    cells = [written(softmax(scores, axis=axis), two) for axis in (-1, 0)]
    assert in_order([*cells[0], *cells[1]], texts(figure.svg))
    assert texts(figure.svg).count("1.00") == 8
    for sums in (WEIGHTS.sum(axis=0), softmax(scores, axis=0).sum(axis=1)):
        assert all(two(float(total)) in figure.description for total in sums)


@each_language
def test_the_sizes_that_meet_stand_twice(language: Language, drawn: Drawn) -> None:
    found = texts(drawn("shape-flow", language).svg)
    counts = {"n_q": 2, "n_k": 3, "d_k": 2, "d_v": 1}
    for name, count in counts.items():
        assert found.count(f"{name.replace('_', '')} = {SIZES[name]}") == count
    assert len(set(SIZES.values())) == len(SIZES)
