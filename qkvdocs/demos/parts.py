"""What the `data.py` of several demos need: tokens with their gloss, arrays as plain lists."""

from collections.abc import Iterable

from qkvdocs.attention import FloatArray
from qkvdocs.languages import Label, Language


def token(label: Label, language: Language) -> dict[str, str]:
    """Return a word in the page's language with its gloss in the other, each with its `lang`.

    Examples
    --------
    >>> from qkvdocs.languages import Label
    >>> token(Label(zh="加州", en="California"), "zh")
    {'text': '加州', 'lang': 'zh', 'gloss': 'California', 'gloss_lang': 'en'}
    """
    other: Language = "en" if language == "zh" else "zh"
    return {
        "text": label[language],
        "lang": language,
        "gloss": label[other],
        "gloss_lang": other,
    }


def plain(array: FloatArray) -> list[object]:
    """Return an array as nested lists in full precision, without the minus of a -0.0."""
    rows: list[object] = (array + 0.0).tolist()
    return rows


def equals_sign(parts: Iterable[float], total: float, digits: int) -> str:
    """Return "=" if the parts, rounded, sum to the rounded total, "≈" if only unrounded ones do.

    Examples
    --------
    >>> equals_sign([0.25, 0.75], 1, digits=2)
    '='
    >>> equals_sign([1 / 3, 1 / 3, 1 / 3], 1, digits=2)
    '≈'
    """
    shown = sum(round(float(part), digits) for part in parts)
    return "=" if round(shown, digits) == round(float(total), digits) else "≈"
