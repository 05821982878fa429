"""What the parts of the extension know of the page in hand."""

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from qkvdocs.languages import Language
from qkvdocs.markdown.cache import Cache
from qkvdocs.markdown.errors import PageError
from qkvdocs.markdown.fences import outside_fences
from qkvdocs.markdown.shelter import CODE


@dataclass
class Page:
    """The options of the extension and the source of the page being converted.

    Parameters
    ----------
    language
        of the page
    source
        its path, for messages
    first_line
        how many lines of front matter were cut off
    docs_root
        the folder of all pages, a part of `source`
    cache
        what earlier builds have worked out
    drafts
        whether lessons that are drafts are linked, and marked
    lines
        the source; set when a conversion starts
    """

    language: Language
    source: str
    first_line: int
    docs_root: str
    cache: Cache
    drafts: bool
    lines: Sequence[str] = ()
    shown: dict[str, int] = field(default_factory=dict)

    def start(self, lines: Sequence[str]) -> None:
        """Begin with a new text."""
        self.lines = lines
        self.shown = {}

    def count(self, name: str) -> int:
        """Return how often `name` has been shown on the page, this time included."""
        self.shown[name] = self.shown.get(name, 0) + 1
        return self.shown[name]

    @property
    def path(self) -> str:
        """The path of the page from the folder of all pages, as in `lessons/02-qkv-lookup.md`."""
        return posixpath.relpath(self.source, self.docs_root or ".")

    def link_to(self, path: str) -> str:
        """Return a link from this page to a page given by its path from the folder of all pages."""
        return posixpath.relpath(path, posixpath.dirname(self.path) or ".")

    def error_at(self, index: int, message: str) -> PageError:
        """Return an error on the line with this index."""
        return PageError(self.source, self.first_line + index + 1, message)

    def error(self, text: str, message: str, offset: int = 0) -> PageError:
        """Return an error on the line where `text` starts, or `offset` lines further."""
        return self.error_at(self._index(text) + offset, message)

    def _index(self, text: str) -> int:
        # Block parsers see neither lines nor indentation, so the line is where the text first is;
        # in code only if it is nowhere else, for code asks for nothing.
        parts = [part.strip() for part in text.strip().split("\n")]
        return next((i for lines in self._readings() for i in _starts(parts, lines)), 0)

    def _readings(self) -> Iterator[Sequence[str]]:
        lines = [""] * len(self.lines)
        for index, line in outside_fences(self.lines):
            lines[index] = line
        yield re.sub(CODE, _blank, "\n".join(lines), flags=re.DOTALL).split("\n")
        yield lines


def _blank(code: re.Match[str]) -> str:
    return "\n" * code[0].count("\n")


def _starts(parts: Sequence[str], lines: Sequence[str]) -> Iterator[int]:
    for index, line in enumerate(lines):
        following = lines[index + 1 : index + len(parts)]
        rest = zip(parts[1:], following, strict=False)
        if parts[0] in line and all(part in other for part, other in rest):
            yield index
