"""What no snippet may have, however well it runs: each rule knows the line it is broken on."""

import ast
import doctest
import re
import sys
from collections.abc import Iterator

# What a prompt has in the reader's browser.
IMPORTABLE = {"numpy", "qkvdocs", *sys.stdlib_module_names}

# How NumPy writes numbers, and writes them otherwise in its next version.
NUMPY_TEXT = re.compile(
    r"\bnp\.(?:float|int|uint|bool|True|False|str)|\barray\(|\[ *-?\d+\.\d*(?:e[-+]\d+)? +-?\d"
)


def broken_rules(examples: list[doctest.Example | str]) -> Iterator[tuple[int, str]]:
    """Yield the line, from 0, and what was wanted and what came, for each broken rule.

    Parameters
    ----------
    examples
        a doctest as the parser cuts it up, with the text between its examples
    """
    line = 0
    for part in examples:
        if isinstance(part, str):
            yield from _text_between(part, line)
            line += part.count("\n")
        else:
            yield from _broken_by(part)
            line = part.lineno + part.source.count("\n") + part.want.count("\n")


def _text_between(text: str, line: int) -> Iterator[tuple[int, str]]:
    for index, words in enumerate(text.split("\n")):
        if words.strip():
            yield (
                line + index,
                f"wanted code behind >>> or the output right below it; got {words.strip()!r}, "
                "which nobody would see: put it into the prose, or join it to its output",
            )


def _broken_by(example: doctest.Example) -> Iterator[tuple[int, str]]:
    if example.options:
        yield (
            example.lineno,
            "wanted output that is compared to the letter; got a doctest option: "
            "remove it, and print rounded Python numbers",
        )
    if foreign := sorted(_imported(example.source) - IMPORTABLE):
        yield (
            example.lineno,
            f"wanted imports of Python, NumPy or qkvdocs, for the reader's browser has no others; "
            f"got {', '.join(foreign)}: move what needs it into an experiment or a figure",
        )
    if found := NUMPY_TEXT.search(example.want):
        lines = example.source.count("\n") + example.want[: found.start()].count("\n")
        yield (
            example.lineno + lines,
            f"wanted Python numbers; got NumPy's text {found[0]!r}, which changes with its "
            "version: print round(float(x), 3) or x.round(3).tolist()",
        )


def _imported(source: str) -> set[str]:
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except SyntaxError:
        # Running it says more about that.
        return set()
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    return {name.partition(".")[0] for name in names}
