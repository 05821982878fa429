"""Values and keys from elsewhere: another matrix, another sequence, a memory."""

from dataclasses import dataclass

import numpy as np

from qkvdocs.attention import FloatArray, attention_scores, softmax
from qkvdocs.examples import engineer
from qkvdocs.languages import Label


@dataclass(frozen=True, eq=False)
class ValueReplaced:
    """What one token of `engineer` carries away with v = x W^V and with v = x.

    Parameters
    ----------
    projected : (d_v,)
        Σ α_j x_j W^V
    raw : (d_model,)
        Σ α_j x_j
    recovered : (d_v,)
        raw · W^V, which is `projected` again
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
    questions
        the stored questions, one a key
    answers
        the stored answers, one a value
    scores, weights : (4,)
        by matching the question put with the stored questions
    answer_scores, answer_weights : (4,)
        by matching it with the stored answers instead
    answer
        the stored answer with the largest weight
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
    why key and value come from two sources here. Each word in common adds 3 to a score. Put the
    question in English: the counts are made from the English texts.

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
    context
        the new context, whose next word is wanted
    contexts
        the stored contexts, one a key
    followers : (4,)
        the word that followed each, one a value
    weights : (4,)
    words
        the different followers
    word_weights : (words,)
        for each word the weights of the contexts that it followed, added up
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
    """Look up what followed the stored contexts most like a new one.

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
