"""Eight documents as counts of words, and what each given search finds, by key and by text."""

import numpy as np

from qkvdocs.attention import FloatArray, softmax
from qkvdocs.demos.lookup.documents import DOCUMENTS, SEARCHES
from qkvdocs.demos.lookup.words import count, pieces, read, vocabulary
from qkvdocs.demos.parts import equals_sign, plain
from qkvdocs.languages import Language

SCENES = ("library", "engine", "database", "notes")


def data(language: Language) -> dict[str, object]:
    """Return the documents, their counts over the vocabulary, and the given searches."""
    _, keys, texts = count("", language)
    return {
        "vocabulary": list(vocabulary(language)),
        "documents": [
            {
                "title": numbered(document.title[language], language),
                "tags": numbered(document.tags[language], language),
                "text": numbered(document.text[language], language),
            }
            for document in DOCUMENTS
        ],
        "titles": [document.title[language] for document in DOCUMENTS],
        "keys": counts(keys),
        "texts": counts(texts),
        "searches": [search(label[language], language) for label in SEARCHES],
        "scenes": list(SCENES),
    }


def numbered(text: str, language: Language) -> list[list[object]]:
    """Return a text in pieces, each with its place in the vocabulary, -1 between words."""
    known = vocabulary(language)
    return [
        [piece, known.index(piece.lower()) if is_word else -1]
        for piece, is_word in pieces(text, language)
    ]


def counts(rows: FloatArray) -> list[list[int]]:
    """Return counts as whole numbers."""
    whole: list[list[int]] = rows.astype(int).tolist()
    return whole


def search(words: str, language: Language) -> dict[str, object]:
    """Return what a search finds when it is matched on the keys, and on the texts."""
    query, keys, texts = count(words, language)
    unknown = [word for word, known in read(words, vocabulary(language)) if not known]
    return {
        "words": words,
        "unknown": unknown,
        "by_key": answer(query, keys, unknown),
        "by_text": answer(query, texts, unknown),
    }


def answer(query: FloatArray, keys: FloatArray, unknown: list[str]) -> dict[str, object]:
    """Return scores and weights of the documents, best first, equal ones as they stand.

    `terms` are the products that make up each score; `rows` is how many documents an exact match
    would return, which asks for every word.
    """
    scores = keys @ query  # (8,)
    weights = softmax(scores)
    asked = query > 0
    complete = (keys[:, asked] > 0).all(axis=1) if asked.any() and not unknown else scores < 0
    return {
        "scores": counts(scores),
        "weights": plain(weights),
        "weights_sign": equals_sign(weights, 1.0, digits=2),
        "terms": [terms(query[asked], key[asked]) for key in keys],
        "order": np.argsort(-scores, kind="stable").tolist(),
        "rows": int(complete.sum()),
    }


def terms(query: FloatArray, key: FloatArray) -> str:
    """Return the products that add to a score, such as "1×2 + 1×2"; one word needs no sum.

    Examples
    --------
    >>> terms(np.array([1.0, 1.0]), np.array([2.0, 4.0]))
    '1×2 + 1×4'
    """
    if len(query) < 2:
        return ""
    pairs = zip(query, key, strict=True)
    return " + ".join(f"{q:.0f}×{k:.0f}" for q, k in pairs if k > 0)
