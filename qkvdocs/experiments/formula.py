"""The whole formula, worked out: three ways to one result, its axis, and examples by others."""

from dataclasses import dataclass

import numpy as np

from qkvdocs.attention import FloatArray, attention, attention_weights, project, softmax
from qkvdocs.examples import engineer, read_only
from qkvdocs.kept import kept


def by_loops(query: FloatArray, key: FloatArray, value: FloatArray) -> FloatArray:
    """Compute softmax(Q Kᵀ / √d_k) V one number at a time.

    Parameters
    ----------
    query : (n_q, d_k)
    key : (n_k, d_k)
    value : (n_k, d_v)

    Returns
    -------
    (n_q, d_v)

    Examples
    --------
    One key leaves softmax no choice, so its value is the output:

    >>> by_loops(np.array([[5.0]]), np.array([[3.0]]), np.array([[7.0, 8.0]])).tolist()
    [[7.0, 8.0]]
    """
    (n_q, d_k), (n_k, d_v) = query.shape, value.shape
    output = np.zeros((n_q, d_v))
    for i in range(n_q):
        scores = [sum(query[i, c] * key[j, c] for c in range(d_k)) for j in range(n_k)]
        grown = [np.exp(score / np.sqrt(d_k)) for score in scores]
        for j in range(n_k):
            for c in range(d_v):
                output[i, c] += grown[j] / sum(grown) * value[j, c]
    return output


def by_matmul(query: FloatArray, key: FloatArray, value: FloatArray) -> FloatArray:
    """Compute softmax(Q Kᵀ / √d_k) V with matrix products; shapes as in `by_loops`."""
    return softmax(query @ key.T / np.sqrt(query.shape[1])) @ value


def by_einsum(query: FloatArray, key: FloatArray, value: FloatArray) -> FloatArray:
    """Compute softmax(Q Kᵀ / √d_k) V with each axis named; shapes as in `by_loops`."""
    scores = np.einsum("ic,jc->ij", query, key) / np.sqrt(query.shape[1])
    weighted: FloatArray = np.einsum("ij,jd->id", softmax(scores), value)
    return weighted


@dataclass(frozen=True, eq=False)
class ThreeWays:
    """One attention computed in three ways.

    Parameters
    ----------
    n_q, n_k
        how many queries and keys
    loops, matmul, einsum : (n_q, d_v)
    difference
        the largest difference between any two of them, or from `qkvdocs.attention`
    """

    n_q: int
    n_k: int
    loops: FloatArray
    matmul: FloatArray
    einsum: FloatArray
    difference: float


@kept
def three_ways(n_q: int = 5, n_k: int = 7, d_k: int = 3, d_v: int = 2, seed: int = 0) -> ThreeWays:
    """Compute attention over standard normal Q, K and V in loops, by products and by einsum.

    Examples
    --------
    >>> three_ways().difference < 1e-12
    True
    """
    rng = np.random.default_rng(seed)
    q, k, v = (rng.normal(size=shape) for shape in ((n_q, d_k), (n_k, d_k), (n_k, d_v)))
    ways = by_loops(q, k, v), by_matmul(q, k, v), by_einsum(q, k, v)
    outputs = np.stack([*ways, attention(q, k, v)])
    return ThreeWays(n_q, n_k, *ways, difference=float(np.ptp(outputs, axis=0).max()))


@dataclass(frozen=True)
class ScaleEffect:
    """How far √d_k moves a sentence.

    Parameters
    ----------
    root
        √d_k
    sum_if_after
        what a row of weights sums to if it is divided after softmax
    weight_change
        the largest change of a weight
    output_change
        the largest change of an entry of an output
    same_order
        whether every row keeps its ranking
    """

    root: float
    sum_if_after: float
    weight_change: float
    output_change: float
    same_order: bool


def scale_effect() -> ScaleEffect:
    """Compare `engineer` without and with the division by √d_k.

    Examples
    --------
    >>> scale_effect().same_order, round(scale_effect().weight_change, 2)
    (True, 0.1)
    """
    plain, scaled = engineer, engineer.scaled
    ranks = [sentence.weights.argsort(axis=1) for sentence in (plain, scaled)]
    root = float(np.sqrt(len(engineer.match_dimensions)))
    return ScaleEffect(
        root=root,
        sum_if_after=float((softmax(plain.scores) / root)[0].sum()),
        weight_change=float(np.abs(plain.weights - scaled.weights).max()),
        output_change=float(np.abs(plain.output - scaled.output).max()),
        same_order=bool((ranks[0] == ranks[1]).all()),
    )


def doubled() -> FloatArray:
    """Return the weights of `engineer` with every query doubled, shape (n, n).

    Examples
    --------
    >>> doubled()[0].round(2).tolist()
    [0.0, 0.19, 0.79, 0.01]
    """
    return attention_weights(2 * engineer.q, engineer.k)


@dataclass(frozen=True, eq=False)
class ByHand:
    """One row of the formula, each number that a pencil writes down.

    Parameters
    ----------
    scores, divided : (n,)
        q·k and q·k / √d_k
    powers : (n,)
        e to the divided scores
    total
        their sum
    weights : (n,)
        the shares of the total
    parts : (n, d_v)
        each value times its weight
    output : (d_v,)
        the sum of the parts
    rounded_output : (d_v,)
        the same with weights rounded to two digits, too early
    """

    scores: FloatArray
    divided: FloatArray
    powers: FloatArray
    total: float
    weights: FloatArray
    parts: FloatArray
    output: FloatArray
    rounded_output: FloatArray


def by_hand(asking: str = "engineer") -> ByHand:
    """Work out the row of one token of `engineer`.

    Examples
    --------
    >>> by_hand().powers.round(2).tolist(), round(by_hand().total, 2)
    ([0.24, 2.03, 4.11, 0.49], 6.88)
    """
    row = engineer.position(asking)
    scores, divided = engineer.scores[row], engineer.scaled.scores[row]
    powers = np.exp(divided)
    weights = powers / powers.sum()
    parts = weights[:, np.newaxis] * engineer.v
    return ByHand(
        scores=scores,
        divided=divided,
        powers=powers,
        total=float(powers.sum()),
        weights=weights,
        parts=parts,
        output=parts.sum(axis=0),
        rounded_output=weights.round(2) @ engineer.v,
    )


@dataclass(frozen=True, eq=False)
class SoftmaxAxis:
    """One score matrix, with softmax along each of its axes.

    Parameters
    ----------
    rows : (n, n)
        along the keys, as it should be: every row sums to 1
    columns : (n, n)
        along the queries, the mistake: every column sums to 1
    right, wrong : (n, d_v)
        the outputs of the two
    """

    rows: FloatArray
    columns: FloatArray
    right: FloatArray
    wrong: FloatArray


def softmax_axis() -> SoftmaxAxis:
    """Take softmax of the scaled scores of `engineer` along the right and the wrong axis.

    Examples
    --------
    >>> softmax_axis().rows.sum(axis=1).round(2).tolist()
    [1.0, 1.0, 1.0, 1.0]
    >>> softmax_axis().columns.sum(axis=1).round(2).tolist()
    [0.47, 1.53, 1.58, 0.42]
    """
    scores = engineer.scaled.scores
    rows, columns = softmax(scores, axis=-1), softmax(scores, axis=0)
    return SoftmaxAxis(rows, columns, rows @ engineer.v, columns @ engineer.v)


@dataclass(frozen=True, eq=False)
class Cosine:
    """Dot products against cosines of the same queries and keys.

    Parameters
    ----------
    lengths : (n,)
        |k|
    dots, cosines : (n, n)
        q·k and q·k / (|q| |k|)
    weights : (n, n)
        softmax of the cosines, rows
    sharpened : (n, n)
        softmax of ten times the cosines
    bound
        the most that one weight of a row of cosines can be times another
    """

    lengths: FloatArray
    dots: FloatArray
    cosines: FloatArray
    weights: FloatArray
    sharpened: FloatArray
    bound: float


def cosine() -> Cosine:
    """Score the tokens of `engineer` by cosine: lengths no longer count.

    Examples
    --------
    >>> cosine().dots[0].tolist(), cosine().cosines[0].round(2).tolist()
    ([-2.0, 1.0, 2.0, -1.0], [-1.0, 0.89, 0.71, -0.45])
    """
    q, k = engineer.q, engineer.k
    lengths = np.linalg.norm(k, axis=1)
    cosines = engineer.scores / np.outer(np.linalg.norm(q, axis=1), lengths)
    return Cosine(
        lengths=lengths,
        dots=engineer.scores,
        cosines=cosines,
        weights=softmax(cosines),
        sharpened=softmax(10 * cosines),
        bound=float(np.exp(2)),
    )


@dataclass(frozen=True, eq=False)
class ZeroScore:
    """A score of 0 in two rows.

    Parameters
    ----------
    among_lower, among_higher : (3,)
        scores whose first is 0
    largest, smallest
        the weight that the 0 gets in each
    """

    among_lower: FloatArray
    among_higher: FloatArray
    largest: float
    smallest: float


def zero_score() -> ZeroScore:
    """Put a score of 0 once above, once below the rest of its row.

    Examples
    --------
    >>> round(zero_score().largest, 2), round(zero_score().smallest, 2)
    (0.94, 0.01)
    """
    lower, higher = read_only([[0, -3, -4]])[0], read_only([[0, 3, 4]])[0]
    return ZeroScore(lower, higher, float(softmax(lower)[0]), float(softmax(higher)[0]))


@dataclass(frozen=True, eq=False)
class Journey:
    """The worked example of Raschka 2024, *Build a Large Language Model (From Scratch)*, §3.3.1.

    Vectors of six tokens serve as queries, keys and values at once, and nothing is scaled.

    Parameters
    ----------
    tokens
        6 words
    x : (6, 3)
        as printed there
    printed_scores, printed_weights : (6,)
        of the second token, as printed there to four digits
    printed_output : (3,)
        likewise
    """

    tokens: tuple[str, ...]
    x: FloatArray
    printed_scores: FloatArray
    printed_weights: FloatArray
    printed_output: FloatArray

    @property
    def scores(self) -> FloatArray:
        """X Xᵀ, shape (6, 6)."""
        return self.x @ self.x.T

    @property
    def weights(self) -> FloatArray:
        """Softmax of each row of the scores, shape (6, 6)."""
        return attention_weights(self.x, self.x, scale=1)

    @property
    def output(self) -> FloatArray:
        """The weighted sums of the vectors, shape (6, 3)."""
        return attention(self.x, self.x, self.x, scale=1)


@kept
def journey() -> Journey:
    """Return the example "Your journey starts with one step".

    Examples
    --------
    >>> journey().output[1].round(4).tolist()
    [0.4419, 0.6515, 0.5683]
    """
    return Journey(
        tokens=("Your", "journey", "starts", "with", "one", "step"),
        x=read_only(
            [
                [0.43, 0.15, 0.89],
                [0.55, 0.87, 0.66],
                [0.57, 0.85, 0.64],
                [0.22, 0.58, 0.33],
                [0.77, 0.25, 0.10],
                [0.05, 0.80, 0.55],
            ]
        ),
        printed_scores=read_only([[0.9544, 1.4950, 1.4754, 0.8434, 0.7070, 1.0865]])[0],
        printed_weights=read_only([[0.1385, 0.2379, 0.2333, 0.1240, 0.1082, 0.1581]])[0],
        printed_output=read_only([[0.4419, 0.6515, 0.5683]])[0],
    )


@dataclass(frozen=True, eq=False)
class Integers:
    """The worked example of Karim 2019, *Illustrated: Self-Attention*, Towards Data Science.

    Nothing is scaled, and simpler weights stand in for the exact ones, to be easier to read.

    Parameters
    ----------
    x : (3, 4)
    w_q, w_k, w_v : (4, 3)
    printed_weights : (3, 3)
        those that are used there
    printed_output : (3, 3)
        as printed there
    """

    x: FloatArray
    w_q: FloatArray
    w_k: FloatArray
    w_v: FloatArray
    printed_weights: FloatArray
    printed_output: FloatArray

    @property
    def qkv(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Q, K and V, each of shape (3, 3)."""
        return project(self.x, self.w_q, self.w_k, self.w_v)

    @property
    def scores(self) -> FloatArray:
        """Q Kᵀ, shape (3, 3)."""
        q, k, _ = self.qkv
        return q @ k.T

    @property
    def weights(self) -> FloatArray:
        """Softmax of each row of the scores, unscaled, shape (3, 3)."""
        return softmax(self.scores)

    @property
    def simplified(self) -> FloatArray:
        """The output that the printed weights give, shape (3, 3)."""
        return self.printed_weights @ self.qkv[2]

    @property
    def unscaled(self) -> FloatArray:
        """The output that the exact weights give, shape (3, 3)."""
        return attention(*self.qkv, scale=1)

    @property
    def scaled(self) -> FloatArray:
        """The output of the whole formula, with 1/√d_k, shape (3, 3)."""
        return attention(*self.qkv)


@kept
def integers() -> Integers:
    """Return the example with whole numbers.

    Examples
    --------
    >>> integers().scores.tolist()
    [[2.0, 4.0, 4.0], [4.0, 16.0, 12.0], [4.0, 12.0, 10.0]]
    >>> integers().simplified.round(1).tolist()
    [[2.0, 7.0, 1.5], [2.0, 8.0, 0.0], [2.0, 7.8, 0.3]]
    """
    return Integers(
        x=read_only([[1, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]]),
        w_q=read_only([[1, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]]),
        w_k=read_only([[0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]]),
        w_v=read_only([[0, 2, 0], [0, 3, 0], [1, 0, 3], [1, 1, 0]]),
        printed_weights=read_only([[0.0, 0.5, 0.5], [0.0, 1.0, 0.0], [0.0, 0.9, 0.1]]),
        printed_output=read_only([[2.0, 7.0, 1.5], [2.0, 8.0, 0.0], [2.0, 7.8, 0.3]]),
    )
