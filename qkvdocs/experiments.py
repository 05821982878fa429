"""The measured claims of the course: one function a claim, each returning named numbers.

A page prints `{value: nudge(0.01).soft_change | .3f}`; a figure, a demo or a snippet asks the same
function, so that a claim has one number wherever it is shown. What is random is drawn from a
generator whose seed is a parameter; what takes more than a few milliseconds is cached.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np

from qkvdocs import examples
from qkvdocs.attention import (
    FloatArray,
    attention,
    attention_scores,
    attention_weights,
    hard_retrieval,
    softmax,
)
from qkvdocs.examples import Sentence, engineer, find_referent
from qkvdocs.languages import Label
from qkvdocs.training import TaskName, Variant, projection_gradients, task, train

# --- soft against hard ---


@dataclass(frozen=True, eq=False)
class Nudge:
    """What a small change of one score does to a lookup of two values, 0 and 10.

    Parameters
    ----------
    scores_before, scores_after : (2,)
    weights_before, weights_after : (2,)
    soft_before, soft_after : the weighted mean of the two values
    hard_before, hard_after : the value of the better key
    """

    scores_before: FloatArray
    scores_after: FloatArray
    weights_before: FloatArray
    weights_after: FloatArray
    soft_before: float
    soft_after: float
    hard_before: float
    hard_after: float

    @property
    def soft_change(self) -> float:
        """How far the soft output moved."""
        return self.soft_after - self.soft_before

    @property
    def hard_change(self) -> float:
        """How far the hard output moved."""
        return self.hard_after - self.hard_before


def nudge(by: float = 0.01) -> Nudge:
    """Raise the second of two nearly tied scores: the hard output jumps, the soft one moves a bit.

    The query is (1), the keys are (1.000) and (0.995), the values 0 and 10; `by` is added to the
    second key. Without the scale the scores are the keys.

    Examples
    --------
    >>> small = nudge(0.01)
    >>> small.hard_before, small.hard_after
    (0.0, 10.0)
    >>> round(small.soft_before, 4), round(small.soft_after, 4)
    (4.9875, 5.0125)
    """
    query, value = [[1.0]], [[0.0], [10.0]]
    before, after = [[1.0], [0.995]], [[1.0], [0.995 + by]]

    return Nudge(
        scores_before=attention_scores(query, before, scale=1)[0],
        scores_after=attention_scores(query, after, scale=1)[0],
        weights_before=attention_weights(query, before, scale=1)[0],
        weights_after=attention_weights(query, after, scale=1)[0],
        soft_before=float(attention(query, before, value, scale=1)[0, 0]),
        soft_after=float(attention(query, after, value, scale=1)[0, 0]),
        hard_before=float(hard_retrieval(query, before, value)[0, 0]),
        hard_after=float(hard_retrieval(query, after, value)[0, 0]),
    )


@dataclass(frozen=True, eq=False)
class RetrievalSweep:
    """Both outputs and their slopes as one score passes another.

    Parameters
    ----------
    difference : (steps,), second score minus first
    soft, hard : (steps,), the outputs
    soft_slope, hard_slope : (steps,), central differences with respect to the second score
    """

    difference: FloatArray
    soft: FloatArray
    hard: FloatArray
    soft_slope: FloatArray
    hard_slope: FloatArray


@cache
def retrieval_sweep(steps: int = 120) -> RetrievalSweep:
    """Let the second score pass the first, from 6 below to 6 above, with the values 0 and 10.

    An even number of steps leaves out the tie itself, where the hard output has no slope.

    Examples
    --------
    >>> sweep = retrieval_sweep()
    >>> float(sweep.hard_slope.max()), round(float(sweep.soft_slope.max()), 2)
    (0.0, 2.5)
    """
    difference = np.linspace(-6, 6, steps)
    value = [[0.0], [10.0]]

    def keys(shift: FloatArray) -> FloatArray:
        return np.stack([np.zeros_like(shift), shift], axis=-1)[..., np.newaxis]

    def soft(shift: FloatArray) -> FloatArray:
        return attention([[1.0]], keys(shift), value, scale=1)[:, 0, 0]

    def hard(shift: FloatArray) -> FloatArray:
        return hard_retrieval([[1.0]], keys(shift), value)[:, 0, 0]

    def slope(output: Callable[[FloatArray], FloatArray]) -> FloatArray:
        rise: FloatArray = output(difference + STEP) - output(difference - STEP)
        slopes: FloatArray = rise / (2 * STEP)
        return slopes

    return RetrievalSweep(difference, soft(difference), hard(difference), slope(soft), slope(hard))


STEP = 1e-5
"""Half the width of a central difference: truncation about STEP², rounding about 1e-16/STEP."""


def measured_gradient(loss: Callable[[FloatArray], float], at: FloatArray) -> FloatArray:
    """Return the gradient of `loss` at an array by central differences, one entry after the other.

    Examples
    --------
    >>> measured_gradient(lambda x: float(x[0] ** 2 * x[1]), np.array([3.0, 2.0])).round(6).tolist()
    [12.0, 9.0]
    """
    result = np.empty_like(at)
    for index in np.ndindex(at.shape):
        step = np.zeros_like(at)
        step[index] = STEP
        result[index] = (loss(at + step) - loss(at - step)) / (2 * STEP)
    return result


@dataclass(frozen=True, eq=False)
class RetrievalGradients:
    """The gradient of one entry of the output with respect to the query, by two ways.

    Parameters
    ----------
    soft, hard : (d_k,), by the formula
    soft_measured, hard_measured : (d_k,), by central differences
    random_queries : how many random queries were tried besides
    hard_zero_share, soft_zero_share : share of them where the measured gradient is exactly zero
    """

    soft: FloatArray
    hard: FloatArray
    soft_measured: FloatArray
    hard_measured: FloatArray
    random_queries: int
    hard_zero_share: float
    soft_zero_share: float

    @property
    def soft_norm(self) -> float:
        """The length of the soft gradient."""
        return float(np.linalg.norm(self.soft))

    @property
    def hard_norm(self) -> float:
        """The length of the hard gradient."""
        return float(np.linalg.norm(self.hard))

    @property
    def soft_error(self) -> float:
        """The largest difference between formula and measurement."""
        return float(np.abs(self.soft - self.soft_measured).max())

    @property
    def hard_error(self) -> float:
        """The largest difference between formula and measurement."""
        return float(np.abs(self.hard - self.hard_measured).max())


@cache
def retrieval_gradients(seed: int = 0) -> RetrievalGradients:
    """Ask how "where" in the output of 工程师 (engineer) depends on its query, soft and hard.

    Soft: ∂o/∂q = Σ_j α_j (v_j - o) k_j. Hard: argmax is constant around almost every query, so 0.

    Examples
    --------
    >>> gradients = retrieval_gradients()
    >>> gradients.soft.round(3).tolist()
    [0.291, -0.422]
    >>> gradients.hard.tolist()
    [0.0, 0.0]
    """
    key, where = engineer.k, engineer.v[:, [1]]
    query = engineer.q[engineer.position("engineer")]

    def soft(q: FloatArray) -> float:
        return float(attention(q[np.newaxis], key, where, scale=1)[0, 0])

    def hard(q: FloatArray) -> float:
        return float(hard_retrieval(q[np.newaxis], key, where)[0, 0])

    weights = attention_weights(query[np.newaxis], key, scale=1)[0]
    random = np.random.default_rng(seed).normal(size=(200, query.size))

    def zero_share(output: Callable[[FloatArray], float]) -> float:
        return float(np.mean([not measured_gradient(output, q).any() for q in random]))

    return RetrievalGradients(
        soft=(weights * (where[:, 0] - soft(query))) @ key,
        hard=np.zeros_like(query),
        soft_measured=measured_gradient(soft, query),
        hard_measured=measured_gradient(hard, query),
        random_queries=len(random),
        hard_zero_share=zero_share(hard),
        soft_zero_share=zero_share(soft),
    )


@dataclass(frozen=True, eq=False)
class Tie:
    """A verb looks for its subject and its object, which match it equally well.

    Parameters
    ----------
    tokens : subject, verb, object
    weights : (3,), of the verb's query
    soft, hard : (2,), the outputs: what is known of the subject, what of the object
    mean : (2,), the mean of the two values sought
    """

    tokens: tuple[Label, ...]
    weights: FloatArray
    soft: FloatArray
    hard: FloatArray
    mean: FloatArray


def tie() -> Tie:
    """Let *eats* look for who and what in *cat eats fish*: soft blends both, hard takes the first.

    Keys (8), (0), (8) against the query (1); the values of subject and object are (1, 0), (0, 1).

    Examples
    --------
    >>> both = tie()
    >>> both.soft.round(3).tolist(), both.hard.tolist()
    ([0.5, 0.5], [1.0, 0.0])
    """
    query, key = [[1.0]], [[8.0], [0.0], [8.0]]
    value = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]])
    return Tie(
        tokens=(Label(zh="猫", en="cat"), Label(zh="吃", en="eats"), Label(zh="鱼", en="fish")),
        weights=attention_weights(query, key, scale=1)[0],
        soft=attention(query, key, value, scale=1)[0],
        hard=hard_retrieval(query, key, value)[0],
        mean=value[[0, 2]].mean(axis=0),
    )


@dataclass(frozen=True)
class TwoSources:
    """Accuracy of a lookup that needs two positions at once.

    Parameters
    ----------
    sequences : how many were tried
    symbols : what each of the two answers is one of
    soft, hard : share of sequences where both answers are right
    """

    sequences: int
    symbols: int
    soft: float
    hard: float


@cache
def two_sources(sequences: int = 2000, symbols: int = 6, seed: int = 0) -> TwoSources:
    """Read a subject and an object, each one of six symbols, out of eight positions at once.

    Two positions match the query equally well. The value of one says its symbol in the first six
    entries, that of the other in the last six; the answers are the largest entry of each half.

    Examples
    --------
    >>> two_sources().soft
    1.0
    """
    rng = np.random.default_rng(seed)
    n, who, what = 8, 0, 1
    order = rng.permuted(np.tile(np.arange(n), (sequences, 1)), axis=1)  # role of each position
    symbol = rng.integers(symbols, size=(sequences, n))
    value = np.zeros((sequences, n, 2 * symbols))
    rows, columns = np.indices((sequences, n))
    value[rows, columns, symbol + symbols * (order == what)] = 1
    sought = (order == who) | (order == what)
    key = np.where(sought, 8.0, 0.0)[..., np.newaxis]
    target = np.stack([symbol[order == who], symbol[order == what]], axis=-1)

    def accuracy(output: FloatArray) -> float:
        answer = output.reshape(sequences, 2, symbols).argmax(axis=-1)
        return float((answer == target).all(axis=-1).mean())

    query = np.ones((sequences, 1, 1))
    return TwoSources(
        sequences=sequences,
        symbols=symbols,
        soft=accuracy(attention(query, key, value, scale=1)),
        hard=accuracy(hard_retrieval(query, key, value)),
    )


@dataclass(frozen=True, eq=False)
class Dilution:
    """How the weight of the one matching key thins out among random others.

    Parameters
    ----------
    sizes : n, the number of keys
    top_weight : (sizes,), mean weight of the matching key
    soft_error, hard_error : (sizes,), mean distance of the output from the value sought, in
        units of that value's length
    """

    sizes: tuple[int, ...]
    top_weight: FloatArray
    soft_error: FloatArray
    hard_error: FloatArray
    width: int
    trials: int

    def at(self, n: int) -> "DilutionAt":
        """Return the numbers for n keys, n one of `sizes`."""
        if n not in self.sizes:
            raise ValueError(f"n: wanted one of {', '.join(map(str, self.sizes))}; got {n}")
        index = self.sizes.index(n)
        return DilutionAt(
            n,
            float(self.top_weight[index]),
            float(self.soft_error[index]),
            float(self.hard_error[index]),
        )


@dataclass(frozen=True)
class DilutionAt:
    """One size of `Dilution`."""

    n: int
    top_weight: float
    soft_error: float
    hard_error: float


@cache
def dilution(trials: int = 20, seed: int = 0) -> Dilution:
    """Hide one matching key among n - 1 random ones, n = 8 … 4096, and look it up.

    Keys and values are standard normal, 40 and 8 wide; the query is the key sought; the scale is
    1/√d_k.

    Examples
    --------
    >>> thin = dilution()
    >>> thin.at(8).top_weight > 0.9, thin.at(4096).top_weight < 0.2
    (True, True)
    """
    width = 40
    sizes = tuple(2**power for power in range(3, 13))
    rng = np.random.default_rng(seed)
    key = rng.normal(size=(trials, sizes[-1], width))
    value = rng.normal(size=(trials, sizes[-1], 8))
    query, sought = key[:, :1], value[:, 0]
    length = np.linalg.norm(sought, axis=-1)

    def error(output: FloatArray) -> float:
        return float((np.linalg.norm(output[:, 0] - sought, axis=-1) / length).mean())

    return Dilution(
        sizes=sizes,
        top_weight=np.array([attention_weights(query, key[:, :n])[:, 0, 0].mean() for n in sizes]),
        soft_error=np.array([error(attention(query, key[:, :n], value[:, :n])) for n in sizes]),
        hard_error=np.array(
            [error(hard_retrieval(query, key[:, :n], value[:, :n])) for n in sizes]
        ),
        width=width,
        trials=trials,
    )


@dataclass(frozen=True, eq=False)
class Temperature:
    """One query's lookup at one temperature.

    Parameters
    ----------
    temperature : T in softmax(scores / T)
    weights : (n,)
    output, hard : (d_v,), the soft output at T, and the hard one
    """

    temperature: float
    weights: FloatArray
    output: FloatArray
    hard: FloatArray

    @property
    def distance(self) -> float:
        """How far the soft output is from the hard one."""
        return float(np.linalg.norm(self.output - self.hard))


def temperature(t: float = 1.0, asking: str = "engineer") -> Temperature:
    """Look up one token of the sentence `engineer` with its scores divided by t > 0.

    Examples
    --------
    >>> temperature(1000).weights.round(2).tolist()
    [0.25, 0.25, 0.25, 0.25]
    >>> temperature(0.05).weights.round(2).tolist()
    [0.0, 0.0, 1.0, 0.0]
    """
    if t <= 0:
        raise ValueError(f"t: wanted a temperature above 0, got {t}; hard retrieval is its limit")
    query = engineer.q[[engineer.position(asking)]]
    return Temperature(
        temperature=t,
        weights=attention_weights(query, engineer.k, scale=1 / t)[0],
        output=attention(query, engineer.k, engineer.v, scale=1 / t)[0],
        hard=hard_retrieval(query, engineer.k, engineer.v)[0],
    )


TEMPERATURES = tuple(float(t) for t in np.geomspace(100, 0.01, 81))
"""From nearly uniform weights to nearly one-hot ones."""


# --- tied, untied and absent projections ---


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
        """How many tokens score none higher than themselves."""
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
    """Compare the tokens of `engineer` as built: W^Q ≠ W^K."""
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
    """How often a token is the largest score of its own row, at random.

    Parameters
    ----------
    tied, separate : shares of rows
    n, d_model, d_k : the sizes
    cases : number of random sentences
    """

    tied: float
    separate: float
    n: int
    d_model: int
    d_k: int
    cases: int


@cache
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
    mixing : (2, 2), M
    w_q, w_k : (d_model, d_k), W^Q M and W^K M⁻ᵀ
    difference : the largest difference of a score
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


# --- what weights cannot say ---


@dataclass(frozen=True, eq=False)
class NoMatch:
    """A query that nothing answers.

    Parameters
    ----------
    scores, weights : (3,)
    total : the sum of the weights
    hard : the index argmax returns
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
    weights : (2,), α
    values : (2, 2), v
    lengths : (2,), |v|
    moved : (2,), |α v|, what each contributes to the output
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


# --- values and keys from elsewhere ---


@dataclass(frozen=True, eq=False)
class ValueReplaced:
    """What one token of `engineer` carries away with v = x W^V and with v = x.

    Parameters
    ----------
    projected : (d_v,), Σ α_j x_j W^V
    raw : (d_model,), Σ α_j x_j
    recovered : (d_v,), raw · W^V, which is `projected` again
    """

    projected: FloatArray
    raw: FloatArray
    recovered: FloatArray


def value_replaced(asking: str = "engineer") -> ValueReplaced:
    """Replace v_j by x_j: all five dimensions come along, and W^V may still be applied afterwards.

    Examples
    --------
    >>> both = value_replaced()
    >>> both.projected.shape, both.raw.shape
    ((3,), (5,))
    """
    weights = engineer.weights[engineer.position(asking)]
    raw = weights @ engineer.x
    return ValueReplaced(weights @ engineer.v, raw, raw @ engineer.w_v)


@dataclass(frozen=True, eq=False)
class MemoryLookup:
    """A question put to a memory whose keys and values come from different sources.

    Parameters
    ----------
    questions : the stored questions, one a key
    answers : the stored answers, one a value
    scores, weights : (4,), by matching the question with the stored questions
    answer_scores, answer_weights : (4,), by matching it with the stored answers instead
    answer : the stored answer with the largest weight
    """

    questions: tuple[Label, ...]
    answers: tuple[Label, ...]
    scores: FloatArray
    weights: FloatArray
    answer_scores: FloatArray
    answer_weights: FloatArray
    answer: Label


MEMORY = (
    (Label(zh="法国 首都", en="capital of France"), Label(zh="巴黎", en="Paris")),
    (Label(zh="法国 货币", en="currency of France"), Label(zh="欧元", en="euro")),
    (Label(zh="日本 首都", en="capital of Japan"), Label(zh="东京", en="Tokyo")),
    (Label(zh="日本 货币", en="currency of Japan"), Label(zh="日元", en="yen")),
)
"""Questions and answers; in neither language do an answer and a question share a word."""


def memory_lookup(asked: str = "capital of Japan") -> MemoryLookup:
    """Ask a key-value memory: keys count the words of questions, values those of answers.

    Matched against the answers, no question finds anything: they have no word in common. That is
    why key and value come from two sources here. Each word in common adds 3 to a score. The
    question is put in English, as the counts are made from the English texts.

    Notes
    -----
    After Miller et al. 2016, *Key-Value Memory Networks for Directly Reading Documents*.

    Examples
    --------
    >>> found = memory_lookup("capital of Japan")
    >>> found.answer.en, found.weights.round(3).tolist()
    ('Tokyo', [0.045, 0.002, 0.907, 0.045])
    >>> found.answer_weights.tolist()
    [0.25, 0.25, 0.25, 0.25]
    """
    questions, answers = zip(*MEMORY, strict=True)
    vocabulary = sorted({word for pair in MEMORY for text in pair for word in text.en.split()})

    def counts(texts: tuple[str, ...]) -> FloatArray:
        return np.array([[float(text.split().count(w)) for w in vocabulary] for text in texts])

    query = counts((asked,))
    keys = counts(tuple(question.en for question in questions))
    values = counts(tuple(answer.en for answer in answers))
    scores = attention_scores(query, keys, scale=3)[0]
    answer_scores = attention_scores(query, values, scale=3)[0]
    return MemoryLookup(
        questions=questions,
        answers=answers,
        scores=scores,
        weights=softmax(scores),
        answer_scores=answer_scores,
        answer_weights=softmax(answer_scores),
        answer=answers[int(scores.argmax())],
    )


@dataclass(frozen=True, eq=False)
class NextWord:
    """A next word looked up in stored contexts, as in a nearest-neighbour language model.

    Parameters
    ----------
    context : what the next word is wanted for
    contexts : the stored contexts, one a key
    followers : (4,), the word that followed each, one a value
    weights : (4,)
    words : the different followers
    word_weights : (words,), the weights of equal followers added up
    """

    context: Label
    contexts: tuple[Label, ...]
    followers: tuple[Label, ...]
    weights: FloatArray
    words: tuple[Label, ...]
    word_weights: FloatArray


_DRINK, _EAT = Label(zh="水", en="water"), Label(zh="饭", en="rice")

CONTEXTS = (
    (Label(zh="他 口渴 要喝", en="he is thirsty and drinks"), [1.0, 0.0], _DRINK),
    (Label(zh="她 跑完步 要喝", en="she has run and drinks"), [0.8, 0.2], _DRINK),
    (Label(zh="他 饿了 要吃", en="he is hungry and eats"), [0.0, 1.0], _EAT),
    (Label(zh="她 下班 要吃", en="she is off work and eats"), [0.2, 0.8], _EAT),
)
"""Contexts, their hand-made vectors (about drinking, about eating), and the word that followed."""


def next_word() -> NextWord:
    """Look up what followed the stored contexts most like a new one: key and value differ.

    The key is the vector of a context, the value is the word that came next. The score is minus
    the squared distance, times 4.

    Notes
    -----
    After Khandelwal et al. 2020, *Generalization through Memorization: Nearest Neighbor Language
    Models*.

    Examples
    --------
    >>> found = next_word()
    >>> [word.en for word in found.words], found.word_weights.round(2).tolist()
    (['water', 'rice'], [0.99, 0.01])
    """
    contexts = tuple(context for context, _, _ in CONTEXTS)
    followers = tuple(follower for _, _, follower in CONTEXTS)
    keys = np.array([vector for _, vector, _ in CONTEXTS])
    distance = ((keys - [0.9, 0.1]) ** 2).sum(axis=1)
    weights = softmax(-4 * distance)
    words = (_DRINK, _EAT)
    one_hot = np.array([[float(follower == word) for word in words] for follower in followers])
    return NextWord(
        context=Label(zh="她 口渴 要喝", en="she is thirsty and drinks"),
        contexts=contexts,
        followers=followers,
        weights=weights,
        words=words,
        word_weights=weights @ one_hot,
    )


# --- coreference ---


@dataclass(frozen=True)
class Coreference:
    """What *it* does with its two candidates, in the second of the two hand-built layers.

    Parameters
    ----------
    animal_score, street_score : q_it · k
    animal, street : the weights of *it*
    """

    animal_score: float
    street_score: float
    animal: float
    street: float


def coreference(ending: Literal["tired", "wide"], causal: bool = False) -> Coreference:
    """Let *it* look for its thing, seeing the whole sentence or (causal) only what came before.

    With `causal`, both layers have the mask: at *it*, neither *tired* nor *wide* was seen.

    Examples
    --------
    >>> round(coreference("tired").animal, 2), round(coreference("wide").animal, 2)
    (0.93, 0.03)
    >>> coreference("tired", causal=True) == coreference("wide", causal=True)
    True
    """
    endings: dict[str, Sentence] = {"tired": examples.tired_first, "wide": examples.wide_first}
    if ending not in endings:
        raise ValueError(f"ending: wanted one of {', '.join(endings)}; got {ending!r}")
    first = endings[ending]
    if causal:
        first = first.causal
    second = find_referent(first, ending)
    return Coreference(
        animal_score=second.score("it", "animal"),
        street_score=second.score("it", "street"),
        animal=second.weight("it", "animal"),
        street=second.weight("it", "street"),
    )


# --- one loss, three gradients ---


@dataclass(frozen=True, eq=False)
class ThreeGradients:
    """One loss on `engineer`, and its gradient with respect to each of the three matrices.

    Parameters
    ----------
    loss : the loss before any step
    w_q, w_k, w_v : gradients by the formula, of the shape of their matrix
    error : the largest difference from central differences, over all three
    norm_q, norm_k, norm_v : lengths of the three
    """

    loss: float
    w_q: FloatArray
    w_k: FloatArray
    w_v: FloatArray
    error: float

    @property
    def norm_q(self) -> float:
        """The length of the gradient of W^Q."""
        return float(np.linalg.norm(self.w_q))

    @property
    def norm_k(self) -> float:
        """The length of the gradient of W^K."""
        return float(np.linalg.norm(self.w_k))

    @property
    def norm_v(self) -> float:
        """The length of the gradient of W^V."""
        return float(np.linalg.norm(self.w_v))


@cache
def three_gradients() -> ThreeGradients:
    """Ask 工程师 (engineer) to carry away what 加州 (California) hands over, and differentiate.

        loss = ½ |o_engineer - v_California|², with the target held fixed

    Examples
    --------
    >>> three_gradients().error < 1e-8
    True
    """
    row = engineer.position("engineer")
    target = engineer.v[engineer.position("California")]
    matrices = (engineer.w_q, engineer.w_k, engineer.w_v)

    def loss(w_q: FloatArray, w_k: FloatArray, w_v: FloatArray) -> float:
        x = engineer.x
        output = attention(x @ w_q, x @ w_k, x @ w_v, scale=1)[row]
        return float(((output - target) ** 2).sum() / 2)

    d_output = np.zeros_like(engineer.output)
    d_output[row] = engineer.output[row] - target
    formula = projection_gradients(engineer.x, *matrices, d_output, scale=1)
    gradients = (formula.w_q, formula.w_k, formula.w_v)
    w_q, w_k, w_v = matrices
    measured = (
        measured_gradient(lambda w: loss(w, w_k, w_v), w_q),
        measured_gradient(lambda w: loss(w_q, w, w_v), w_k),
        measured_gradient(lambda w: loss(w_q, w_k, w), w_v),
    )
    error = max(float(np.abs(a - b).max()) for a, b in zip(gradients, measured, strict=True))
    return ThreeGradients(loss(*matrices), *gradients, error)


# --- trained ---


@dataclass(frozen=True)
class Trained:
    """What a model answers right after training, on sequences it never saw.

    Parameters
    ----------
    accuracy : mean over the seeds
    spread : standard deviation over the seeds
    lowest, highest : of the seeds
    chance : the accuracy of a blind guess
    seeds : how many models
    """

    accuracy: float
    spread: float
    lowest: float
    highest: float
    chance: float
    seeds: int


def trained(variant: Variant = "separate", task_name: TaskName = "same") -> Trained:
    """Train five models of a variant on a task; `qkvdocs.training` describes both.

    Examples
    --------
    Directed relations between the same tokens need W^Q ≠ W^K; they do without W^V, as W^O follows:

    >>> [round(trained(variant).accuracy, 2) for variant in ("separate", "tied", "no_value")]
    [1.0, 0.36, 1.0]

    Where those who ask are never asked, tying costs nothing:

    >>> trained("tied", "different").accuracy
    1.0

    No gradient passes argmax, so W^Q and W^K stay as they were and answers stay at chance:

    >>> round(trained("hard").accuracy, 2), trained("hard").chance
    (0.13, 0.125)
    """
    record = train(variant, task_name)
    return Trained(
        accuracy=record.mean,
        spread=record.spread,
        lowest=float(record.test_accuracy.min()),
        highest=float(record.test_accuracy.max()),
        chance=task(task_name).chance,
        seeds=len(record.seeds),
    )


@dataclass(frozen=True, eq=False)
class ComeApart:
    """How three equal matrices became three different ones.

    Parameters
    ----------
    qk_before, qv_before, kv_before : the cosine of each pair before training
    qk, qv, kv : after training
    q_reads_token, k_reads_token, v_reads_token : the share of each matrix (of its squared length)
        that reads which token it is; the rest reads which symbol it carries
    reads_token_before : the same before training, equal for the three
    sources_found : share of tokens whose largest score is that of their source, over all seeds
    score_table : (m, m), scores between tokens, mean over the seeds; row asks, column is asked
    norm_q, norm_k, norm_v : (steps,), length of each gradient, mean over the seeds
    accuracy : (steps,), mean over the seeds, on the sequences of the step, before it
    """

    qk_before: float
    qv_before: float
    kv_before: float
    qk: float
    qv: float
    kv: float
    q_reads_token: float
    k_reads_token: float
    v_reads_token: float
    reads_token_before: float
    sources_found: float
    score_table: FloatArray
    norm_q: FloatArray
    norm_k: FloatArray
    norm_v: FloatArray
    accuracy: FloatArray

    @property
    def first_step_all_right(self) -> int:
        """The first step at which all five models answered all they were asked."""
        return int((self.accuracy == 1).argmax())

    @property
    def v_signal_at_start(self) -> float:
        """How many times as long as the gradient of W^Q that of W^V is before the first step."""
        return float(self.norm_v[0] / self.norm_q[0])


@cache
def come_apart() -> ComeApart:
    """Train W^Q, W^K and W^V from one and the same start and say what they became.

    Examples
    --------
    >>> apart = come_apart()
    >>> round(apart.qk_before, 2), round(abs(apart.qk), 1)
    (1.0, 0.0)
    >>> apart.q_reads_token > 0.9, apart.k_reads_token > 0.9, apart.v_reads_token < 0.1
    (True, True, True)
    """
    record = train("separate", "same")
    relation = task("same").relation
    m = len(relation)
    w_q, w_k = record.after["w_q"], record.after["w_k"]
    scores = attention_scores(w_q[:, :m], w_k[:, :m])  # (seeds, m, m)

    def token_share(matrix: FloatArray) -> float:
        squares = matrix**2
        return float((squares[:, :m].sum(axis=(1, 2)) / squares.sum(axis=(1, 2))).mean())

    def overlap(pair: str, step: int) -> float:
        return float(record.overlap[pair][:, step].mean())

    return ComeApart(
        qk_before=overlap("qk", 0),
        qv_before=overlap("qv", 0),
        kv_before=overlap("kv", 0),
        qk=overlap("qk", -1),
        qv=overlap("qv", -1),
        kv=overlap("kv", -1),
        q_reads_token=token_share(w_q),
        k_reads_token=token_share(w_k),
        v_reads_token=token_share(record.after["w_v"]),
        reads_token_before=token_share(record.before["w_q"]),
        sources_found=float((scores.argmax(axis=-1) == relation.argmax(axis=-1)).mean()),
        score_table=scores.mean(axis=0),
        norm_q=record.norms["w_q"].mean(axis=0),
        norm_k=record.norms["w_k"].mean(axis=0),
        norm_v=record.norms["w_v"].mean(axis=0),
        accuracy=record.accuracy.mean(axis=0),
    )
