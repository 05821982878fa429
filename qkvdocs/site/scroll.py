"""Wide tables scroll in boxes of their own, never the page."""

import re

TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)


def box_tables(html: str) -> str:
    """Return the HTML with each plain table in a box.

    A table that has attributes of its own comes from a part that looks after itself.

    Examples
    --------
    >>> box_tables("<table><tr></tr></table>")
    '<div class="qkv-scroll"><table class="qkv-table"><tr></tr></table></div>'
    """
    return TABLE.sub(_box, html)


def _box(table: re.Match[str]) -> str:
    return (
        table[0].replace("<table>", '<div class="qkv-scroll"><table class="qkv-table">') + "</div>"
    )
