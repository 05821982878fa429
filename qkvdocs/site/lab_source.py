"""The source of a lab, which Jupytext reads: a Python file whose cells begin at `# %%`.

Jupytext gives the cells without their lines, which messages need. As each line of a cell's text is
a line of the file, they follow from where the cell begins, and that is marked in one way alone.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import jupytext
from mkdocs.exceptions import PluginError

MARKS = {"code": "# %%", "markdown": "# %% [markdown]"}

# What only the pages of the site understand; a lab is read in Jupyter as well.
OWN = re.compile(r"\{value:|^///|^```\s*pycon", re.MULTILINE)


class LabError(PluginError):
    """A lab that can't be shown; the text names the file, the line, and the cell if one failed."""


@dataclass(frozen=True)
class Cell:
    """One cell of a lab.

    Parameters
    ----------
    kind
        what it holds
    line
        the line of its mark in the file, from 1
    text
        the code, or the Markdown without the comment signs
    """

    kind: Literal["code", "markdown"]
    line: int
    text: str


@dataclass(frozen=True)
class Lab:
    """A lab as it was written.

    Parameters
    ----------
    name
        what its files are called, without a suffix
    path
        what messages call the file
    lines
        how many lines the file has
    front_matter
        the lines at the top that are for the page alone, without the comment signs
    cells
        in order
    notebook
        the same cells as Jupytext gives them
    """

    name: str
    path: str
    lines: int
    front_matter: tuple[str, ...]
    cells: tuple[Cell, ...]
    notebook: Any

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
    notebook = jupytext.reads(text, "py:percent")
    # What stands at the top of the file is for the page alone.
    header = notebook.cells and notebook.cells[0].cell_type == "raw"
    front_matter = notebook.cells.pop(0).source.split("\n") if header else []
    if not notebook.cells:
        raise LabError(f"{path}:1: wanted a lab; got no cell: begin each with # %%")
    cells, end = [], len(front_matter)
    for entry in notebook.cells:
        cell = Cell(entry.cell_type, _mark(lines, end, entry.cell_type, path), entry.source)
        end = cell.line + len(cell.text.split("\n"))
        if cell.kind == "markdown":
            _check_markdown(cell, lines[cell.line : end], path)
        cells.append(cell)
    return Lab(name, path, len(lines), tuple(front_matter), tuple(cells), notebook)


def _mark(lines: list[str], end: int, kind: str, path: str) -> int:
    """Return the line, from 1, of the mark of the cell that comes after the one with this end."""
    line = next(number for number, text in enumerate(lines[end:], end + 1) if text.strip())
    if (got := lines[line - 1]) != MARKS.get(kind):
        marks = " or ".join(MARKS.values())
        raise LabError(f"{path}:{line}: wanted a cell that begins with {marks}; got {got!r}")
    return line


def _check_markdown(cell: Cell, written: list[str], path: str) -> None:
    for line, text in enumerate(written, cell.line + 1):
        if text and not text.startswith("#"):
            where = f"{path}:{line}"
            raise LabError(f"{where}: wanted Markdown behind #; got {text!r}: begin a cell of code")
    if own := OWN.search(cell.text):
        where = f"{path}:{cell.line + 1 + cell.text[: own.start()].count(chr(10))}"
        raise LabError(
            f"{where}: wanted Markdown that Jupyter shows too; got {own[0]!r}: "
            "print numbers in a cell of code"
        )
