"""One lookup for each token of the engineer sentence, with the scores as they are and scaled."""

import math

import numpy as np

from qkvdocs.attention import FloatArray
from qkvdocs.demos.parts import equals_sign, plain, token
from qkvdocs.examples import Sentence, engineer
from qkvdocs.languages import Language

SHOWN_DIGITS = 2


def data(language: Language) -> dict[str, object]:
    """Return the tokens, their keys and values, and each token's lookup, unscaled and scaled."""
    n = len(engineer.tokens)
    return {
        "tokens": [token(label, language) for label in engineer.tokens],
        "match": [label[language] for label in engineer.match_dimensions],
        "carry": [label[language] for label in engineer.value_dimensions],
        "keys": plain(engineer.k),
        "values": plain(engineer.v),
        "d_k": len(engineer.match_dimensions),
        "root": math.sqrt(len(engineer.match_dimensions)),
        "unscaled": [lookup(engineer, asking) for asking in range(n)],
        "scaled": [lookup(engineer.scaled, asking) for asking in range(n)],
    }


def lookup(sentence: Sentence, asking: int) -> dict[str, object]:
    """Return every number of the six steps for the token at position `asking`."""
    query, scores = sentence.q[asking], sentence.scores[asking]
    weights, output = sentence.weights[asking], sentence.output[asking]
    grown = np.exp(scores)  # (n,)
    parts = weights[:, np.newaxis] * sentence.v  # (n, d_v)
    running = parts.cumsum(axis=0)  # (n, d_v)
    return {
        "query": plain(query),
        "dots": plain(sentence.k @ query),
        "scores": plain(scores),
        "grown": plain(grown),
        "total": float(grown.sum()),
        "total_sign": equals_sign(grown, grown.sum(), SHOWN_DIGITS),
        "weights": plain(weights),
        "weights_sign": equals_sign(weights, 1.0, SHOWN_DIGITS),
        "parts": plain(parts),
        "running": plain(running),
        "running_signs": [running_sign(parts, running, step) for step in range(len(parts))],
        "output": plain(output),
        "best": int(weights.argmax()),
    }


def running_sign(parts: FloatArray, running: FloatArray, step: int) -> str:
    """Return "=" if the sum so far, as shown, is the one before plus this part, as shown."""
    before = running[step - 1] if step else np.zeros(running.shape[1])
    signs = {
        equals_sign((done, part), total, SHOWN_DIGITS)
        for done, part, total in zip(before, parts[step], running[step], strict=True)
    }
    return "=" if signs == {"="} else "≈"
