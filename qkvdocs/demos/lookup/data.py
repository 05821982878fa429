"""Eight documents as counts of words, and what each given search finds, by key and by text."""

from typing import Any

import numpy as np

from qkvdocs.attention import FloatArray, softmax
from qkvdocs.demos.lookup.documents import DOCUMENTS, SEARCHES
from qkvdocs.demos.lookup.words import count, read, vocabulary
from qkvdocs.demos.parts import equals_sign, plain
from qkvdocs.languages import Language

SCENES = ("library", "engine", "database", "notes")


def data(language: Language) -> dict[str, object]:
    """Return the documents, the words they are counted by, and the given searches."""
    return {
        "vocabulary": list(vocabulary(language)),
        "documents": [
            {
                "title": document.title[language],
                "tags": document.tags[language],
                "text": document.text[language],
            }
            for document in DOCUMENTS
        ],
        "searches": [search(label[language], language) for label in SEARCHES],
        "scenes": list(SCENES),
    }


def live(data: dict[str, Any]) -> dict[str, object]:
    """Return the words; the script counts them in the documents of the page."""
    return {
        "vocabulary": " ".join(data["vocabulary"]),
        "searches": [search["words"] for search in data["searches"]],
        "scenes": data["scenes"],
    }


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
