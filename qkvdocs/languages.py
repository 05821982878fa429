"""The two languages of the site, and text that exists in both."""

from dataclasses import dataclass
from typing import Literal, get_args

Language = Literal["zh", "en"]
LANGUAGES: tuple[Language, ...] = get_args(Language)


def as_language(text: str) -> Language:
    """Return `text` as one of the site's languages.

    Raises
    ------
    ValueError
        If `text` names neither language.

    Examples
    --------
    >>> as_language("zh")
    'zh'
    """
    for language in LANGUAGES:
        if text == language:
            return language
    raise ValueError(
        f"wanted a language of the site, one of {', '.join(LANGUAGES)}; got {text!r}: "
        "set the option `language` to one of them"
    )


@dataclass(frozen=True)
class Label:
    """One text in both languages, side by side, so that neither can be forgotten.

    Raises
    ------
    ValueError
        If the text of a language is missing or blank.

    Examples
    --------
    >>> engineer = Label(zh="工程师", en="engineer")
    >>> engineer["en"]
    'engineer'
    """

    zh: str
    en: str

    def __post_init__(self) -> None:
        for language in LANGUAGES:
            if not isinstance(self[language], str) or not self[language].strip():
                raise ValueError(
                    f"wanted a text in zh and en; got {self!r}, with {language} missing: "
                    f"write the {language} text next to the other"
                )

    def __getitem__(self, language: Language) -> str:
        """Return the text in `language`."""
        return self.zh if language == "zh" else self.en
