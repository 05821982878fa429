"""Soft against hard: one query at many temperatures, a nudge, a tie, gradients, distractors.

`element.js` computes the soft numbers anew at every temperature of its slider; those here are for
the rows of the tables, from T → 0 to T → ∞.
"""

import math
from typing import Any

import numpy as np

from qkvdocs.attention import FloatArray, softmax
from qkvdocs.demos.parts import equals_sign, plain, token
from qkvdocs.examples import engineer
from qkvdocs.experiments import (
    dilution,
    measured_gradient,
    nudge,
    retrieval_gradients,
    temperature,
    tie,
)
from qkvdocs.languages import Label, Language

TEMPERATURES = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0, math.inf)
ASKING = engineer.position("engineer")
WHERE = 1
"""The entry of a value that the gradient is taken of."""

TIE_SCORES = (8.0, 0.0, 8.0)
TIE_VALUES = ((1.0, 0.0), (0.0, 0.0), (0.0, 1.0))
TIE_NAMES = (Label(zh="谁", en="who"), Label(zh="什么", en="what"))
"""Those of `experiments.tie`, which tells its outputs alone."""


def data(language: Language) -> dict[str, object]:
    """Return the five parts."""
    return {
        "temperatures": [t if t < math.inf else None for t in TEMPERATURES],
        "one": TEMPERATURES.index(1),
        "once": once(language),
        "nudge": nudged(),
        "tie": tied(language),
        "gradient": gradients(language),
        "distractors": distractors(),
    }


def live(data: dict[str, Any]) -> dict[str, object]:
    """Return what is looked up at any temperature; of the distractors the page's table tells."""

    def lookup(part: dict[str, Any]) -> dict[str, object]:
        return {
            "tokens": [token["text"] for token in part["tokens"]],
            **{name: part[name] for name in ("query", "keys", "values")},
            "hard": part["hard"]["output"],
        }

    return {
        "once": lookup(data["once"]),
        "tie": lookup(data["tie"]),
        "nudge": {name: data["nudge"][name] for name in ("values", "scores", "hard")},
        "gradient": {
            "column": data["gradient"]["column"],
            "hard": data["gradient"]["hard"]["formula"],
        },
    }


def weights_at(scores: FloatArray, t: float) -> FloatArray:
    """Return softmax(scores / t), and its limit for t = 0: the best share all, equally.

    Examples
    --------
    >>> weights_at(np.array([2.0, 0.0, 2.0]), 0.0).tolist()
    [0.5, 0.0, 0.5]
    >>> weights_at(np.array([2.0, 0.0]), math.inf).tolist()
    [0.5, 0.5]
    """
    if t > 0:
        return softmax(scores / t)
    best: FloatArray = (scores == scores.max()).astype(float)
    shares: FloatArray = best / best.sum()
    return shares


def soft(scores: FloatArray, values: FloatArray, hard: FloatArray) -> list[dict[str, object]]:
    """Return the soft lookup at each temperature, and how far its output is from the hard one."""
    found = []
    for t in TEMPERATURES:
        weights = weights_at(scores, t)
        output = weights @ values
        found.append(
            {
                "weights": plain(weights),
                "weights_sign": equals_sign(weights, 1.0, digits=2),
                "output": plain(output),
                "distance": float(np.linalg.norm(output - hard)),
            }
        )
    return found


def once(language: Language) -> dict[str, object]:
    """Return the lookup of 工程师 (engineer)."""
    scores, hard = engineer.scores[ASKING], temperature().hard
    return {
        "tokens": [token(label, language) for label in engineer.tokens],
        "names": [label[language] for label in engineer.value_dimensions],
        "query": plain(engineer.q[ASKING]),
        "keys": plain(engineer.k),
        "values": plain(engineer.v),
        "scores": plain(scores),
        "hard": {"weights": one_hot(scores), "output": plain(hard)},
        "soft": soft(scores, engineer.v, hard),
    }


def tied(language: Language) -> dict[str, object]:
    """Return the lookup of a verb whose subject and object match equally well."""
    found = tie()
    scores, values = np.array(TIE_SCORES), np.array(TIE_VALUES)
    return {
        "tokens": [token(label, language) for label in found.tokens],
        "names": [label[language] for label in TIE_NAMES],
        "query": [1.0],
        "keys": plain(scores[:, np.newaxis]),
        "values": plain(values),
        "scores": plain(scores),
        "hard": {"weights": one_hot(scores), "output": plain(found.hard)},
        "soft": soft(scores, values, found.hard),
    }


def one_hot(scores: FloatArray) -> list[float]:
    """Return what hard retrieval takes of each: all of the first best, nothing of the others."""
    best = int(scores.argmax())
    return [float(j == best) for j in range(len(scores))]


def nudged() -> dict[str, object]:
    """Return two nearly tied scores, and both outputs before and after the second is raised."""
    found = nudge()
    before, after = found.scores_before, found.scores_after
    return {
        "values": [0.0, 10.0],
        "scores": {"before": plain(before), "after": plain(after)},
        "by": float(after[1] - before[1]),
        "hard": moved(found.hard_before, found.hard_after),
        "soft": [
            moved(*(float(weights_at(scores, t) @ [0.0, 10.0]) for scores in (before, after)))
            for t in TEMPERATURES
        ],
    }


def moved(before: float, after: float) -> dict[str, float]:
    """Return an output before and after, and by how much it moved."""
    return {"before": before, "after": after, "change": after - before}


def gradients(language: Language) -> dict[str, object]:
    """Return how "where" in the output of 工程师 (engineer) depends on its query."""
    found = retrieval_gradients()
    return {
        "names": [label[language] for label in engineer.match_dimensions],
        "where": engineer.value_dimensions[WHERE][language],
        "column": WHERE,
        "hard": {"formula": plain(found.hard), "measured": plain(found.hard_measured)},
        "soft": [
            {"formula": plain(slope(t)), "measured": plain(measured_slope(t))} for t in TEMPERATURES
        ],
        "random_queries": found.random_queries,
        "hard_zero_share": found.hard_zero_share,
        "soft_zero_share": found.soft_zero_share,
    }


def slope(t: float) -> FloatArray:
    """Return ∂o/∂q = Σ_j α_j (v_j - o) k_j / t; in the limit t = 0 nothing moves.

    Examples
    --------
    >>> slope(1.0).round(3).tolist()
    [0.291, -0.422]
    """
    weights = weights_at(engineer.scores[ASKING], t)
    value = engineer.v[:, WHERE]
    if t == 0:
        return np.zeros(engineer.k.shape[1])
    result: FloatArray = (weights * (value - weights @ value)) @ engineer.k / t
    return result


def measured_slope(t: float) -> FloatArray:
    """Return the same by central differences."""

    def output(query: FloatArray) -> float:
        return float(weights_at(engineer.k @ query, t) @ engineer.v[:, WHERE])

    return measured_gradient(output, engineer.q[ASKING])


def distractors() -> dict[str, object]:
    """Return the weight of the one matching key, and both errors, for each number of keys."""
    found = dilution()
    rows = [found.at(n) for n in found.sizes]
    return {
        "rows": [
            {
                "others": at.n - 1,
                "weight": at.top_weight,
                "rest": 1 - at.top_weight,
                "soft": at.soft_error,
                "hard": at.hard_error,
            }
            for at in rows
        ],
        "width": found.width,
        "trials": found.trials,
    }
