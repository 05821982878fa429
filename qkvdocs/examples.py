"""The named sentences: tokens, X and the three matrices, used by lessons, figures and demos alike.

All vectors here are built by hand, so that a person can read them: every dimension has a meaning
that is written next to it. No model learned any of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from qkvdocs.attention import (
    BoolArray,
    FloatArray,
    attention,
    attention_scores,
    attention_weights,
    causal_mask,
    project,
)
from qkvdocs.languages import Label
from qkvdocs.picture import heat_map


def read_only(rows: Sequence[Sequence[float]] | FloatArray) -> FloatArray:
    """Return the rows as a float64 array that nobody can change.

    Parameters
    ----------
    rows : (n, d)

    Returns
    -------
    (n, d) array, not writeable
    """
    array = np.array(rows, dtype=np.float64)
    array.setflags(write=False)
    return array


@dataclass(frozen=True, eq=False, repr=False)
class Sentence:
    """Tokens, their vectors, and one attention operation over them: x W, then softmax(Q Kᵀ) V.

    Parameters
    ----------
    name
        what Python code calls the sentence
    tokens
        n words
    dimensions
        what each of the d_model entries of an x means
    match_dimensions
        what each of the d_k entries of a query and a key is about
    value_dimensions
        what each of the d_v entries of a value means
    x : (n, d_model)
    w_q, w_k : (d_model, d_k)
    w_v : (d_model, d_v)
    scale
        the factor on the scores; 1 leaves them as they are, None is 1/√d_k
    mask : (n, n)
        True = may attend; None = every token sees all

    Examples
    --------
    >>> engineer.q[0].tolist()
    [0.0, -1.0]
    >>> engineer.weights.round(2)[0].tolist()
    [0.01, 0.26, 0.7, 0.03]
    """

    name: str
    tokens: tuple[Label, ...]
    dimensions: tuple[Label, ...]
    match_dimensions: tuple[Label, ...]
    value_dimensions: tuple[Label, ...]
    x: FloatArray
    w_q: FloatArray
    w_k: FloatArray
    w_v: FloatArray
    scale: float | None = 1.0
    mask: BoolArray | None = field(default=None)

    def __post_init__(self) -> None:
        wanted = {
            "x": (len(self.tokens), len(self.dimensions)),
            "w_q": (len(self.dimensions), len(self.match_dimensions)),
            "w_k": (len(self.dimensions), len(self.match_dimensions)),
            "w_v": (len(self.dimensions), len(self.value_dimensions)),
        }
        for name, shape in wanted.items():
            matrix = getattr(self, name)
            if not isinstance(matrix, np.ndarray):
                raise TypeError(
                    f"sentence {self.name!r}: wanted {name} as an array; got a "
                    f"{type(matrix).__name__}: write np.array(…) around it"
                )
            if matrix.shape != shape:
                raise ValueError(
                    f"sentence {self.name!r}: wanted {name} of shape {shape}, from its tokens and "
                    f"dimensions; got {matrix.shape}: give each token a row and each dimension a "
                    "column"
                )

    @property
    def q(self) -> FloatArray:
        """The queries X W^Q, shape (n, d_k)."""
        return project(self.x, self.w_q, self.w_k, self.w_v)[0]

    @property
    def k(self) -> FloatArray:
        """The keys X W^K, shape (n, d_k)."""
        return project(self.x, self.w_q, self.w_k, self.w_v)[1]

    @property
    def v(self) -> FloatArray:
        """The values X W^V, shape (n, d_v)."""
        return project(self.x, self.w_q, self.w_k, self.w_v)[2]

    @property
    def scores(self) -> FloatArray:
        """The scores Q Kᵀ times the scale, before softmax, shape (n, n)."""
        return attention_scores(self.q, self.k, scale=self.scale)

    @property
    def weights(self) -> FloatArray:
        """The attention weights, one row a query, shape (n, n)."""
        return attention_weights(self.q, self.k, mask=self.mask, scale=self.scale)

    @property
    def output(self) -> FloatArray:
        """The weighted sums of the values, shape (n, d_v)."""
        return attention(self.q, self.k, self.v, mask=self.mask, scale=self.scale)

    def __repr__(self) -> str:
        return f"<Sentence {self.name}: {' '.join(token.zh for token in self.tokens)}>"

    def _repr_svg_(self) -> str:
        # What a notebook, and Run on a page, show for a sentence: who attends to whom.
        labels = [list(dict.fromkeys((token.zh, token.en))) for token in self.tokens]
        return heat_map(self.weights, labels, labels)

    def position(self, word: str) -> int:
        """Return where the first token with this English or Chinese text stands, from 0."""
        for index, token in enumerate(self.tokens):
            if word in (token.zh, token.en):
                return index
        words = ", ".join(token.en for token in self.tokens)
        raise KeyError(f"wanted a token of {self.name!r} ({words}); got {word!r}")

    def score(self, asking: str, asked: str) -> float:
        """Return the score of the query of one token with the key of another."""
        return float(self.scores[self.position(asking), self.position(asked)])

    def weight(self, asking: str, asked: str) -> float:
        """Return the attention weight that one token puts on another."""
        return float(self.weights[self.position(asking), self.position(asked)])

    @property
    def scaled(self) -> "Sentence":
        """The same sentence with the scores divided by √d_k."""
        return replace(self, scale=None)

    @property
    def causal(self) -> "Sentence":
        """The same sentence where each token sees itself and those before it."""
        return replace(self, mask=causal_mask(len(self.tokens)))


ENGINEER_WORDS = (
    (Label(zh="工程师", en="engineer"), [2, 0, 0, 0, 0]),
    (Label(zh="在", en="in"), [0, 1, 0, 0, 2]),
    (Label(zh="加州", en="California"), [0, 2, 1, 0, 0]),
    (Label(zh="工作", en="works"), [1, 0, 2, 0, 0]),
    (Label(zh="了", en="(le)"), [0, 0, 1, 0, 1]),
    (Label(zh="十年", en="ten years"), [0, 0, 1, 1, 1]),
)


def _engineer(name: str, length: int) -> Sentence:
    words = ENGINEER_WORDS[:length]
    return Sentence(
        name=name,
        tokens=tuple(token for token, _ in words),
        dimensions=(
            Label(zh="人", en="person"),
            Label(zh="地点", en="place"),
            Label(zh="事情", en="event"),
            Label(zh="时间", en="time"),
            Label(zh="依附", en="leans on a word"),
        ),
        match_dimensions=(
            Label(zh="事情", en="event"),
            Label(zh="谁（+）、哪里（−）", en="who (+), where (−)"),
        ),
        value_dimensions=(
            Label(zh="谁", en="who"),
            Label(zh="哪里", en="where"),
            Label(zh="什么事", en="what happens"),
        ),
        x=read_only([row for _, row in words]),
        w_q=read_only([[0, -0.5], [1, 0.5], [0, 1], [1, 1], [0.5, -0.5]]),
        w_k=read_only([[0, 1], [0.5, -1], [1, 0], [1, 0.5], [0, 0]]),
        w_v=read_only([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 1], [0, 0, 0]]),
    )


engineer = _engineer("engineer", 4)
"""工程师 · 在 · 加州 · 工作: the sentence that lesson 02 looks up step by step."""

engineer_ten_years = _engineer("engineer_ten_years", 6)
"""工程师 · 在 · 加州 · 工作 · 了 · 十年: the same words and two more, for self-attention."""


COREFERENCE_DIMENSIONS = (
    Label(zh="代词", en="pronoun"),
    Label(zh="事物", en="thing"),
    Label(zh="有生命", en="living"),
    Label(zh="有宽度", en="has a width"),
    Label(zh="性质词", en="property"),
)

COREFERENCE_WORDS = {
    "The": (Label(zh="The（那只）", en="The"), [0, 0, 0, 0, 0]),
    "animal": (Label(zh="animal（动物）", en="animal"), [0, 2, 2, 0, 0]),
    "didn't": (Label(zh="didn't（没有）", en="didn't"), [0, 0, 0, 0, 0]),
    "cross": (Label(zh="cross（穿过）", en="cross"), [0, 0, 1, 1, 0]),
    "the": (Label(zh="the（那条）", en="the"), [0, 0, 0, 0, 0]),
    "street": (Label(zh="street（街道）", en="street"), [0, 2, 0, 2, 0]),
    "because": (Label(zh="because（因为）", en="because"), [0, 0, 0, 0, 0]),
    "it": (Label(zh="it（它）", en="it"), [2, 0, 0, 0, 0]),
    "was": (Label(zh="was（是）", en="was"), [0, 0, 0, 0, 0]),
    "too": (Label(zh="too（太）", en="too"), [0, 0, 0, 0, 0]),
    "tired": (Label(zh="tired（累）", en="tired"), [0, 0, 2, 0, 2]),
    "wide": (Label(zh="wide（宽）", en="wide"), [0, 0, 0, 2, 2]),
}


def _read_property(name: str, text: str) -> Sentence:
    """First layer: the pronoun asks for a property word and takes back what that says."""
    words = [COREFERENCE_WORDS[word] for word in text.split()]
    return Sentence(
        name=name,
        tokens=tuple(token for token, _ in words),
        dimensions=COREFERENCE_DIMENSIONS,
        match_dimensions=(Label(zh="性质词", en="property"),),
        value_dimensions=COREFERENCE_DIMENSIONS,
        x=read_only([row for _, row in words]),
        w_q=read_only([[1], [0], [0], [0], [0]]),
        w_k=read_only([[0], [0], [0], [0], [1]]),
        w_v=read_only(np.diag([0.0, 0.0, 1.0, 1.0, 0.0])),
    )


def find_referent(first: Sentence, name: str) -> Sentence:
    """Second layer: on x + output of the first layer, the pronoun asks for what it means."""
    return replace(
        first,
        name=name,
        match_dimensions=(
            Label(zh="有生命", en="living"),
            Label(zh="有宽度", en="has a width"),
            Label(zh="是事物", en="is a thing"),
        ),
        x=read_only(first.x + first.output),
        w_q=read_only([[0, 0, 1], [0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 0]]),
        w_k=read_only([[0, 0, -1], [0, 0, 0.5], [1, 0, 0], [0, 1, 0], [0, 0, -1]]),
    )


tired_first = _read_property(
    "tired_first", "The animal didn't cross the street because it was tired"
)
"""The sentence that ends in *tired*, in the first of two hand-built layers."""

tired = find_referent(tired_first, "tired")
"""The sentence that ends in *tired*, in the second layer: *it* finds its animal."""

wide_first = _read_property(
    "wide_first", "The animal didn't cross the street because it was too wide"
)
"""The sentence that ends in *too wide*, in the first of two hand-built layers."""

wide = find_referent(wide_first, "wide")
"""The sentence that ends in *too wide*, in the second layer: *it* finds its street."""
