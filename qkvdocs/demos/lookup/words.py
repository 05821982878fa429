"""From writing to counts of words: what the documents have, and what a reader typed.

The documents are cut as the site's search cuts its pages: Chinese by jieba with the words of
`search_words.txt`, all else into runs of letters and digits, in lower case. What a reader types is
read with the documents' own vocabulary, by a rule that a browser can follow as well: in Chinese the
longest known word that begins here, again and again; all else run by run. `element.js` does the
same, and a test holds the two together; another that the rule cuts the documents as jieba does, for
`element.js` counts their words by it.
"""

import re
import warnings
from functools import cache
from importlib.resources import files
from itertools import groupby

import numpy as np

from qkvdocs.attention import FloatArray
from qkvdocs.demos.lookup.documents import DOCUMENTS
from qkvdocs.languages import Language

HAN = r"\u3400-\u9fff\uf900-\ufaff"
RUN = re.compile(rf"[{HAN}]+|[^\W_{HAN}]+")
IS_HAN = re.compile(rf"[{HAN}]")


def count(search: str, language: Language) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return how often each word of the vocabulary stands in a search and in the documents.

    Parameters
    ----------
    search
        any words

    Returns
    -------
    query (words,), keys (8, words) of titles and tags, texts (8, words)

    Examples
    --------
    >>> query, keys, texts = count("vanishing gradients", "en")
    >>> (keys @ query).tolist()
    [4.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    >>> (texts @ query).tolist()
    [0.0, 4.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0]
    """
    known = vocabulary(language)
    titles = [cut(document.title[language], language) for document in DOCUMENTS]
    tags = [cut(document.tags[language], language) for document in DOCUMENTS]
    texts = [cut(document.text[language], language) for document in DOCUMENTS]
    query = [word for word, is_known in read(search, known) if is_known]

    def counts(words: list[str]) -> list[float]:
        return [float(words.count(word)) for word in known]

    return (
        np.array(counts(query)),
        np.array([counts(title + more) for title, more in zip(titles, tags, strict=True)]),
        np.array([counts(words) for words in texts]),
    )


def read(typed: str, known: tuple[str, ...]) -> list[tuple[str, bool]]:
    """Return the words of what was typed, each with whether the vocabulary has it.

    Examples
    --------
    >>> read("梯度为何消失？ Why?", ("梯度", "消失", "why"))
    [('梯度', True), ('为何', False), ('消失', True), ('why', True)]
    """
    found: list[tuple[str, bool]] = []
    for run in RUN.findall(typed.lower()):
        found += longest_known(run, known) if IS_HAN.match(run) else [(run, run in known)]
    return found


def longest_known(run: str, known: tuple[str, ...]) -> list[tuple[str, bool]]:
    """Return a run of Chinese as known words, the longest first, and what is left between them."""
    found: list[tuple[str, bool]] = []
    at = 0
    while at < len(run):
        fitting = [word for word in known if run.startswith(word, at)]
        word = max(fitting, key=len, default=run[at])
        found.append((word, bool(fitting)))
        at += len(word)
    joined: list[tuple[str, bool]] = []
    for is_known, group in groupby(found, key=lambda pair: pair[1]):
        words = [word for word, _ in group]
        joined += [(word, True) for word in words] if is_known else [("".join(words), False)]
    return joined


@cache
def vocabulary(language: Language) -> tuple[str, ...]:
    """Return all words of the eight documents, each once, in the order they first appear."""
    writing = [
        label[language] for document in DOCUMENTS for label in (document.title, document.tags)
    ] + [document.text[language] for document in DOCUMENTS]
    return tuple(dict.fromkeys(word for text in writing for word in cut(text, language)))


def cut(text: str, language: Language) -> list[str]:
    """Return the words of a document's text, in lower case.

    Examples
    --------
    >>> cut("Momentum, Adam", "en")
    ['momentum', 'adam']
    """
    words: list[str] = []
    for run in RUN.findall(text.lower()):
        words += cut_chinese(run) if language == "zh" and IS_HAN.match(run) else [run]
    return words


def cut_chinese(run: str) -> list[str]:
    """Return the words that the site's search finds in a run of Chinese."""
    return list(_tokenizer().cut(run))


@cache
def _tokenizer():  # type: ignore[no-untyped-def]
    # Only Chinese needs the dictionary, which takes a second to load; what its code is warned of
    # when it is first compiled is not for our readers to mend.
    with warnings.catch_warnings(action="ignore"):
        import jieba

    jieba.setLogLevel("WARNING")
    with (files("qkvdocs") / "site" / "search_words.txt").open("rb") as words:
        jieba.load_userdict(words)
    return jieba.dt
