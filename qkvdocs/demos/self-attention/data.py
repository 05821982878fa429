"""Six tokens look at each other: the whole matrix, with and without a causal mask."""

from typing import Any

from qkvdocs.demos.parts import equals_sign, plain, token
from qkvdocs.examples import Sentence, engineer_ten_years
from qkvdocs.languages import Language

ROW = 44
"""The height of a row in the picture of arcs, whose units are those of a target."""

REACH = 15
"""How much further out an arc goes for each row that it passes."""


def data(language: Language) -> dict[str, object]:
    """Return the tokens, their vectors, and all weights and outputs without and with the mask."""
    sentence = engineer_ten_years
    return {
        "tokens": [token(label, language) for label in sentence.tokens],
        "carry": [label[language] for label in sentence.value_dimensions],
        "queries": plain(sentence.q),
        "keys": plain(sentence.k),
        "values": plain(sentence.v),
        "arcs": [arc(0, asked) for asked in range(len(sentence.tokens))],
        "row": ROW,
        "reach": REACH,
        "whole": attended(sentence),
        "causal": attended(sentence.causal),
    }


def live(data: dict[str, Any]) -> dict[str, object]:
    """Return the vectors; the script attends and draws with them."""
    return {
        "tokens": [token["text"] for token in data["tokens"]],
        **{name: data[name] for name in ("queries", "keys", "values", "row", "reach")},
    }


def attended(sentence: Sentence) -> dict[str, object]:
    """Return the weights, whether their shown digits sum to 1, and the outputs."""
    return {
        "weights": plain(sentence.weights),
        "signs": [equals_sign(row, 1.0, digits=2) for row in sentence.weights],
        "output": plain(sentence.output),
    }


def arc(asking: int, asked: int) -> str:
    """Return the path from one row's middle to another's, bulging left; to itself, a loop.

    `element.js` draws the same for whoever asks.
    """
    start, end = (ROW * row + ROW // 2 for row in (asking, asked))
    right = REACH * 6
    if start == end:
        above, below, out = start - 6, start + 6, right - 22
        return f"M{right} {above}C{out} {above - 10} {out} {below + 10} {right} {below}"
    out = round(right - 8 - REACH * 4 / 3 * (abs(asked - asking) - 0.25))
    return f"M{right} {start}C{out} {start} {out} {end} {right} {end}"
