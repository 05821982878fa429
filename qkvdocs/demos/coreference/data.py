"""What *it* stands for, in two hand-built layers and two sentences."""

from typing import Any

from qkvdocs.demos.parts import equals_sign, plain
from qkvdocs.examples import Sentence, find_referent, tired_first, wide_first
from qkvdocs.languages import Label, Language

CANDIDATES = ("animal", "street")


def data(language: Language) -> dict[str, object]:
    """Return both sentences, each with all numbers of both layers, without and with the mask."""
    second = find_referent(tired_first, "second")
    return {
        "dimensions": [label[language] for label in tired_first.dimensions],
        "match": [label[language] for label in second.match_dimensions],
        "first": {"w_q": plain(tired_first.w_q), "w_k": plain(tired_first.w_k)}
        | {"w_v": plain(tired_first.w_v)},
        "second": {"w_q": plain(second.w_q), "w_k": plain(second.w_k)},
        "sentences": {
            "tired": story(tired_first, "tired"),
            "wide": story(wide_first, "wide"),
        },
    }


def live(data: dict[str, Any]) -> dict[str, object]:
    """Return X of both sentences and the matrices; the script attends with them."""
    return {
        "first": data["first"],
        "second": data["second"],
        "sentences": {
            name: {
                "tokens": [token["text"] for token in story["tokens"]],
                **{part: story[part] for part in ("x", "it", "property", "candidates")},
            }
            for name, story in data["sentences"].items()
        },
    }


def story(first: Sentence, ending: str) -> dict[str, object]:
    """Return the words of a sentence, where those that matter stand, and both layers' numbers."""
    return {
        "tokens": [word(label) for label in first.tokens],
        "x": plain(first.x),
        "it": first.position("it"),
        "property": first.position(ending),
        "candidates": [first.position(name) for name in CANDIDATES],
        "whole": layers(first),
        "causal": layers(first.causal),
    }


def layers(first: Sentence) -> dict[str, object]:
    """Return what *it* does in both layers: scores, weights, and the vectors in between."""
    second = find_referent(first, "second")
    it = first.position("it")
    candidates = [first.position(name) for name in CANDIDATES]
    return {
        "first_scores": plain(first.scores[it]),
        "first_weights": plain(first.weights[it]),
        "first_sign": equals_sign(first.weights[it], 1.0, digits=2),
        "taken": plain(first.output[it]),
        "x": plain(second.x[it]),
        "query": plain(second.q[it]),
        "keys": plain(second.k[candidates]),
        "second_scores": plain(second.scores[it]),
        "second_weights": plain(second.weights[it]),
        "second_sign": equals_sign(second.weights[it], 1.0, digits=2),
    }


def word(label: Label) -> dict[str, str]:
    """Return an English word with its Chinese gloss, on pages of both languages.

    Examples
    --------
    >>> word(Label(zh="animal（动物）", en="animal"))
    {'text': 'animal', 'lang': 'en', 'gloss': '动物', 'gloss_lang': 'zh'}
    """
    gloss = label.zh.removeprefix(label.en).strip("（）")
    return {"text": label.en, "lang": "en", "gloss": gloss, "gloss_lang": "zh"}
