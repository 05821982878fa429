"""Four encoder states, their plain mean, and the weighted mean that each English word asks for."""

from qkvdocs.attention import FloatArray
from qkvdocs.demos.parts import equals_sign, plain, token
from qkvdocs.examples import engineer
from qkvdocs.experiments import Translation, translation
from qkvdocs.languages import Language

STRENGTHS = tuple(place / 4 for place in range(9))
"""The factors on the scores, from none, which gives the plain mean, to twice."""

ONE = STRENGTHS.index(1.0)


def data(language: Language) -> dict[str, object]:
    """Return states and questions, the plain mean, and the means by weight at strength 1."""
    made = translation()
    return {
        # The translation is from Chinese to English on the pages of both languages.
        "source": [token(word, "zh") | {"name": word[language]} for word in made.source],
        "target": [token(word, "en") for word in made.target],
        "dimensions": [name[language] for name in engineer.dimensions],
        "states": plain(made.h),
        "questions": plain(made.s),
        "mean": plain(made.mean),
        "strengths": list(STRENGTHS),
        "one": ONE,
        "looks": [look(made, row) for row in range(len(made.target))],
    }


def look(made: Translation, row: int) -> dict[str, object]:
    """Return the scores, the weights and the weighted mean for one English word."""
    weights: FloatArray = made.a[row]
    return {
        "scores": plain(made.e[row]),
        "weights": plain(weights),
        "sign": equals_sign(weights, 1.0, digits=2),
        "context": plain(made.c[row]),
    }
