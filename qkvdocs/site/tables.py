"""Plain tables: each has a name and heads that say what they head, and scrolls in its own box."""

import re
from html import escape, unescape

PART = re.compile(
    r"<h(?P<level>[1-6])\b[^>]*>(?P<heading>.*?)</h(?P=level)>"
    r'|<span class="doc-section-title">(?P<section>.*?)</span>'
    r'|(?P<listing><table class="highlighttable")'
    r"|<table>(?P<table>.*?</table>)",
    re.DOTALL,
)
UNSCOPED = re.compile(r"<th(?![\w-])(?![^>]*\sscope=)")
# What a heading says is neither its link to itself nor the source of its formulas.
UNSAID = re.compile(
    r'<a [^>]*class="headerlink".*?</a>|<annotation\b.*?</annotation>|<[^>]*>', re.S
)


def improved_tables(html: str) -> str:
    """Return the HTML with each plain table named and in a box.

    A table that has attributes of its own comes from a part that looks after itself.

    Examples
    --------
    >>> html = improved_tables("<h2>Sizes</h2><table><tr><th>d</th></tr></table>")
    >>> html[14:82]
    '<div class="qkv-scroll"><table class="qkv-table" aria-label="Sizes">'
    >>> html[82:]
    '<tr><th scope="col">d</th></tr></table></div>'
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
        scoped = UNSCOPED.sub('<th scope="col"', found["table"])
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


def _said(html: str) -> str:
    return " ".join(unescape(UNSAID.sub("", html)).split())
