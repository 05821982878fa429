"""Characters of formulas and values that Markdown would take for its own.

A `|` in a formula would split a table's row, and a `<` would open a tag, long before the formula is
read. So they are exchanged for private characters before the page is parsed; who reads a formula
or a value exchanges them back. What turns out to be code gets its characters back at the very end.
"""

import re
from html import escape

from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor

CODE = r"(?P<ticks>`+)(?!`)(?:(?!\n\s*\n).)+?(?<!`)(?P=ticks)(?!`)"

SHELTERED = {ord(mark): chr(0xE000 + ord(mark)) for mark in "|<"}


def unshelter(text: str) -> str:
    """Return `text` as it was written."""
    # On a long page, this is many times faster than translate().
    for mark, private in SHELTERED.items():
        text = text.replace(private, chr(mark))
    return text


class Shelter(Preprocessor):
    """Exchanges the characters inside all that one of the patterns matches, but not inside code."""

    def __init__(self, *patterns: str) -> None:
        super().__init__()
        self.pattern = re.compile("|".join((CODE, *patterns)), re.DOTALL)

    def run(self, lines: list[str]) -> list[str]:
        """Shelter a page."""
        return self.pattern.sub(self._exchange, "\n".join(lines)).split("\n")

    def _exchange(self, found: re.Match[str]) -> str:
        return found[0] if found["ticks"] else found[0].translate(SHELTERED)


class UnshelterRaw(Preprocessor):
    """Gives raw HTML its characters back, once it has been set aside."""

    def run(self, lines: list[str]) -> list[str]:
        """Restore what is set aside of a page."""
        blocks = self.md.htmlStash.rawHtmlBlocks
        blocks[:] = [unshelter(block) if isinstance(block, str) else block for block in blocks]
        return lines


class UnshelterText(Postprocessor):
    """Gives all other characters back that nobody asked for: those of indented code."""

    def run(self, text: str) -> str:
        """Restore a page."""
        for mark, private in SHELTERED.items():
            text = text.replace(private, escape(chr(mark)))
        return text
