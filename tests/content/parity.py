"""What differs between a page and its twin, one sentence for each difference."""

from collections import Counter
from collections.abc import Sequence

from tests.content.page import Page, Section

# What is compared, the word for it in a message, and whether the order counts.
COMPARED = [
    ("snippets", "snippet", True),
    ("formulas", "formula", False),
    ("asks", "figure, demo or other block", True),
    ("values", "inline value", False),
    ("tables", "table (rows, columns)", True),
    ("links", "link", False),
    ("anchors", "anchor", True),
    ("folds", "folded block", True),
    ("numerals", "numeral", False),
]


def differences(zh: Page, en: Page) -> list[str]:
    """Return where two pages differ in structure; an empty list means they agree."""
    outline_zh = [(section.level, section.anchor) for section in zh.sections]
    outline_en = [(section.level, section.anchor) for section in en.sections]
    if outline_zh != outline_en:
        return [outline_difference(zh, en)]
    return [
        sentence
        for one, other in zip(zh.sections, en.sections, strict=True)
        for sentence in section_differences(zh, en, one, other)
    ]


def outline_difference(zh: Page, en: Page) -> str:
    for one, other in zip(zh.sections, en.sections, strict=False):
        if (one.level, one.anchor) != (other.level, other.anchor):
            return (
                f"{zh.shown}:{one.line} has the heading {'#' * one.level} {one.name}, "
                f"{en.shown}:{other.line} has {'#' * other.level} {other.name}: "
                "give both languages the same headings with the same anchors"
            )
    longer = max((zh, en), key=lambda page: len(page.sections))
    extra = longer.sections[min(len(zh.sections), len(en.sections))]
    return f"{longer.shown}:{extra.line} has the heading {extra.name}, its twin has not"


def section_differences(zh: Page, en: Page, one: Section, other: Section) -> list[str]:
    found = []
    for name, word, ordered in COMPARED:
        left: Sequence[object] = getattr(one, name)
        right: Sequence[object] = getattr(other, name)
        if (left != right) if ordered else (Counter(left) != Counter(right)):
            only_zh = list((Counter(left) - Counter(right)).elements())
            only_en = list((Counter(right) - Counter(left)).elements())
            found.append(
                f"{zh.shown}:{one.line} and {en.shown}:{other.line}, {one.name}: {word}s differ: "
                f"only zh {only_zh}, only en {only_en}"
                + ("" if only_zh or only_en else ", same ones in another order")
                + f"; let both have the same {word}s below this heading"
            )
    return found
