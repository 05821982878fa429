"""Rules of the prose: no number typed by hand, the field's terms, Chinese typography."""

import re
import tomllib
from pathlib import Path

from tests.content.page import Page

RULES = tomllib.loads((Path(__file__).parent / "prose.toml").read_text(encoding="utf-8"))

HAN = r"[㐀-䶿一-鿿]"
LATIN = r"[A-Za-z0-9⟨⟩]"
FULL_WIDTH = "，。；：！？（）、“”《》"
DECIMAL = re.compile(r"(?<![\w.])\d+(?:\.\d+)? ?[%％‰]|(?<![\w.])\d+\.\d+(?!\w|\.\d)")

TYPOGRAPHY = [
    (
        rf"{HAN}{LATIN}|{LATIN}{HAN}",
        "a space between Chinese and Latin letters, numbers, code or maths",
    ),
    (rf"{HAN} ?[,.;:!?()]|[,;:!?()] ?{HAN}", "full-width punctuation in a Chinese sentence"),
    (rf"[\"']{HAN}|{HAN}[\"']", "“ ” around a Chinese quotation"),
    (r"[‘’「」『』]", "“ ” for quotations"),
    (
        rf" [{FULL_WIDTH}]|[，。；：！？（）、](?<!^) (?=\S)",
        "no space beside full-width punctuation",
    ),
    (rf"{HAN} {HAN}", "no space between two Chinese characters"),
    ("您", "你 for the reader"),
]


def typed_numbers(page: Page) -> list[str]:
    """Return the decimals and percentages that no computation stands behind."""
    return [
        f"{page.shown}:{line.number}: {match.group()!r} is typed by hand: "
        "ask for it with {value: …}, or list it in tests/content/prose.toml with its reason"
        for line in page.lines()
        for match in DECIMAL.finditer(line.text)
        if match.group() not in RULES["given_numbers"]
    ]


def forbidden_terms(page: Page) -> list[str]:
    """Return the terms that the field, or this course, does not use for the thing."""
    return [
        f"{page.shown}:{line.number}: {match.group()!r}: use {rule['use']}"
        for rule in RULES["terms"]
        if rule["language"] == page.language
        for line in page.lines()
        for match in re.finditer(rule["pattern"], line.text, flags=re.IGNORECASE)
    ]


def typography(page: Page) -> list[str]:
    """Return the breaches of Chinese typography; an English page has none to break."""
    if page.language != "zh":
        return []
    found = [
        f"{page.shown}:{line.number}: {line.text[max(0, m.start() - 6) : m.end() + 6]!r}: "
        f"wanted {wanted}"
        for line in page.lines()
        for pattern, wanted in TYPOGRAPHY
        for m in re.finditer(pattern, without_markup(line.text))
    ]
    return found + unpaired_quotes(page)


def without_markup(text: str) -> str:
    """Return the line without the Markdown around its words."""
    text = re.sub(r"^ *(?:[-*+] |\d+\. |> ?|#+ |\?\?\?\+? +\w+ +\"|\|)", "", text)
    text = re.sub(r"<[^>]+>|\"$", "", text)
    return re.sub(r" *\| *", "\n", text).strip(" \n")


def unpaired_quotes(page: Page) -> list[str]:
    return [
        f"{page.shown}:{line.number}: wanted “ and ” in pairs"
        for line in page.lines()
        if re.sub("[^“”]", "", line.text).replace("“”", "")
    ]
