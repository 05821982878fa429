"""Sizes of queries, keys and values: which fit together, as `qkvdocs.attention` answers."""

import numpy as np

from qkvdocs.attention import attention, attention_scores
from qkvdocs.languages import Language

LARGEST = 6

SIZES = ("n_q", "d_q", "n_k", "d_k", "n_v", "d_v")

CASES = {
    "cross": (2, 3, 4, 3, 4, 5),
    "self": (4, 2, 4, 2, 4, 3),
    "one": (1, 2, 6, 2, 6, 3),
    "width": (2, 4, 3, 2, 3, 3),
    "count": (2, 3, 4, 3, 3, 5),
}


def data(language: Language) -> dict[str, object]:
    """Return the named cases, the first of which is shown first."""
    return {
        "largest": LARGEST,
        "sizes": list(SIZES),
        "cases": [{"name": name, **case(*sizes)} for name, sizes in CASES.items()],
    }


def case(n_q: int, d_q: int, n_k: int, d_k: int, n_v: int, d_v: int) -> dict[str, object]:
    """Return the shapes of the scores and of the output, None where shapes don't fit."""
    query, key, value = np.ones((n_q, d_q)), np.ones((n_k, d_k)), np.ones((n_v, d_v))
    scores: list[int] | None = None
    output: list[int] | None = None
    try:
        scores = list(attention_scores(query, key).shape)
        output = list(attention(query, key, value).shape)
    except ValueError:
        pass
    sizes = dict(zip(SIZES, (n_q, d_q, n_k, d_k, n_v, d_v), strict=True))
    return {"sizes": sizes, "scores": scores, "output": output}
