"""The one error that a page can raise, and what helps to correct a name."""

from collections.abc import Iterable
from difflib import get_close_matches


class PageError(Exception):
    """Something on a page is wrong; the text is `path:line: message`, which editors can follow.

    Parameters
    ----------
    path
        the file to open
    line
        the line in it, from 1
    message
        what was wanted, what came, and what to do

    Examples
    --------
    >>> print(PageError("docs/zh/index.md", 3, "wanted a figure; got none: name one"))
    docs/zh/index.md:3: wanted a figure; got none: name one
    """

    def __init__(self, path: str, line: int, message: str) -> None:
        super().__init__(path, line, message)
        self.path = path
        self.line = line
        self.message = message

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the end of a message about an unknown name: the one that was probably meant.

    Examples
    --------
    >>> nearest("weight-heatmp", ["weight-heatmap", "lookup-flow"])
    ": did you mean 'weight-heatmap'?"
    >>> nearest("something", ["weight-heatmap", "lookup-flow"])
    ''
    """
    found = get_close_matches(name, list(known), n=1)
    return f": did you mean {found[0]!r}?" if found else ""
