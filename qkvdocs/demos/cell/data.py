"""The five matrix products of the whole formula, each as two factors and a result."""

from qkvdocs.attention import FloatArray
from qkvdocs.demos.parts import plain, token
from qkvdocs.examples import engineer
from qkvdocs.languages import Label, Language

SHARES = 4
"""Weights are spelled out with more digits than the table has room for."""


def data(language: Language) -> dict[str, object]:
    """Return each product: its factors, its result, and what rows and columns stand for."""
    tokens = [token(label, language) for label in engineer.tokens]
    dimensions, match, carried = (
        plain_names(labels, language)
        for labels in (engineer.dimensions, engineer.match_dimensions, engineer.value_dimensions)
    )
    scaled = engineer.scaled
    return {
        "products": {
            "q": product(engineer.x, engineer.w_q, engineer.q, tokens, dimensions, match),
            "k": product(engineer.x, engineer.w_k, engineer.k, tokens, dimensions, match),
            "v": product(engineer.x, engineer.w_v, engineer.v, tokens, dimensions, carried),
            "scores": product(engineer.q, engineer.k.T, engineer.scores, tokens, match, tokens),
            "output": {
                **product(scaled.weights, engineer.v, scaled.output, tokens, tokens, carried),
                "digits": 2,
                "spelled": SHARES,
            },
        }
    }


def plain_names(labels: tuple[Label, ...], language: Language) -> list[dict[str, str]]:
    """Return names that need no gloss."""
    return [{"text": label[language]} for label in labels]


def product(
    left: FloatArray,
    right: FloatArray,
    result: FloatArray,
    rows: list[dict[str, str]],
    inner: list[dict[str, str]],
    columns: list[dict[str, str]],
) -> dict[str, object]:
    """Return one product, exact: with as many digits as its numbers have.

    Parameters
    ----------
    left : (n, m)
    right : (m, p)
    result : (n, p)
    rows, inner, columns
        n, m and p names
    """
    return {
        "left": plain(left),
        "right": plain(right),
        "result": plain(result),
        "rows": rows,
        "inner": inner,
        "columns": columns,
        "digits": None,
        "spelled": None,
    }
