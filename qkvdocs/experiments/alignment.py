"""A translation aligned by attention: which word of the source each word of the target asks for.

The vectors are built by hand.
"""

from dataclasses import dataclass

from qkvdocs.attention import FloatArray, attention_scores, softmax
from qkvdocs.examples import engineer, read_only
from qkvdocs.languages import Label

TARGET = (
    Label(zh="工程师", en="engineer"),
    Label(zh="工作", en="works"),
    Label(zh="在", en="in"),
    Label(zh="加州", en="California"),
)
"""The English words, in their order: the verb comes before the place."""

ASKING = read_only(
    [
        [2, 0, 0, 0, 0],
        [0, 0, 2, 0, 0],
        [0, 0, 0, 0, 2],
        [0, 2, 0, 0, -1],
    ]
)
"""What the decoder asks before each of them, over the dimensions of `engineer`, built by hand."""


@dataclass(frozen=True, eq=False)
class Translation:
    """Four English words written from four Chinese ones, in Bahdanau's terms.

    Parameters
    ----------
    source
        the Chinese words
    target
        the English words
    h : (4, 5)
        the encoder's states, key and value at once
    s : (4, 5)
        the decoder's state before each word, the query
    e : (4, 4)
        scores: the dot product stands in for the small network of the paper
    a : (4, 4)
        weights
    c : (4, 5)
        contexts
    mean : (5,)
        the plain mean of the encoder's states
    """

    source: tuple[Label, ...]
    target: tuple[Label, ...]
    h: FloatArray
    s: FloatArray
    e: FloatArray
    a: FloatArray
    c: FloatArray
    mean: FloatArray

    def weight(self, target: str, source: str) -> float:
        """Return the weight of a Chinese word, named in English, while an English one is written.

        Examples
        --------
        >>> round(translation().weight("works", "works"), 2)
        0.85
        """
        words = [word.en for word in self.target]
        places = [word.en for word in self.source]
        return float(self.a[words.index(target), places.index(source)])


def translation(scale: float = 1.0) -> Translation:
    """Align the words of the sentence `engineer` with those of its translation.

        e_ij = s_{i-1} · h_j · scale,    a_ij = exp(e_ij) / Σ_m exp(e_im),    c_i = Σ_j a_ij h_j

    Parameters
    ----------
    scale
        the factor on the scores; at 0 all weights are equal and each context is the mean

    Notes
    -----
    After Bahdanau, Cho and Bengio 2014, *Neural Machine Translation by Jointly Learning to Align
    and Translate*, section 3.1 and appendix A.1.2; the vectors are built by hand, not learned.

    Examples
    --------
    The weights turn "in California" around:

    >>> translation().a.argmax(axis=1).tolist()
    [0, 3, 1, 2]
    >>> translation(scale=0).c[0].tolist() == translation().mean.tolist()
    True
    """
    h, s = engineer.x, ASKING
    e = attention_scores(s, h, scale=scale)  # (4, 4)
    a = softmax(e)  # (4, 4)
    return Translation(engineer.tokens, TARGET, h, s, e, a, a @ h, h.mean(axis=0))
