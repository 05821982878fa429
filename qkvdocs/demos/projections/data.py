"""One x, three matrices, and what other matrices would make of it: five choices of W."""

from dataclasses import replace
from typing import Any

import numpy as np

from qkvdocs.attention import FloatArray
from qkvdocs.demos.parts import equals_sign, plain, token
from qkvdocs.examples import Sentence, engineer
from qkvdocs.experiments import Projections
from qkvdocs.languages import Label, Language

SEED = 2

HALF_PICTURE = 150
"""From the middle of a picture to its edge, in its own units."""

LONGEST_ARROW = 100
LETTER_AHEAD = 17
LETTER_ASIDE = {"q": 11, "k": -11, "v": 0}
"""Arrows that coincide have their letters side by side."""


def data(language: Language) -> dict[str, object]:
    """Return the tokens, X, and for each choice of matrices all that follows from it."""
    return {
        "tokens": [token(label, language) for label in engineer.tokens],
        "dimensions": [label[language] for label in engineer.dimensions],
        "x": plain(engineer.x),
        "seed": SEED,
        "half_picture": HALF_PICTURE,
        "longest_arrow": LONGEST_ARROW,
        "letter_ahead": LETTER_AHEAD,
        "letter_aside": LETTER_ASIDE,
        "presets": {
            name: preset(sentence, language, digits=1 if name == "random" else None)
            for name, sentence in sentences().items()
        },
        "recovered": plain(engineer.weights @ engineer.x @ engineer.w_v),
    }


def live(data: dict[str, Any]) -> dict[str, object]:
    """Return X and the matrices; the script multiplies them."""
    return {
        "tokens": [token["text"] for token in data["tokens"]],
        **{name: data[name] for name in ("x", "longest_arrow", "letter_ahead", "letter_aside")},
        "presets": {
            name: {"matrices": preset["matrices"], "digits": preset["digits"]}
            for name, preset in data["presets"].items()
        },
    }


def sentences() -> dict[str, Sentence]:
    """Return `engineer` with each choice of W^Q, W^K and W^V."""
    unchanged = np.eye(len(engineer.dimensions))
    return {
        "built": engineer,
        "identity": replace(
            engineer,
            match_dimensions=engineer.dimensions,
            value_dimensions=engineer.dimensions,
            w_q=unchanged,
            w_k=unchanged,
            w_v=unchanged,
        ),
        "tied": replace(engineer, w_q=engineer.w_k),
        "value": replace(engineer, value_dimensions=engineer.dimensions, w_v=unchanged),
        "random": drawn_at_random(),
    }


def drawn_at_random() -> Sentence:
    """Return `engineer` with standard normal matrices, rounded so that sums can be followed."""
    rng = np.random.default_rng(SEED)
    w_q, w_k, w_v = (rng.normal(size=w.shape).round(1) for w in matrices(engineer).values())
    return replace(
        engineer,
        match_dimensions=numbered(engineer.match_dimensions),
        value_dimensions=numbered(engineer.value_dimensions),
        w_q=w_q,
        w_k=w_k,
        w_v=w_v,
    )


def numbered(dimensions: tuple[Label, ...]) -> tuple[Label, ...]:
    """Return names for entries that mean nothing."""
    return tuple(Label(zh=f"第 {i} 个数", en=f"number {i}") for i in range(1, len(dimensions) + 1))


def matrices(sentence: Sentence) -> dict[str, FloatArray]:
    """Return the three matrices by the letter of what they make."""
    return {"q": sentence.w_q, "k": sentence.w_k, "v": sentence.w_v}


def preset(sentence: Sentence, language: Language, digits: int | None) -> dict[str, object]:
    """Return all that a choice makes of the sentence; vectors are shown with `digits`, if given."""
    compared = Projections(sentence.scores, sentence.weights)
    match = [label[language] for label in sentence.match_dimensions]
    products = {"q": sentence.q, "k": sentence.k, "v": sentence.v}
    return {
        "digits": digits,
        "names": {
            "q": match,
            "k": match,
            "v": [label[language] for label in sentence.value_dimensions],
        },
        "matrices": {letter: plain(w) for letter, w in matrices(sentence).items()},
        "products": {letter: plain(rows) for letter, rows in products.items()},
        "picture": picture(products),
        "scores": plain(sentence.scores),
        "weights": plain(sentence.weights),
        "weight_signs": [equals_sign(row, 1.0, digits=2) for row in sentence.weights],
        "output": plain(sentence.output),
        "score_asymmetry": compared.score_asymmetry,
        "weight_asymmetry": compared.weight_asymmetry,
        "self_favouring": compared.self_favouring,
    }


def picture(products: dict[str, FloatArray]) -> dict[str, dict[str, float]]:
    """Return length and angle of the first token's arrows; the picture's angles go clockwise.

    All tokens of a choice have one measure, so that arrows can be compared from one to the next.
    `element.js` draws those of the other tokens.
    """
    longest = max(float(np.abs(rows[:, :2]).max()) for rows in products.values())
    return {
        letter: arrow(rows[0, :2] * LONGEST_ARROW / longest) for letter, rows in products.items()
    }


def arrow(tip: FloatArray) -> dict[str, float]:
    """Return how long and where an arrow from the middle goes; without length it goes upwards.

    Examples
    --------
    >>> arrow(np.array([0.0, -2.0])), arrow(np.zeros(2))
    ({'length': 2.0, 'angle': 90.0}, {'length': 0.0, 'angle': -90.0})
    """
    length = float(np.hypot(*tip))
    angle = float(np.degrees(np.arctan2(-tip[1], tip[0]))) if length else -90.0
    return {"length": round(length, 1), "angle": round(angle, 1) + 0.0}
