"""The three roles on real vectors: 工程师 asks, 加州 is found and hands over what it holds."""

from typing import Any

from qkvdocs.demos.parts import equals_sign, plain, token
from qkvdocs.examples import engineer
from qkvdocs.languages import Language


def data(language: Language) -> dict[str, object]:
    """Return the query of the asking token, key and value of the found one, and all weights."""
    asking, found = engineer.position("engineer"), engineer.position("California")
    weights = engineer.weights[asking]
    match = [label[language] for label in engineer.match_dimensions]
    carry = [label[language] for label in engineer.value_dimensions]
    asker, answerer = (token(engineer.tokens[i], language) for i in (asking, found))
    return {
        "query": {"token": asker, "names": match, "vector": plain(engineer.q[asking])},
        "key": {"token": answerer, "names": match, "vector": plain(engineer.k[found])},
        "value": {"token": answerer, "names": carry, "vector": plain(engineer.v[found])},
        "tokens": [token(label, language) for label in engineer.tokens],
        "weights": plain(weights),
        "weights_sign": equals_sign(weights, 1.0, digits=2),
    }


def live(data: dict[str, Any]) -> dict[str, object]:
    """Return what the script says of each role."""
    return {
        role: {"token": data[role]["token"]["text"], "vector": data[role]["vector"]}
        for role in ("query", "key", "value")
    }
