"""Characters of formulas and values that Markdown would take for its own.

A `|` in a formula would split a table's row, and a `<` would open a tag, long before the formula is
read. So they are exchanged for private characters before the page is parsed; who reads a formula
or a value exchanges them back. What turns out to be code gets its characters back at the very end.
"""

import re

from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor

CODE = r"(?P<ticks>`+)(?!`)(?:(?!\n\s*\n).)+?(?<!`)(?P=ticks)(?!`)"

SHELTERED = str.maketrans({mark: chr(0xE000 + ord(mark)) for mark in "|<&"})
UNSHELTERED = {0xE000 + ord(mark): mark for mark in "|<&"}


def unshelter(text: str) -> str:
    """Return `text` as it was written."""
    return text.translate(UNSHELTERED)


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


class Unshelter(Postprocessor):
    """Gives all characters back that nobody asked for."""

    def run(self, text: str) -> str:
        """Restore a page."""
        return unshelter(text)
