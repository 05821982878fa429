"""Snippets: a `pycon` fence is a doctest, run before its page is shown."""

import doctest
import io
import re
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from typing import Any, NoReturn

from markdown import Markdown
from markdown.preprocessors import Preprocessor

from qkvdocs.languages import Label, Language
from qkvdocs.markdown.errors import PageError
from qkvdocs.markdown.fences import Fence, fences, outside_fences
from qkvdocs.markdown.page import Page
from qkvdocs.markdown.snippet_rules import broken_rules

OUTPUT = Label(zh="输出", en="Output")

# What one snippet may take before the build gives up on it.
SECONDS = 120

# How the parser of doctests says where it gave up.
NUMBERED = re.compile(r"line (?P<line>\d+) of the docstring for \S+ (?P<reason>.*)", re.DOTALL)

PROMPT = re.compile(r"^[ \t]*>>> \S")
STRAY = re.compile(r"^[ \t>]*(?:[-*+]|\d+\.)?[ \t]*(?:`{3,}|~{3,})[ \t]*\{?[ \t]*\.?pycon\b")


@dataclass(frozen=True)
class Snippet:
    """The doctest of one fence.

    Parameters
    ----------
    path, line
        the file it stands in, and the line of its first line of text, from 1
    text
        what stands in the fence
    examples
        each prompt with its output
    """

    path: str
    line: int
    text: str
    examples: tuple[doctest.Example, ...]

    @property
    def code(self) -> str:
        """The code without prompts; a block ends with an empty line, as an interpreter wants it."""
        sources = [example.source for example in self.examples]
        return (
            "".join(f"{text}\n" if _is_block(text) else text for text in sources).rstrip("\n")
            + "\n"
        )

    @property
    def output(self) -> str:
        """All that the code prints."""
        return "".join(example.want for example in self.examples).replace("<BLANKLINE>", "")


def _is_block(source: str) -> bool:
    return source.splitlines()[-1][:1].isspace()


def snippet_of(text: str, path: str, line: int = 1) -> Snippet:
    """Return the doctest in a text that starts on `line` of the file `path`.

    Raises
    ------
    PageError
        If the text isn't a doctest, or breaks a rule of snippets.
    """
    try:
        parts = doctest.DocTestParser().parse(text, path)
    except ValueError as error:
        found = NUMBERED.match(str(error))
        at, reason = (int(found["line"]) - 1, found["reason"]) if found else (0, error)
        message = f"wanted a doctest; got what isn't one: {reason}"
        raise PageError(path, line + at, message) from error
    examples = [part for part in parts if isinstance(part, doctest.Example)]
    if not examples:
        raise PageError(path, line, "wanted a doctest; got no line that starts with >>> : add one")
    for at, message in broken_rules(parts):
        raise PageError(path, line + at, message)
    return Snippet(path, line, text, tuple(examples))


def snippets_in(text: str, path: str, first_line: int = 0) -> list[Snippet]:
    """Return the snippets of a page, in order.

    Parameters
    ----------
    text
        the page's Markdown
    path
        its path, for messages
    first_line
        how many lines were cut off before the text

    Raises
    ------
    PageError
        If a fence isn't a doctest.
    """
    found = [fence for fence in fences(text.split("\n")) if fence.language == "pycon"]
    return [_snippet(fence, path, first_line) for fence in found]


def _snippet(fence: Fence, path: str, first_line: int) -> Snippet:
    return snippet_of("\n".join(fence.body) + "\n", path, first_line + fence.start + 2)


class _Runner(doctest.DebugRunner):
    def report_start(self, *_: object) -> None:
        """Say nothing."""


class _Endless(BaseException):
    """No exception that a snippet would catch."""


@contextmanager
def _limit(seconds: float) -> Iterator[None]:
    if not hasattr(signal, "setitimer") or threading.current_thread() != threading.main_thread():
        # There is no other way to stop code that waits; a person will see which page hangs.
        yield
        return

    def stop(*_: object) -> NoReturn:
        raise _Endless(f"no end within {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def check(snippet: Snippet) -> None:
    """Run a snippet in a namespace of its own and compare its output to the letter.

    Raises
    ------
    PageError
        On the line of the first example that prints something else, fails, or doesn't end.
    """
    namespace: dict[str, object] = {"__name__": "__main__"}
    test = doctest.DocTest(
        list(snippet.examples), namespace, snippet.path, snippet.path, 0, snippet.text
    )
    runner = _Runner(verbose=False, optionflags=doctest.DONT_ACCEPT_TRUE_FOR_1)
    try:
        with _limit(SECONDS):
            runner.run(test, clear_globs=False)
    except doctest.DocTestFailure as failure:
        raise _failed(snippet, failure.example, failure.got) from failure
    except doctest.UnexpectedException as failure:
        kind, error, _ = failure.exc_info
        got = str(error) if kind is _Endless else f"{kind.__name__}: {error}"
        raise _failed(snippet, failure.example, got) from error


def _failed(snippet: Snippet, example: doctest.Example, got: str) -> PageError:
    return PageError(
        snippet.path,
        snippet.line + example.lineno,
        f"wanted this from {example.source.strip()!r}:\n{example.want}got:\n{got.rstrip()}\n"
        "correct the code, or the output that the page promises",
    )


class Snippets(Preprocessor):
    """Runs every `pycon` fence and shows it as code and output."""

    def __init__(self, md: Markdown, page: Page) -> None:
        super().__init__(md)
        self.page = page

    def run(self, lines: list[str]) -> list[str]:
        """Put the HTML of each snippet in the place of its fence."""
        self._refuse_strays(lines)
        shown: list[str] = []
        done = 0
        for fence in fences(lines):
            if fence.language == "pycon":
                shown += [*lines[done : fence.start], *self._shown(fence)]
                done = fence.end + 1
            elif "".join(fence.body).lstrip().startswith(">>>"):
                raise self.page.error_at(
                    fence.start,
                    f"wanted pycon on the mark of a fence with prompts; got {fence.info!r}, and so "
                    "nobody would run it: write pycon, or leave the prompts out",
                )
        return shown + lines[done:]

    def _refuse_strays(self, lines: Sequence[str]) -> None:
        for index, line in outside_fences(lines):
            if STRAY.match(line):
                raise self.page.error_at(
                    index,
                    "wanted a pycon fence between two marks that stand equally far in; got none "
                    "that closes: give both marks, and all lines between, the same indentation",
                )
            if PROMPT.match(line):
                raise self.page.error_at(
                    index, f"wanted a pycon fence around a prompt; got {line.strip()!r} without one"
                )

    def _shown(self, fence: Fence) -> list[str]:
        if fence.info not in ("pycon", "{ .pycon }", "{.pycon}"):
            raise self.page.error_at(
                fence.start, f"wanted pycon alone; got {fence.info!r}: a snippet has no options"
            )
        snippet = _snippet(fence, self.page.source, self.page.first_line)
        placeholder = self.md.htmlStash.store(snippet_html(snippet, self.page))
        return [fence.prefix.rstrip(), fence.prefix + placeholder, fence.prefix.rstrip()]


def snippet_html(snippet: Snippet, page: Page) -> str:
    """Return a snippet as HTML, checked now or by an earlier build."""

    def checked() -> str:
        check(snippet)
        return code_html(snippet.code, snippet.output, page.language)

    return page.cache.get("snippets", f"{page.language}\0{snippet.text}", checked)


def code_html(code: str, output: str, language: Language) -> str:
    """Return code as HTML, with what it prints below it; there is no label without an output."""
    html = _highlighted(code)
    if not output:
        return f'<div class="qkv-snippet">{html}</div>'
    label = OUTPUT[language]
    return (
        f'<div class="qkv-snippet">{html}\n'
        f'<div class="qkv-snippet__label" aria-hidden="true" data-search-exclude>{label}</div>\n'
        f'<pre class="qkv-snippet__output" role="group" aria-label="{label}" tabindex="0">'
        f"<samp>{escape(output, quote=False)}</samp></pre></div>"
    )


def _highlighted(code: str) -> str:
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer
    from pygments.token import Comment, Keyword, Name, Number, String, Token

    # What the style sheet gives a colour; all else is ink, and tags for it would be most of a page.
    coloured = (Comment, Keyword, Name.Builtin, Number, String)

    def kind_of(token: Any) -> Any:
        if token in Keyword.Constant:
            return Token
        return next((kind for kind in coloured if token in kind), Token)

    tokens = ((kind_of(token), text) for token, text in PythonLexer().get_tokens(code))
    html = io.StringIO()
    # Only the code is in a <code>, which is what the theme's copy button copies.
    HtmlFormatter(wrapcode=True).format(tokens, html)
    return html.getvalue().strip()
