"""The gradients of attention by hand, and a small model that learns W^Q, W^K and W^V with them.

With A = softmax(S), S = Q Kᵀ · scale, O = A V and a loss of gradient dO with respect to O:

    dV = Aᵀ dO,    dA = dO Vᵀ,    dS = A ⊙ (dA - rowsum(A ⊙ dA)),
    dQ = dS K · scale,    dK = dSᵀ Q · scale
    dW^Q = Xᵀ dQ,    dW^K = Xᵀ dK,    dW^V = Xᵀ dV

The three matrices stand in different places in the formula, so each receives a different gradient.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from qkvdocs.attention import (
    BoolArray,
    FloatArray,
    attention_scores,
    attention_weights,
    project,
    softmax,
)
from qkvdocs.kept import kept


@dataclass(frozen=True, eq=False)
class AttentionGradients:
    """The gradients of one loss with respect to Q, K and V, each in the shape of its matrix."""

    query: FloatArray
    key: FloatArray
    value: FloatArray


@dataclass(frozen=True, eq=False)
class ProjectionGradients:
    """The gradients of one loss with respect to W^Q, W^K and W^V, each in their shape."""

    w_q: FloatArray
    w_k: FloatArray
    w_v: FloatArray


def attention_gradients(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    d_output: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    scale: float | None = None,
) -> AttentionGradients:
    """Carry the gradient of a loss back through attention, from the output to Q, K and V.

        dV = Aᵀ dO,    dS = A ⊙ (dA - rowsum(A ⊙ dA)) with dA = dO Vᵀ,
        dQ = dS K · scale,    dK = dSᵀ Q · scale

    Parameters
    ----------
    query : array_like of shape (..., n_q, d_k)
    key : array_like of shape (..., n_k, d_k)
    value : array_like of shape (..., n_k, d_v)
    d_output : array_like of shape (..., n_q, d_v)
        Gradient of the loss with respect to the output.
    mask : array_like of bool, broadcastable to (..., n_q, n_k), optional
        True = this query may attend to this key.
    scale : float, optional
        Factor of the dot products, 1/√d_k unless given.

    Returns
    -------
    AttentionGradients
        query (..., n_q, d_k), key (..., n_k, d_k), value (..., n_k, d_v). The leading dimensions
        of the three inputs must be equal: a broadcast input would need a sum over its copies.

    Raises
    ------
    TypeError
        As `attention`.
    ValueError
        As `attention`, and if the leading dimensions differ, or `d_output` doesn't have the shape
        of the output.

    Notes
    -----
    Source: the derivative of Vaswani et al. 2017, eq. 1; dS is the Jacobian of softmax,
    ∂α_i/∂e_j = α_i (δ_ij - α_j), applied to dA.

    Examples
    --------
    Two keys tie, so both weights are 1/2. A gradient of 1 at the output hands half to each value;
    raising the query favours the second key, whose value is larger: 1/2·1/2·(8 - 4) = 1.

    >>> from qkvdocs.training import attention_gradients
    >>> gradients = attention_gradients([[0]], [[0], [1]], [[4], [8]], [[1]])
    >>> gradients.value.tolist()
    [[0.5], [0.5]]
    >>> gradients.query.tolist()
    [[1.0]]
    """
    weights = attention_weights(query, key, mask=mask, scale=scale)  # (..., n_q, n_k)
    Q, K, V, d_O = (
        np.asarray(array, dtype=weights.dtype) for array in (query, key, value, d_output)
    )
    wanted = {
        "key": (*Q.shape[:-2], K.shape[-2], Q.shape[-1]),
        "value": (*Q.shape[:-2], K.shape[-2], V.shape[-1]),
        "d_output": (*Q.shape[:-1], V.shape[-1]),
    }
    for (name, shape), array in zip(wanted.items(), (K, V, d_O), strict=True):
        if array.shape != shape:
            raise ValueError(
                f"{name}: wanted shape {shape}, beside a query of shape {Q.shape}; "
                f"got {array.shape}: repeat what broadcasts with np.broadcast_to"
            )
    factor = 1 / math.sqrt(Q.shape[-1]) if scale is None else scale
    return _backward(weights, Q, K, V, d_O, factor)


def _backward(
    weights: FloatArray,
    Q: FloatArray,
    K: FloatArray,
    V: FloatArray,
    d_O: FloatArray,
    factor: float,
) -> AttentionGradients:
    d_weights = d_O @ V.mT  # (..., n_q, n_k)
    mean = (weights * d_weights).sum(axis=-1, keepdims=True)  # (..., n_q, 1)
    d_scores = weights * (d_weights - mean)  # (..., n_q, n_k)
    return AttentionGradients(
        query=d_scores @ K * factor,
        key=d_scores.mT @ Q * factor,
        value=weights.mT @ d_O,
    )


def projection_gradients(
    x: ArrayLike,
    w_q: ArrayLike,
    w_k: ArrayLike,
    w_v: ArrayLike,
    d_output: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    scale: float | None = None,
) -> ProjectionGradients:
    """Carry the gradient of a loss back to the three matrices of a self-attention.

        dW^Q = Xᵀ dQ,    dW^K = Xᵀ dK,    dW^V = Xᵀ dV

    Parameters
    ----------
    x : array_like of shape (n, d_model)
    w_q, w_k : array_like of shape (d_model, d_k)
    w_v : array_like of shape (d_model, d_v)
    d_output : array_like of shape (n, d_v)
        Gradient of the loss with respect to the output.
    mask : array_like of bool, broadcastable to (n, n), optional
    scale : float, optional

    Returns
    -------
    ProjectionGradients
        w_q and w_k (d_model, d_k), w_v (d_model, d_v).

    Raises
    ------
    TypeError
        As `project` and `attention_gradients`.
    ValueError
        As those two.

    Notes
    -----
    Source: the derivative of Vaswani et al. 2017, section 3.2.2, for one head.

    Examples
    --------
    A loss that asks for more of the output of the second token alone:

    >>> from qkvdocs.training import projection_gradients
    >>> one = [[1, 0], [0, 1]]
    >>> gradients = projection_gradients(one, [[0], [0]], [[0], [1]], one, [[0, 0], [0, 1]])
    >>> gradients.w_q.tolist()
    [[0.0], [0.25]]
    >>> gradients.w_k.tolist()
    [[0.0], [0.0]]
    >>> gradients.w_v.tolist()
    [[0.0, 0.5], [0.0, 0.5]]
    """
    Q, K, V = project(x, w_q, w_k, w_v)
    X = np.asarray(x, dtype=Q.dtype)
    d = attention_gradients(Q, K, V, d_output, mask=mask, scale=scale)
    return ProjectionGradients(w_q=X.mT @ d.query, w_k=X.mT @ d.key, w_v=X.mT @ d.value)


Variant = Literal["separate", "tied", "no_value", "hard"]
VARIANTS: tuple[Variant, ...] = get_args(Variant)
"""separate: all three matrices. tied: W^Q = W^K. no_value: v = x. hard: argmax for softmax."""

TaskName = Literal["same", "different", "two"]
TASKS: tuple[TaskName, ...] = get_args(TaskName)

Parameters = Mapping[str, FloatArray]


@dataclass(frozen=True, eq=False)
class Task:
    """Which token has to fetch the symbol of which other token, or of which two.

    A sequence holds each of the m tokens once, and each token carries one of m symbols, drawn anew
    and independently for every sequence. x is the token, one-hot, beside its symbol, one-hot. A
    token that asks must name the symbol that its source carries (or the symbols of its sources).
    Who the source is never changes and must be learned; what it carries changes and must be looked
    up. The tokens always stand in the same order, which attention without positions cannot see.

    Parameters
    ----------
    relation : (m, m)
        row i holds the shares of the target of token i: 1 or 1/2 for its sources
    asks : (m,)
        which tokens are asked for an answer
    """

    relation: FloatArray
    asks: BoolArray

    @property
    def m(self) -> int:
        """The number of tokens, and of symbols."""
        return len(self.relation)

    @property
    def chance(self) -> float:
        """The accuracy of a blind guess: a random order of the symbols, for 1 or 2 sources."""
        if (self.relation > 0).sum(axis=1).max() == 1:
            return 1 / self.m
        same_symbol = 1 / self.m
        return same_symbol / self.m + (1 - same_symbol) / math.comb(self.m, 2)

    def sequences(
        self, rng: np.random.Generator, size: tuple[int, ...]
    ) -> tuple[FloatArray, FloatArray]:
        """Draw sequences, and what is to be answered in each.

        Parameters
        ----------
        rng
            the random generator
        size
            the leading shape (...)

        Returns
        -------
        x : (..., m, 2m)
        target : (..., m, m)
            non-negative, rows of tokens that ask sum to 1
        """
        symbols = np.eye(self.m)[rng.integers(self.m, size=(*size, self.m))]  # (..., m, m)
        tokens = np.broadcast_to(np.eye(self.m), symbols.shape)  # (..., m, m)
        return np.concatenate([tokens, symbols], axis=-1), self.relation @ symbols


def task(name: TaskName = "same", m: int = 8) -> Task:
    """Make one of the three tasks.

    - same: token i asks token i + 1, the last asks the first. All ask and all are asked: the
      relation is directed, and it holds within one group of tokens.
    - different: the first half asks the second half; no token does both.
    - two: token i asks i + 1 and i + 2 at once and must name both symbols.

    Examples
    --------
    >>> task("same", m=3).relation.tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    >>> task("different", m=4).relation.tolist()
    [[0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]
    """
    following = np.roll(np.eye(m), 1, axis=1)
    everyone = np.ones(m, dtype=np.bool_)
    if name == "same":
        return Task(following, everyone)
    if name == "different":
        return Task(np.eye(m, k=m // 2), np.arange(m) < m // 2)
    if name == "two":
        return Task((following + following @ following) / 2, everyone)
    raise ValueError(f"task: wanted one of {', '.join(TASKS)}; got {name!r}")


def start(rng: np.random.Generator, variant: Variant, m: int = 8) -> dict[str, FloatArray]:
    """Draw the matrices of a model, with W^Q, W^K and W^V equal to one another.

    What comes apart later was the same at the start: no matrix was given a job. Hard retrieval
    cannot leave this start, where a token mostly finds itself; another start would only make it
    find other tokens, the right one by luck.

    Returns
    -------
    w_q : (2m, m)
    w_k : (2m, m)
    w_v : (2m, m)
        missing where v = x
    w_o : (d_v, m)
        to one logit for each symbol; d_v is m, or 2m where v = x
    """
    one = rng.normal(size=(2 * m, m)) / math.sqrt(m)
    w_o = rng.normal(size=(2 * m, m)) / math.sqrt(m)
    if variant == "no_value":
        return {"w_q": one, "w_k": one.copy(), "w_o": w_o}
    return {"w_q": one, "w_k": one.copy(), "w_v": one.copy(), "w_o": w_o[:m]}


@dataclass(frozen=True, eq=False)
class Step:
    """One pass forward and back.

    Parameters
    ----------
    loss : (...,)
        mean cross-entropy of the answers, for each model
    logits : (..., batch, m, m)
    weights : (..., batch, m, m)
        the attention weights
    gradients
        of the loss with respect to each matrix
    """

    loss: FloatArray
    logits: FloatArray
    weights: FloatArray
    gradients: Parameters


def forward_backward(
    parameters: Parameters, x: FloatArray, target: FloatArray, asks: BoolArray, variant: Variant
) -> Step:
    """Answer a batch of sequences, and differentiate the loss with respect to every matrix.

        logits = A V W^O,    loss = - mean over all that ask of Σ target · log softmax(logits)

    Where W^Q and W^K are tied, both get the sum of their gradients, so that they stay equal.

    Parameters
    ----------
    parameters
        matrices (..., rows, columns); the leading dimensions are models side by side
    x : (..., batch, m, 2m)
    target : (..., batch, m, m)
    asks : (m,)
    variant
        which model it is

    Returns
    -------
    Step
    """
    w = {name: matrix[..., np.newaxis, :, :] for name, matrix in parameters.items()}
    Q, K = x @ w["w_q"], x @ w["w_k"]  # (..., batch, m, d_k)
    V = x @ w["w_v"] if "w_v" in w else x  # (..., batch, m, d_v)
    scores = attention_scores(Q, K)  # (..., batch, m, m)
    weights = one_hot_of_best(scores) if variant == "hard" else softmax(scores)
    output = weights @ V  # (..., batch, m, d_v)
    logits = output @ w["w_o"]  # (..., batch, m, m)

    answers = x.shape[-3] * int(asks.sum())
    surprise = np.logaddexp.reduce(logits, axis=-1, keepdims=True) - logits  # -log softmax
    loss = np.asarray((target * surprise).sum(axis=(-3, -2, -1)) / answers)  # (...,)
    d_logits = (softmax(logits) - target) * asks[:, np.newaxis] / answers
    d_output = d_logits @ w["w_o"].mT
    # Hard weights are constant around almost every score, and so is what comes out of this for
    # them: α_i (δ_ij - α_j) is 0 where one α is 1.
    d = _backward(weights, Q, K, V, d_output, 1 / math.sqrt(Q.shape[-1]))

    def of_matrix(entering: FloatArray, leaving: FloatArray) -> FloatArray:
        return _rows(entering).mT @ _rows(leaving)

    gradients = {"w_q": of_matrix(x, d.query), "w_k": of_matrix(x, d.key)}
    if variant == "tied":
        gradients["w_q"] = gradients["w_k"] = gradients["w_q"] + gradients["w_k"]
    if "w_v" in w:
        gradients["w_v"] = of_matrix(x, d.value)
    gradients["w_o"] = of_matrix(output, d_logits)
    return Step(loss, logits, weights, gradients)


def one_hot_of_best(scores: FloatArray) -> FloatArray:
    """Give weight 1 to the best of each row, 0 to all others."""
    best = scores.argmax(axis=-1, keepdims=True)  # (..., n_q, 1)
    return np.asarray(np.arange(scores.shape[-1]) == best, dtype=np.float64)


def _rows(array: FloatArray) -> FloatArray:
    """Join the batch and the tokens, (..., batch, m, d) to (..., batch · m, d)."""
    return array.reshape(*array.shape[:-3], -1, array.shape[-1])


def accuracy(logits: FloatArray, target: FloatArray, asks: BoolArray) -> FloatArray:
    """Return the share of answers where every symbol sought beats every other symbol.

    Parameters
    ----------
    logits, target : (..., batch, m, m)
    asks : (m,)

    Returns
    -------
    (...,)

    Examples
    --------
    The first answer is right; the second ranks a wrong symbol between its two right ones:

    >>> logits = np.array([[[3.0, 1.0, 2.0], [3.0, 1.0, 2.0]]])
    >>> target = np.array([[[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]]])
    >>> accuracy(logits, target, np.array([True, True])).tolist()
    0.5
    """
    sought = target > 0
    lowest = np.where(sought, logits, np.inf).min(axis=-1)  # (..., batch, m)
    highest = np.where(sought, -np.inf, logits).max(axis=-1)  # (..., batch, m)
    right = (lowest > highest).astype(logits.dtype)
    return np.asarray(right[..., asks].mean(axis=(-2, -1)))


@dataclass(frozen=True, eq=False)
class Training:
    """The record of several models trained from different seeds.

    Parameters
    ----------
    variant
        which model was trained
    task_name
        on which task
    seeds
        one model each
    loss : (seeds, steps)
        before each step, on sequences drawn for that step
    accuracy : (seeds, steps)
        likewise
    norms
        matrix name -> (seeds, steps), the length of its gradient
    before, after
        matrix name -> (seeds, rows, columns)
    overlap
        pair ("qk", "qv", "kv") -> (seeds, steps), the cosine of the two matrices
    test_accuracy : (seeds,)
        after the last step, on 200 sequences drawn for the test
    """

    variant: Variant
    task_name: TaskName
    seeds: tuple[int, ...]
    loss: FloatArray
    accuracy: FloatArray
    norms: Parameters
    before: Parameters
    after: Parameters
    overlap: Mapping[str, FloatArray]
    test_accuracy: FloatArray

    @property
    def mean(self) -> float:
        """The mean test accuracy over the seeds."""
        return float(self.test_accuracy.mean())

    @property
    def spread(self) -> float:
        """The standard deviation of the test accuracy over the seeds."""
        return float(self.test_accuracy.std())


SEEDS = (0, 1, 2, 3, 4)
"""The five seeds whose mean and spread the pages print."""


@kept
def train(
    variant: Variant = "separate",
    task_name: TaskName = "same",
    *,
    seeds: tuple[int, ...] = SEEDS,
    steps: int = 150,
    batch: int = 16,
    rate: float = 0.05,
) -> Training:
    """Train a one-layer, one-head model on a task, once for each seed, all seeds side by side.

    Every step draws `batch` new sequences, and Adam moves each entry of the matrices by about
    `rate`. A seed fixes its start and all its sequences, whatever the other seeds are.

    Parameters
    ----------
    variant
        separate, tied, no_value or hard
    task_name
        same, different or two
    seeds
        one model each
    steps
        of the training
    batch
        how many new sequences each step draws
    rate
        of learning

    Returns
    -------
    Training

    Raises
    ------
    ValueError
        If there is no such variant or task, or no seed, step or sequence.

    Examples
    --------
    >>> separate, tied = train("separate", "same"), train("tied", "same")
    >>> round(separate.mean, 2), round(tied.mean, 2)
    (1.0, 0.36)
    """
    if variant not in VARIANTS:
        raise ValueError(f"variant: wanted one of {', '.join(VARIANTS)}; got {variant!r}")
    if not seeds or steps < 1 or batch < 1:
        raise ValueError(
            "wanted at least one seed, one step and one sequence a step; "
            f"got seeds={seeds}, steps={steps}, batch={batch}"
        )
    about = task(task_name)
    rngs = [np.random.default_rng(seed) for seed in seeds]
    starts = [start(rng, variant, about.m) for rng in rngs]
    parameters = {name: np.stack([one[name] for one in starts]) for name in starts[0]}
    before = {name: matrix.copy() for name, matrix in parameters.items()}
    drawn = [about.sequences(rng, (steps, batch)) for rng in rngs]
    x = np.stack([one[0] for one in drawn], axis=1)  # (steps, seeds, batch, m, 2m)
    target = np.stack([one[1] for one in drawn], axis=1)  # (steps, seeds, batch, m, m)
    adam = Adam(parameters, rate)
    losses, accuracies, norms, overlaps = [], [], [], []
    for t in range(steps):
        step = forward_backward(parameters, x[t], target[t], about.asks, variant)
        losses.append(step.loss)
        accuracies.append(accuracy(step.logits, target[t], about.asks))
        norms.append({n: np.linalg.norm(g, axis=(-2, -1)) for n, g in step.gradients.items()})
        overlaps.append(_overlaps(parameters))
        adam.step(step.gradients)
    test = [about.sequences(np.random.default_rng(seed + 1000), (200,)) for seed in seeds]
    x_test, target_test = (np.stack(arrays) for arrays in zip(*test, strict=True))
    last = forward_backward(parameters, x_test, target_test, about.asks, variant)
    return Training(
        variant=variant,
        task_name=task_name,
        seeds=seeds,
        loss=np.stack(losses, axis=1),
        accuracy=np.stack(accuracies, axis=1),
        norms=_over_steps(norms),
        before=before,
        after=parameters,
        overlap=_over_steps(overlaps),
        test_accuracy=accuracy(last.logits, target_test, about.asks),
    )


class Adam:
    """The optimiser of Kingma & Ba 2015, algorithm 1; it changes the matrices in place."""

    def __init__(self, parameters: Parameters, rate: float) -> None:
        self.parameters = parameters
        self.rate = rate
        self.t = 0
        self.mean = {name: np.zeros_like(matrix) for name, matrix in parameters.items()}
        self.square = {name: np.zeros_like(matrix) for name, matrix in parameters.items()}

    def step(self, gradients: Parameters) -> None:
        """Move each matrix against its gradient."""
        self.t += 1
        for name, g in gradients.items():
            self.mean[name] = 0.9 * self.mean[name] + 0.1 * g
            self.square[name] = 0.999 * self.square[name] + 0.001 * g**2
            mean = self.mean[name] / (1 - 0.9**self.t)
            square = self.square[name] / (1 - 0.999**self.t)
            self.parameters[name][...] -= self.rate * mean / (np.sqrt(square) + 1e-8)


def _overlaps(parameters: Parameters) -> dict[str, FloatArray]:
    pairs = {"qk": ("w_q", "w_k"), "qv": ("w_q", "w_v"), "kv": ("w_k", "w_v")}
    return {
        pair: _cosine(parameters[a], parameters[b])
        for pair, (a, b) in pairs.items()
        if a in parameters and b in parameters
    }


def _cosine(a: FloatArray, b: FloatArray) -> FloatArray:
    norm = np.linalg.norm(a, axis=(-2, -1)) * np.linalg.norm(b, axis=(-2, -1))
    cosine: FloatArray = (a * b).sum(axis=(-2, -1)) / norm
    return cosine


def _over_steps(records: list[dict[str, FloatArray]]) -> dict[str, FloatArray]:
    return {name: np.stack([record[name] for record in records], axis=1) for name in records[0]}
