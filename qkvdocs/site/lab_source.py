"""The source of a lab: a Python file whose cells begin at `# %%`, as Jupytext's percent format."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from mkdocs.exceptions import PluginError

MARK = re.compile(r"# %%( \[markdown\])?\s*$")

# What only the pages of the site understand; a lab is read in Jupyter as well.
OWN = re.compile(r"\{value:|^///|^```\s*pycon|\\(?:query|key|val)\{", re.MULTILINE)


class LabError(PluginError):
    """A lab that can't be shown; the text names the file, the line, and the cell if one failed."""


@dataclass(frozen=True)
class Cell:
    """One cell of a lab.

    Parameters
    ----------
    kind : what it holds
    line : the line of its mark in the file, from 1
    text : the code, or the Markdown without the comment signs
    """

    kind: Literal["code", "markdown"]
    line: int
    text: str


@dataclass(frozen=True)
class Lab:
    """A lab as it was written.

    Parameters
    ----------
    name : what its files are called, without a suffix
    path : what messages call the file
    lines : how many lines the file has
    front_matter : the lines at the top that are for the page alone, without the comment signs
    cells : in order
    """

    name: str
    path: str
    lines: int
    front_matter: tuple[str, ...]
    cells: tuple[Cell, ...]

    @property
    def code(self) -> tuple[Cell, ...]:
        """The cells that are run."""
        return tuple(cell for cell in self.cells if cell.kind == "code")


def read_lab(file: Path, path: str) -> Lab:
    """Read a lab from a file that messages call `path`.

    Raises
    ------
    LabError
        If something stands outside the cells, or a Markdown cell has what Jupyter can't show.
    """
    return lab_of(file.read_text(encoding="utf-8"), file.stem, path)


def lab_of(text: str, name: str, path: str) -> Lab:
    """Take the text of a lab apart; see `read_lab`.

    Examples
    --------
    >>> lab = lab_of("# %% [markdown]\\n# A **sum**:\\n\\n# %%\\nprint(1 + 1)\\n", "sum", "sum.py")
    >>> [(cell.kind, cell.line, cell.text) for cell in lab.cells]
    [('markdown', 1, 'A **sum**:'), ('code', 4, 'print(1 + 1)')]
    """
    lines = text.split("\n")
    marks = [index for index, line in enumerate(lines) if MARK.match(line)]
    if not marks:
        raise LabError(f"{path}:1: wanted a lab; got no cell: begin each with # %%")
    front_matter = _front_matter(lines[: marks[0]], path)
    ends = [*marks[1:], len(lines)]
    cells = tuple(_cell(lines, *span, path) for span in zip(marks, ends, strict=True))
    return Lab(name, path, len(lines), front_matter, cells)


def _front_matter(lines: list[str], path: str) -> tuple[str, ...]:
    for index, line in enumerate(lines):
        if line and not line.startswith("#"):
            raise LabError(f"{path}:{index + 1}: wanted code in a cell; got {line!r} before # %%")
    return tuple(_uncommented(line) for line in lines)


def _cell(lines: list[str], start: int, end: int, path: str) -> Cell:
    found = MARK.match(lines[start])
    assert found is not None
    body = lines[start + 1 : end]
    if not found[1]:
        return Cell("code", start + 1, "\n".join(body).strip("\n"))
    for index, line in enumerate(body):
        if line and not line.startswith("#"):
            where = f"{path}:{start + index + 2}"
            raise LabError(f"{where}: wanted Markdown behind #; got {line!r}: begin a cell of code")
    text = "\n".join(_uncommented(line) for line in body)
    if own := OWN.search(text):
        where = f"{path}:{start + 2 + text[: own.start()].count(chr(10))}"
        raise LabError(
            f"{where}: wanted Markdown that Jupyter shows too; got {own[0]!r}: "
            "print numbers in a cell of code, and write formulas without the colours of roles"
        )
    return Cell("markdown", start + 1, text.rstrip("\n"))


def _uncommented(line: str) -> str:
    return line.removeprefix("#").removeprefix(" ")
