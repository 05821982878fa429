"""One lookup in the engineer sentence step by step, and what each of its tokens finds."""

from typing import Any

import numpy as np

from qkvdocs.attention import FloatArray
from qkvdocs.demos.parts import equals_sign, plain, token
from qkvdocs.examples import Sentence, engineer
from qkvdocs.languages import Language

SHOWN_DIGITS = 2


def data(language: Language) -> dict[str, object]:
    """Return the tokens, their vectors, the first token's lookup, and what all four get."""
    return {
        "tokens": [token(label, language) for label in engineer.tokens],
        "match": [label[language] for label in engineer.match_dimensions],
        "carry": [label[language] for label in engineer.value_dimensions],
        "queries": plain(engineer.q),
        "keys": plain(engineer.k),
        "values": plain(engineer.v),
        "first": lookup(engineer, 0),
        # A column for each token that asks.
        "all_queries": plain(engineer.q.T),
        "all_scores": plain(engineer.scores.T),
        "all_weights": plain(engineer.weights.T),
        "all_outputs": plain(engineer.output.T),
    }


def live(data: dict[str, Any]) -> dict[str, object]:
    """Return the vectors; the script looks up with them."""
    return {
        "tokens": [token["text"] for token in data["tokens"]],
        **{name: data[name] for name in ("queries", "keys", "values")},
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
    }


def running_sign(parts: FloatArray, running: FloatArray, step: int) -> str:
    """Return "=" if the sum so far, as shown, is the one before plus this part, as shown."""
    before = running[step - 1] if step else np.zeros(running.shape[1])
    signs = {
        equals_sign((done, part), total, SHOWN_DIGITS)
        for done, part, total in zip(before, parts[step], running[step], strict=True)
    }
    return "=" if signs == {"="} else "≈"
