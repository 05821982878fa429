"""Run a reader's code and show what a doctest would print, statement by statement.

This is what works in the reader's browser; it needs nothing but Python itself, and prints the same
on the machine that builds the site.
"""

import ast
import io
import linecache
import sys
import traceback
import types
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from typing import Any, Literal, TextIO

Kind = Literal["out", "cut", "error", "picture"]
Show = Callable[[Kind, str], None]

FILENAME = "<snippet>"

# More than anyone reads, and less than what makes a page slow.
MOST_CHARACTERS = 100_000


class _Stream(io.TextIOBase):
    """Hands on what is written, until it is too much."""

    def __init__(self, show: Show) -> None:
        self.show = show
        self.left = MOST_CHARACTERS

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if self.left > 0:
            shown = text[: self.left]
            self.left -= len(shown)
            self.show("out", shown)
            if self.left == 0:
                self.show("cut", "…\n")
        return len(text)


def namespace() -> types.ModuleType:
    """Return a place for names, as empty as that of an interpreter that has just started."""
    return types.ModuleType("__main__")


def run(source: str, show: Show, main: types.ModuleType | None = None) -> bool:
    """Run code as if each statement were typed at a prompt.

    Parameters
    ----------
    source
        the code, without prompts
    show
        is handed what is printed, the sign that the rest is cut off, what goes wrong, and pictures
        as SVG
    main
        where its names go; a namespace of its own if left out

    Returns
    -------
    bool
        Whether all of it ran.

    Examples
    --------
    >>> shown = []
    >>> run("x = 20\\nx + 1", lambda kind, text: shown.append((kind, text)))
    True
    >>> shown
    [('out', '21\\n')]
    """
    stream = _Stream(show)
    streams: TextIO = stream  # type: ignore[assignment]
    source = f"{source}\n"
    _remember(source)
    before = sys.displayhook, sys.stdin, sys.modules.get("__main__")
    main = main or namespace()
    sys.displayhook, sys.stdin = _displayhook(stream, show), io.StringIO()
    sys.modules["__main__"] = main
    try:
        with redirect_stdout(streams), redirect_stderr(streams):
            for statement in ast.parse(source, FILENAME).body:
                code = compile(ast.Interactive([statement]), FILENAME, "single")
                exec(code, main.__dict__)
    # What a reader's code raises is its result, sys.exit() and a stop included.
    except BaseException as error:
        show("error", _cut_traceback(error))
        return False
    finally:
        sys.displayhook, sys.stdin, sys.modules["__main__"] = before  # type: ignore[assignment]
    return True


def _remember(source: str) -> None:
    # Where tracebacks look for the lines that they show.
    linecache.cache[FILENAME] = (len(source), None, source.splitlines(keepends=True), FILENAME)


def _displayhook(stream: _Stream, show: Show) -> Callable[[Any], None]:
    def display(value: Any) -> None:
        if value is None:
            return
        stream.write(f"{value!r}\n")
        picture = getattr(value, "_repr_svg_", None)
        if callable(picture) and not isinstance(value, type):
            show("picture", picture())

    return display


def _cut_traceback(error: BaseException) -> str:
    shown = traceback.TracebackException.from_exception(error)
    _keep_own_lines(shown)
    return "".join(shown.format())


def _keep_own_lines(shown: traceback.TracebackException) -> None:
    own = [frame for frame in shown.stack if frame.filename == FILENAME]
    shown.stack = traceback.StackSummary.from_list(own)
    for earlier in (shown.__cause__, shown.__context__):
        if earlier is not None:
            _keep_own_lines(earlier)
