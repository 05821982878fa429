"""Fenced code in Markdown source: where each fence stands and what is in it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

OPENING = re.compile(r"^(?P<prefix>[ \t>]*)(?P<mark>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)$")


@dataclass(frozen=True)
class Fence:
    """A closed fence: the indices of its two marks, what stands before them, and its text."""

    start: int
    end: int
    prefix: str
    info: str
    body: tuple[str, ...]

    @property
    def language(self) -> str:
        """The first word behind the mark, or the first class in braces."""
        found = re.match(r"\{?\s*\.?([\w+#-]*)", self.info)
        return found.group(1) if found else ""


def fences(lines: Sequence[str]) -> Iterator[Fence]:
    """Yield the fences of a page in order, also those that are indented or quoted."""
    index = 0
    while index < len(lines):
        opening = OPENING.match(lines[index])
        fence = _closed(lines, index, opening) if opening else None
        if fence is None:
            index += 1
        else:
            yield fence
            index = fence.end + 1


def _closed(lines: Sequence[str], start: int, opening: re.Match[str]) -> Fence | None:
    prefix, mark = opening["prefix"], opening["mark"]
    closing = re.compile(rf"{re.escape(mark)}{re.escape(mark[0])}*\s*$")
    body: list[str] = []
    for index in range(start + 1, len(lines)):
        line = lines[index]
        if line.startswith(prefix):
            rest = line[len(prefix) :]
        elif not line.strip(" \t>"):
            rest = ""
        else:
            return None
        if closing.match(rest):
            return Fence(start, index, prefix, opening["info"].strip(), tuple(body))
        body.append(rest)
    return None


def outside_fences(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the index and text of each line that no fence covers."""
    covered = {i for fence in fences(lines) for i in range(fence.start, fence.end + 1)}
    return ((i, line) for i, line in enumerate(lines) if i not in covered)
