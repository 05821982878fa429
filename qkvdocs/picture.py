"""Numbers as a picture, written by hand as SVG: for where there is no matplotlib."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

# The site's colours, and what is shown where its style sheet is not: in a notebook on white paper.
INK = "var(--qkv-ink, #1d2026)"
MUTED = "var(--qkv-muted, #5a616d)"
HEAT = ("#f7f9f9", "#e4efee", "#cfe4e2", "#b6d8d4", "#9bcac6", "#7fbbb6", "#62aba5")

# The `html` module brings all names of characters, which takes a browser's Python a while.
ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})

CELL_HEIGHT, LINE, UNIT, GAP = 30, 17, 7.5, 12


def heat_map(
    weights: npt.NDArray[np.floating[Any]],
    rows: Sequence[Sequence[str]],
    columns: Sequence[Sequence[str]],
) -> str:
    """Return attention weights as a table whose cells are darker the nearer they are to 1.

    Parameters
    ----------
    weights : (n, m)
        each from 0 to 1
    rows
        n labels, each of one or more words
    columns
        m labels, each of one or more words, which stand below one another

    Returns
    -------
    str
        An `<svg>` element that uses no style sheet, script or address.

    Raises
    ------
    ValueError
        If there is not one label for each row and each column.

    Examples
    --------
    >>> heat_map(np.eye(1), [["it"]], [["cat"]]).count("<rect")
    1
    """
    if weights.shape != (len(rows), len(columns)):
        raise ValueError(
            f"wanted weights of shape {(len(rows), len(columns))}, from the labels of rows and "
            f"columns; got {weights.shape}: give each row and each column a label"
        )
    left = max(_width(" ".join(label)) for label in rows) + GAP
    top = LINE * max(len(label) for label in columns) + GAP
    cell = max(52.0, *(_width(word) + GAP for label in columns for word in label))
    marks = []
    for j, label in enumerate(columns):
        x = left + cell * (j + 0.5)
        marks += [_text(x, LINE * (i + 1), word, MUTED, "middle") for i, word in enumerate(label)]
    for i, label in enumerate(rows):
        y = top + CELL_HEIGHT * i
        marks.append(_text(left - GAP, y + 20, " ".join(label), MUTED, "end"))
        for j, weight in enumerate(weights[i]):
            marks.append(_cell(left + cell * j, y, cell, float(weight)))
    width, height = left + cell * len(columns), top + CELL_HEIGHT * len(rows)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" font-size="13" font-family="sans-serif">'
        f"{''.join(marks)}</svg>"
    )


def _cell(x: float, y: float, width: float, weight: float) -> str:
    step = min(len(HEAT) - 1, int(weight * len(HEAT)))
    fill = f"var(--qkv-heat-{step}, {HEAT[step]})"
    box = f'<rect x="{x + 1:g}" y="{y + 1:g}" width="{width - 2:g}" height="{CELL_HEIGHT - 2}"'
    number = _text(x + width / 2, y + 20, f"{weight:.2f}", INK, "middle")
    return f'{box} fill="{fill}"/>{number}'


def _text(x: float, y: float, text: str, colour: str, anchor: str) -> str:
    safe = text.translate(ESCAPES)
    return f'<text x="{x:g}" y="{y:g}" fill="{colour}" text-anchor="{anchor}">{safe}</text>'


def _width(text: str) -> float:
    # Chinese characters are twice as wide as Latin letters.
    return UNIT * sum(2 if ord(letter) > 0x2E7F else 1 for letter in text)
