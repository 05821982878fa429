"""What attention weights cannot say."""

import math
from dataclasses import dataclass

import numpy as np

from qkvdocs.attention import FloatArray, attention_scores, attention_weights, softmax


@dataclass(frozen=True, eq=False)
class NoMatch:
    """A query that nothing answers.

    Parameters
    ----------
    scores, weights : (3,)
    total
        the sum of the weights
    hard
        the index argmax returns
    """

    scores: FloatArray
    weights: FloatArray
    total: float
    hard: int


def no_match() -> NoMatch:
    """Ask for something that all three keys point away from: weight 1 is handed out all the same.

    Examples
    --------
    >>> no_match().scores.tolist(), round(no_match().total, 6), no_match().hard
    ([-3.0, -2.0, -4.0], 1.0, 1)
    """
    query, key = [[1.0]], [[-3.0], [-2.0], [-4.0]]
    scores = attention_scores(query, key, scale=1)[0]
    weights = softmax(scores)
    return NoMatch(scores, weights, float(weights.sum()), int(scores.argmax()))


@dataclass(frozen=True, eq=False)
class LongValue:
    """A small weight on a long value.

    Parameters
    ----------
    weights : (2,)
        α
    values : (2, 2)
        v
    lengths : (2,)
        |v|
    moved : (2,)
        |α v|, what each contributes to the output
    output : (2,)
    """

    weights: FloatArray
    values: FloatArray
    lengths: FloatArray
    moved: FloatArray
    output: FloatArray


def long_value() -> LongValue:
    """Give weight 0.8 to a value of length 1 and 0.2 to one of length 10: the second moves more.

    Examples
    --------
    >>> long_value().weights.round(2).tolist(), long_value().moved.round(2).tolist()
    ([0.8, 0.2], [0.8, 2.0])
    """
    query, key = [[1.0]], [[math.log(4)], [0.0]]
    values = np.array([[1.0, 0.0], [0.0, 10.0]])
    weights = attention_weights(query, key, scale=1)[0]
    lengths = np.linalg.norm(values, axis=1)
    return LongValue(weights, values, lengths, weights * lengths, weights @ values)
