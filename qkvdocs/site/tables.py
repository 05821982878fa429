"""Plain tables: each has a name and heads that say what they head, and scrolls in its own box.

On a phone there is room for few words side by side. A column of numbers or of single words takes
no more room than those. Where so many columns are that the table scrolls anyway, one of whole
phrases is no narrower than some words.
"""

import re
import unicodedata
from html import escape, unescape
from itertools import count, zip_longest

PART = re.compile(
    r"<h(?P<level>[1-6])\b[^>]*>(?P<heading>.*?)</h(?P=level)>"
    r'|<span class="doc-section-title">(?P<section>.*?)</span>'
    r'|(?P<listing><table class="highlighttable")'
    r"|<table>(?P<table>.*?</table>)",
    re.DOTALL,
)
ROW = re.compile(r"<tr\b[^>]*>(.*?)</tr>", re.DOTALL)
CELL = re.compile(r"<t[hd]\b[^>]*>(.*?)</t[hd]>", re.DOTALL)
CELL_START = re.compile(r"(<t[hd])\b([^>]*>)")
UNSCOPED = re.compile(r"<th(?![\w-])(?![^>]*\sscope=)")
# What a heading says is neither its link to itself nor the source of its formulas.
UNSAID = re.compile(
    r'<a [^>]*class="headerlink".*?</a>|<annotation\b.*?</annotation>|<[^>]*>', re.S
)

# Widths of text in Latin letters; a Chinese character is as wide as two.
MOST_FOR_WORDS = 10
MOST_FOR_NO_PHRASES = 20
COLUMNS_THAT_SCROLL = 5


def improved_tables(html: str) -> str:
    """Return the HTML with each plain table named and in a box.

    A table that has attributes of its own comes from a part that looks after itself.

    Examples
    --------
    >>> html = improved_tables("<h2>Sizes</h2><table><tr><th>d</th></tr></table>")
    >>> html[14:82]
    '<div class="qkv-scroll"><table class="qkv-table" aria-label="Sizes">'
    >>> html[82:]
    '<tr><th scope="col" class="qkv-table__words">d</th></tr></table></div>'
    """
    names = _Names()
    return PART.sub(lambda found: _improved(found, names), html)


class _Names:
    """What stands above a place in the page."""

    def __init__(self) -> None:
        self.heading = self.section = ""
        self.count = 0

    def begin(self, heading: str, section: str = "") -> None:
        self.heading, self.section, self.count = heading, section, 0

    def next(self) -> str:
        """Return a name for the next table, which no table above it has."""
        self.count += 1
        number = str(self.count) if self.count > 1 else ""
        return " · ".join(filter(None, (self.heading, self.section, number)))


def _improved(found: re.Match[str], names: _Names) -> str:
    if found["table"] is not None:
        scoped = UNSCOPED.sub('<th scope="col"', _sized(found["table"]))
        name = escape(names.next())
        return (
            f'<div class="qkv-scroll"><table class="qkv-table" aria-label="{name}">{scoped}</div>'
        )
    if found["listing"] is not None:
        # One column has the numbers of the lines, the other the lines: not a table of anything.
        return f'{found["listing"]} role="presentation"'
    if found["heading"] is not None:
        names.begin(_said(found["heading"]))
    else:
        names.begin(names.heading, _said(found["section"]).rstrip(":："))
    return found[0]


def _sized(table: str) -> str:
    """Return a table whose columns say, in the classes of their cells, how much is in them."""
    rows = [CELL.findall(row) for row in ROW.findall(table)]
    widths = [max(map(_width, column)) for column in zip_longest(*rows, fillvalue="")]
    scrolls = len(widths) >= COLUMNS_THAT_SCROLL
    sizes = {
        place: "words" if width <= MOST_FOR_WORDS else "phrases"
        for place, width in enumerate(widths)
        if width <= MOST_FOR_WORDS or (scrolls and width > MOST_FOR_NO_PHRASES)
    }

    def sized_row(row: re.Match[str]) -> str:
        places = count()

        def sized_cell(start: re.Match[str]) -> str:
            size = sizes.get(next(places))
            free = size and "class=" not in start[0]
            return f'{start[1]} class="qkv-table__{size}"{start[2]}' if free else start[0]

        return CELL_START.sub(sized_cell, row[0])

    return ROW.sub(sized_row, table)


def _width(html: str) -> int:
    return sum(1 + (unicodedata.east_asian_width(char) in "WF") for char in _said(html))


def _said(html: str) -> str:
    return " ".join(unescape(UNSAID.sub("", html)).split())
