"""Tied, untied and absent projections: which scores they give."""

from dataclasses import dataclass

import numpy as np

from qkvdocs.attention import FloatArray, attention_scores, attention_weights
from qkvdocs.examples import engineer
from qkvdocs.kept import kept


@dataclass(frozen=True, eq=False)
class Projections:
    """The scores and weights of a sentence under one choice of W^Q and W^K.

    Parameters
    ----------
    scores, weights : (n, n)
    """

    scores: FloatArray
    weights: FloatArray

    @property
    def score_asymmetry(self) -> float:
        """The largest |s_ij - s_ji|."""
        return float(np.abs(self.scores - self.scores.T).max())

    @property
    def weight_asymmetry(self) -> float:
        """The largest |α_ij - α_ji|."""
        return float(np.abs(self.weights - self.weights.T).max())

    @property
    def self_favouring(self) -> int:
        """How many tokens give no other token a higher score than themselves."""
        return int((np.diag(self.scores) >= self.scores.max(axis=1) - 1e-12).sum())

    @property
    def excess(self) -> float:
        """The largest s_ij - max(s_ii, s_jj): not above 0 where W^Q = W^K."""
        own = np.diag(self.scores)
        return float((self.scores - np.maximum(own[:, np.newaxis], own)).max())


def _self_attention(query: FloatArray, key: FloatArray) -> Projections:
    return Projections(
        scores=attention_scores(query, key, scale=1),
        weights=attention_weights(query, key, scale=1),
    )


def separate() -> Projections:
    """Compare the tokens of `engineer` with the matrices as built: W^Q ≠ W^K."""
    return _self_attention(engineer.q, engineer.k)


def tied() -> Projections:
    """Compare the tokens of `engineer` with W^Q = W^K, both the matrix built as W^K."""
    return _self_attention(engineer.k, engineer.k)


def tied_unit() -> Projections:
    """As `tied`, with each projected row divided by its length, so that all are equally long."""
    unit = engineer.k / np.linalg.norm(engineer.k, axis=1, keepdims=True)
    return _self_attention(unit, unit)


def no_projection() -> Projections:
    """Compare the tokens of `engineer` without any projection: the scores are X Xᵀ."""
    return _self_attention(engineer.x, engineer.x)


@dataclass(frozen=True)
class SelfPreference:
    """How often a token scores itself highest when everything is random.

    Parameters
    ----------
    tied, separate
        the shares of tokens that do, with W^Q = W^K and with W^Q ≠ W^K
    n, d_model, d_k
        the sizes
    cases
        number of random sentences
    """

    tied: float
    separate: float
    n: int
    d_model: int
    d_k: int
    cases: int


@kept
def self_preference(
    n: int = 5, d_model: int = 8, d_k: int = 4, cases: int = 4000, seed: int = 0
) -> SelfPreference:
    """Draw X, W^Q and W^K from a standard normal and count rows whose largest score is their own.

    Examples
    --------
    >>> self_preference().tied > 0.6, self_preference().separate < 0.25
    (True, True)
    """
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(cases, n, d_model))
    w_q = rng.normal(size=(cases, d_model, d_k))
    w_k = rng.normal(size=(cases, d_model, d_k))

    def share(w: FloatArray) -> float:
        return float((attention_scores(x @ w_q, x @ w).argmax(axis=-1) == np.arange(n)).mean())

    return SelfPreference(share(w_q), share(w_k), n, d_model, d_k, cases)


@dataclass(frozen=True)
class Equality:
    """Two ways to compute one thing, and the largest difference between them."""

    difference: float


def value_then_output(seed: int = 0) -> Equality:
    """Compare A (X W^V) W^O with A X (W^V W^O) on `engineer` and a random W^O.

    Examples
    --------
    >>> value_then_output().difference < 1e-12
    True
    """
    w_o = np.random.default_rng(seed).normal(size=(engineer.w_v.shape[1], 5))
    weights, x, w_v = engineer.weights, engineer.x, engineer.w_v
    return Equality(float(np.abs(weights @ (x @ w_v) @ w_o - weights @ x @ (w_v @ w_o)).max()))


@dataclass(frozen=True, eq=False)
class ScoreFactors:
    """Other matrices that give the same scores.

    Parameters
    ----------
    mixing : (2, 2)
        the invertible M
    w_q, w_k : (d_model, d_k)
        W^Q M and W^K M⁻ᵀ
    difference
        the largest difference of a score
    """

    mixing: FloatArray
    w_q: FloatArray
    w_k: FloatArray
    difference: float


def score_factors() -> ScoreFactors:
    """Replace W^Q by W^Q M and W^K by W^K M⁻ᵀ on `engineer`: other matrices, the same scores.

    Examples
    --------
    >>> score_factors().difference < 1e-12
    True
    """
    mixing = np.array([[2.0, 1.0], [0.0, 0.5]])
    w_q, w_k = engineer.w_q @ mixing, engineer.w_k @ np.linalg.inv(mixing).T
    scores = attention_scores(engineer.x @ w_q, engineer.x @ w_k, scale=1)
    return ScoreFactors(mixing, w_q, w_k, float(np.abs(scores - engineer.scores).max()))
