"""What of a sequence reaches its reader: through a state of fixed size, and through attention.

Nothing here is trained. Codes are random signs, drawn from the seeds that are named.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from qkvdocs.attention import FloatArray, attention
from qkvdocs.kept import kept
from qkvdocs.languages import Label

Way: TypeAlias = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
"""From queries, keys and values to one answer for each query, as `attention`."""

WIDTH = 16
"""d, the width of the code of a place (a key) and of that of a word (a value)."""

SEEDS = (0, 1, 2, 3, 4)
LENGTHS = tuple(2**power for power in range(10))
SEQUENCES = 20
"""How many lists are drawn for each seed and length."""

ASKED = 64
"""How many places of a longer list are asked for: the first ones, as random codes are all alike."""

SHOPPING = (
    Label(zh="牛奶", en="milk"),
    Label(zh="面包", en="bread"),
    Label(zh="鸡蛋", en="eggs"),
    Label(zh="苹果", en="apples"),
    Label(zh="茶叶", en="tea"),
    Label(zh="蜂蜜", en="honey"),
    Label(zh="大米", en="rice"),
    Label(zh="面条", en="noodles"),
    Label(zh="豆腐", en="tofu"),
    Label(zh="番茄", en="tomatoes"),
    Label(zh="土豆", en="potatoes"),
    Label(zh="洋葱", en="onions"),
    Label(zh="大蒜", en="garlic"),
    Label(zh="辣椒", en="chillies"),
    Label(zh="黄瓜", en="cucumbers"),
    Label(zh="萝卜", en="radishes"),
    Label(zh="蘑菇", en="mushrooms"),
    Label(zh="香蕉", en="bananas"),
    Label(zh="葡萄", en="grapes"),
    Label(zh="西瓜", en="melons"),
    Label(zh="柠檬", en="lemons"),
    Label(zh="桃子", en="peaches"),
    Label(zh="草莓", en="strawberries"),
    Label(zh="核桃", en="walnuts"),
    Label(zh="花生", en="peanuts"),
    Label(zh="杏仁", en="almonds"),
    Label(zh="糖果", en="sweets"),
    Label(zh="饼干", en="biscuits"),
    Label(zh="果酱", en="jam"),
    Label(zh="奶酪", en="cheese"),
    Label(zh="黄油", en="butter"),
    Label(zh="酸奶", en="yoghurt"),
    Label(zh="食盐", en="salt"),
    Label(zh="白糖", en="sugar"),
    Label(zh="胡椒", en="pepper"),
    Label(zh="香油", en="oil"),
    Label(zh="香醋", en="vinegar"),
    Label(zh="面粉", en="flour"),
    Label(zh="咖啡", en="coffee"),
    Label(zh="果汁", en="juice"),
    Label(zh="毛巾", en="towels"),
    Label(zh="肥皂", en="soap"),
    Label(zh="牙刷", en="toothbrushes"),
    Label(zh="梳子", en="combs"),
    Label(zh="蜡烛", en="candles"),
    Label(zh="火柴", en="matches"),
    Label(zh="雨伞", en="umbrellas"),
    Label(zh="报纸", en="newspapers"),
)
"""The words of all lists; in this order they are the list of `shopping`."""


def signs(count: int, rng: np.random.Generator) -> FloatArray:
    """Return `count` different codes of `WIDTH` signs each, +1 or -1, one code a row.

    Examples
    --------
    >>> codes = signs(48, np.random.default_rng(0))
    >>> codes.shape, np.unique(codes).tolist(), len(np.unique(codes, axis=0))
    ((48, 16), [-1.0, 1.0], 48)
    """
    picked = rng.choice(2**WIDTH, size=count, replace=False)
    bits = (picked[:, np.newaxis] >> np.arange(WIDTH)) & 1  # (count, d)
    return bits * 2.0 - 1


def read_mean(query: FloatArray, key: FloatArray, value: FloatArray) -> FloatArray:
    """Answer every query with the mean of all values: d_v numbers are kept, and no key counts.

        c = 1/n Σ_j v_j

    Examples
    --------
    >>> read_mean(np.eye(2), np.eye(2), np.array([[4.0], [8.0]])).tolist()
    [[6.0], [6.0]]
    """
    return np.tile(value.mean(axis=0), (len(query), 1))


def read_state(query: FloatArray, key: FloatArray, value: FloatArray) -> FloatArray:
    """Answer from one d × d_v matrix into which every pair was added: a linear memory.

        S = Σ_j k_jᵀ v_j,    o = q S / (q · q)

    Asked for one of its keys, it answers exactly if the keys stand at right angles; otherwise
    every other pair adds its own value, as far as its key points the same way.

    Parameters
    ----------
    query : (n_q, d)
    key : (n, d)
    value : (n, d_v)

    Returns
    -------
    (n_q, d_v)

    Examples
    --------
    Keys at right angles, then keys that are not; there the second query, with q · q = 1, gets all
    of the first value as well:

    >>> value = np.array([[4.0], [8.0]])
    >>> key = np.array([[1.0, 1.0], [1.0, -1.0]])
    >>> read_state(key, key, value).tolist()
    [[4.0], [8.0]]
    >>> key = np.array([[1.0, 1.0], [1.0, 0.0]])
    >>> read_state(key, key, value).tolist()
    [[8.0], [12.0]]
    """
    state = key.T @ value  # (d, d_v)
    answers: FloatArray = query @ state / (query**2).sum(axis=1, keepdims=True)  # (n_q, d_v)
    return answers


def nearest(answers: FloatArray, codes: FloatArray) -> list[int]:
    """Return for each answer the word whose code has the largest dot product with it.

    Examples
    --------
    >>> nearest(np.array([[0.9, -0.2]]), np.array([[1.0, 1.0], [1.0, -1.0]]))
    [1]
    """
    found: list[int] = (answers @ codes.T).argmax(axis=1).tolist()
    return found


@dataclass(frozen=True)
class RecallAt:
    """Lists of one length: what share of the words is read back right, and what is kept.

    Parameters
    ----------
    n
        the length
    mean, state, attention
        the share read back right, mean over the seeds
    mean_spread, state_spread, attention_spread
        standard deviation over the seeds
    mean_numbers, state_numbers, attention_numbers
        how many numbers are kept
    """

    n: int
    mean: float
    state: float
    attention: float
    mean_spread: float
    state_spread: float
    attention_spread: float
    mean_numbers: int
    state_numbers: int
    attention_numbers: int


@dataclass(frozen=True, eq=False)
class Recall:
    """How recall falls as a list grows.

    Parameters
    ----------
    lengths
        n, the lengths of the lists
    mean, state, attention : (seeds, lengths)
        the share read back right
    words
        how many different words there are
    """

    lengths: tuple[int, ...]
    mean: FloatArray
    state: FloatArray
    attention: FloatArray
    words: int

    @property
    def chance(self) -> float:
        """The share that a blind guess gets right."""
        return 1 / self.words

    def at(self, n: int) -> RecallAt:
        """Return the numbers for lists of n words, n one of `lengths`."""
        if n not in self.lengths:
            raise ValueError(f"n: wanted one of {', '.join(map(str, self.lengths))}; got {n}")
        index = self.lengths.index(n)
        mean, state, found = (curve[:, index] for curve in (self.mean, self.state, self.attention))
        return RecallAt(
            n=n,
            mean=float(mean.mean()),
            state=float(state.mean()),
            attention=float(found.mean()),
            mean_spread=float(mean.std()),
            state_spread=float(state.std()),
            attention_spread=float(found.std()),
            mean_numbers=WIDTH,
            state_numbers=WIDTH**2,
            attention_numbers=2 * n * WIDTH,
        )


@kept
def recalled(scale: float | None = None) -> Recall:
    """Draw lists of words, keep each in three ways, ask for every place, and count right answers.

    Each place of a list has a key and each word a value, 16 random signs; words are drawn with
    replacement from 48. Once the list has been read, its keys are asked one by one, at most 64 of
    them. For each of five seeds and each length, 20 lists.

    Parameters
    ----------
    scale
        the factor on the scores of attention, 1/√d_k unless given

    Examples
    --------
    >>> few, many = recalled().at(4), recalled().at(64)
    >>> [round(share, 2) for share in (few.mean, few.state, few.attention)]
    [0.25, 1.0, 1.0]
    >>> [round(share, 2) for share in (many.mean, many.state, many.attention)]
    [0.04, 0.32, 1.0]

    With random keys attention loses its way too, far later; a larger scale puts it off:

    >>> round(recalled().at(512).attention, 2), round(recalled(scale=1).at(512).attention, 2)
    (0.26, 1.0)
    """
    ways: tuple[Way, ...] = (
        read_mean,
        read_state,
        lambda query, key, value: attention(query, key, value, scale=scale),
    )
    shares = np.empty((len(ways), len(SEEDS), len(LENGTHS)))
    for row, seed in enumerate(SEEDS):
        for column, n in enumerate(LENGTHS):
            # A generator for each length: the lists of one don't depend on which others are drawn.
            shares[:, row, column] = _shares_right(ways, n, np.random.default_rng((seed, n)))
    mean, state, found = shares
    return Recall(LENGTHS, mean, state, found, words=len(SHOPPING))


def _shares_right(
    ways: tuple[Way, ...],
    n: int,
    rng: np.random.Generator,
) -> FloatArray:
    right = np.zeros(len(ways))
    for _ in range(SEQUENCES):
        codes, key = signs(len(SHOPPING), rng), signs(n, rng)
        words = rng.integers(len(SHOPPING), size=n)
        value, asked = codes[words], slice(ASKED)
        answers = [nearest(way(key[asked], key, value), codes) for way in ways]
        right += [(words[asked] == answer).mean() for answer in answers]
    return right / SEQUENCES


@dataclass(frozen=True)
class Reading:
    """A list of n different words, and what each way of keeping it answers, place by place.

    Parameters
    ----------
    words
        the list
    mean, state, attention
        the answers
    """

    words: tuple[Label, ...]
    mean: tuple[Label, ...]
    state: tuple[Label, ...]
    attention: tuple[Label, ...]

    @property
    def mean_right(self) -> int:
        """How many answers of the mean are right."""
        return self._right(self.mean)

    @property
    def state_right(self) -> int:
        """How many answers of the state are right."""
        return self._right(self.state)

    @property
    def attention_right(self) -> int:
        """How many answers of attention are right."""
        return self._right(self.attention)

    def _right(self, answers: tuple[Label, ...]) -> int:
        return sum(a == b for a, b in zip(answers, self.words, strict=True))


def shopping(n: int, seed: int = 0) -> Reading:
    """Read the first n words of `SHOPPING` and give them back; codes are drawn once for all n.

    Examples
    --------
    >>> short, long = shopping(4), shopping(48)
    >>> [word.en for word in short.state]
    ['milk', 'bread', 'eggs', 'apples']
    >>> short.state_right, short.attention_right
    (4, 4)
    >>> long.state_right < 30, long.attention_right
    (True, 48)
    """
    if not 1 <= n <= len(SHOPPING):
        raise ValueError(f"n: wanted 1 to {len(SHOPPING)}, the words of the list; got {n}")
    rng = np.random.default_rng(seed)
    codes, key = signs(len(SHOPPING), rng), signs(len(SHOPPING), rng)[:n]
    value = codes[:n]

    def answers(way: Way) -> tuple[Label, ...]:
        return tuple(SHOPPING[index] for index in nearest(way(key, key, value), codes))

    return Reading(SHOPPING[:n], answers(read_mean), answers(read_state), answers(attention))
