"""Soft against hard retrieval: nudges, slopes, ties, temperature, distractors."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from qkvdocs.attention import (
    FloatArray,
    attention,
    attention_scores,
    attention_weights,
    hard_retrieval,
)
from qkvdocs.examples import engineer
from qkvdocs.experiments.gradients import STEP, measured_gradient
from qkvdocs.kept import kept
from qkvdocs.languages import Label


@dataclass(frozen=True, eq=False)
class Nudge:
    """What a small change of one score does to a lookup of two values, 0 and 10.

    Parameters
    ----------
    scores_before, scores_after : (2,)
    weights_before, weights_after : (2,)
    soft_before, soft_after
        the weighted mean of the two values
    hard_before, hard_after
        the value of the better key
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
    """Raise the second of two nearly tied scores: hard output jumps, soft output moves a little.

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
    difference : (steps,)
        second score minus first
    soft, hard : (steps,)
        the outputs
    soft_slope, hard_slope : (steps,)
        central differences with respect to the second score
    """

    difference: FloatArray
    soft: FloatArray
    hard: FloatArray
    soft_slope: FloatArray
    hard_slope: FloatArray


@kept
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


@dataclass(frozen=True, eq=False)
class RetrievalGradients:
    """The gradient of one entry of the output with respect to the query, found in two ways.

    Parameters
    ----------
    soft, hard : (d_k,)
        by the formula
    soft_measured, hard_measured : (d_k,)
        by central differences
    random_queries
        how many random queries were tried besides
    hard_zero_share, soft_zero_share
        share of them where the measured gradient is exactly zero
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


@kept
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
    """A verb looks for its subject and its object, whose keys match it equally well.

    Parameters
    ----------
    tokens
        subject, verb, object
    weights : (3,)
        of the verb's query
    soft, hard : (2,)
        the outputs: what is known of the subject, what of the object
    mean : (2,)
        the mean of the two values sought
    """

    tokens: tuple[Label, ...]
    weights: FloatArray
    soft: FloatArray
    hard: FloatArray
    mean: FloatArray


def tie() -> Tie:
    """Let *eats* look for who and what in *cat eats fish*: soft blends both, hard takes the first.

    Built by hand: the keys (8), (0), (8) against the query (1); the values of subject and object
    are (1, 0) and (0, 1).

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
    sequences
        how many were tried
    symbols
        what each of the two answers is one of
    soft, hard
        share of sequences where both answers are right
    """

    sequences: int
    symbols: int
    soft: float
    hard: float


@kept
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
    sizes
        n, the number of keys
    top_weight : (sizes,)
        mean weight of the matching key
    soft_error, hard_error : (sizes,)
        mean distance of the output from the value sought, in units of that value's length
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


@kept
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
    temperature
        T in softmax(scores / T)
    weights : (n,)
    output, hard : (d_v,)
        the soft output at T, and the hard one
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
