"""A shopping list of growing length, read back from one fixed state, by a mean, by attention."""

from qkvdocs.experiments import SHOPPING, WIDTH, Reading, shopping
from qkvdocs.languages import Language

LENGTHS = (4, 8, 12, 16, 24, 32, 40, 48)


def data(language: Language) -> dict[str, object]:
    """Return each length of the list with the state's answers and what each way keeps."""
    return {
        "lists": [one_list(shopping(n), language) for n in LENGTHS],
        "width": WIDTH,
        "words": len(SHOPPING),
    }


def one_list(reading: Reading, language: Language) -> dict[str, object]:
    """Return the words of a list, what the state answers for each place, and the counts."""
    n = len(reading.words)
    places = zip(reading.words, reading.state, strict=True)
    return {
        "n": n,
        "places": [
            {"word": word[language], "read": read[language], "right": word == read}
            for word, read in places
        ],
        "right": {
            "mean": reading.mean_right,
            "state": reading.state_right,
            "attention": reading.attention_right,
        },
        "kept": {"mean": WIDTH, "state": WIDTH**2, "attention": 2 * n * WIDTH},
    }
