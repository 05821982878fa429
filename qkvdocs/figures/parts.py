"""What figures are put together from: texts, badges, arrows, and tables of numbers."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch, Polygon, Rectangle

from qkvdocs.attention import FloatArray
from qkvdocs.figures.style import HEAT, HEAT_STEPS, INK, LINE, MUTED, PAPER, SIZE
from qkvdocs.languages import Label

# From the middle of a digit down to the line it stands on.
BASELINE = 0.36 * SIZE

ROLE_TINT = 0.14

# Between the numbers of a description.
SEPARATOR = Label(zh="，", en=", ")


def number(x: float, digits: int = 2) -> str:
    """Write a number with a true minus sign, and no minus before a zero."""
    text = f"{x:.{digits}f}"
    if float(text) == 0:
        text = text.removeprefix("-")
    return text.replace("-", "−")


def short(x: float) -> str:
    """Write a number without the zeros at its end: 2, −0.5."""
    return number(x, 2).rstrip("0").rstrip(".") if x != round(x) else number(x, 0)


def write(
    sheet: Axes,
    x: float,
    y: float,
    text: str,
    *,
    colour: str = INK,
    align: str = "center",
) -> None:
    """Write one line whose middle is at height y."""
    sheet.text(x, y + BASELINE, text, color=colour, ha=align, va="baseline")


def badge(sheet: Axes, x: float, y: float, letter: str, colour: str) -> None:
    """Put the letter of a role on its colour: the sign for those who don't see colours."""
    side = 15
    sheet.add_patch(
        FancyBboxPatch(
            (x - side / 2, y - side / 2),
            side,
            side,
            boxstyle="round,pad=0,rounding_size=3",
            facecolor=colour,
            edgecolor="none",
        )
    )
    write(sheet, x, y, letter, colour=PAPER)


def arrow(
    sheet: Axes,
    points: Sequence[tuple[float, float]],
    *,
    colour: str = MUTED,
) -> None:
    """Draw a line through the points that ends in a small head, straight down or sideways."""
    xs, ys = zip(*points, strict=True)
    sheet.plot(xs, ys, color=colour, linewidth=1, solid_joinstyle="round")
    (x0, y0), (x, y) = points[-2:]
    length = np.hypot(x - x0, y - y0)
    along = np.array([x - x0, y - y0]) / length
    across = np.array([-along[1], along[0]])
    tip = np.array([x, y])
    corners = [tip, tip - 6 * along + 2.8 * across, tip - 6 * along - 2.8 * across]
    sheet.add_patch(Polygon(corners, facecolor=colour, edgecolor="none"))


def cell(
    sheet: Axes,
    box: tuple[float, float, float, float],
    text: str,
    *,
    fill: str = "none",
    tint: float = 1,
    edge: str = LINE,
    colour: str = INK,
) -> None:
    """Draw a box (x, y, width, height) with a text in its middle."""
    x, y, width, height = box
    if fill != "none":
        sheet.add_patch(
            Rectangle((x, y), width, height, facecolor=fill, alpha=tint, edgecolor="none")
        )
    if edge != "none":
        sheet.add_patch(Rectangle((x, y), width, height, facecolor="none", edgecolor=edge))
    write(sheet, x + width / 2, y + height / 2, text, colour=colour)


def outline(sheet: Axes, box: tuple[float, float, float, float], colour: str) -> None:
    """Draw a firm frame around a box (x, y, width, height)."""
    x, y, width, height = box
    sheet.add_patch(
        Rectangle((x, y), width, height, facecolor="none", edgecolor=colour, linewidth=1.8)
    )


def matrix(
    sheet: Axes,
    corner: tuple[float, float],
    entries: FloatArray,
    colour: str,
    *,
    size: tuple[float, float] = (30, 18),
    quiet_rows: Sequence[int] = (),
) -> None:
    """Draw a small matrix in the colour of its role, from its upper left corner."""
    width, height = size
    rows, columns = entries.shape
    for row in range(rows):
        for column in range(columns):
            quiet = row in quiet_rows
            cell(
                sheet,
                (corner[0] + column * width, corner[1] + row * height, width, height),
                short(float(entries[row, column])),
                fill="none" if quiet or colour == INK else colour,
                tint=ROLE_TINT,
                edge=LINE,
                colour=MUTED if quiet else INK,
            )
    sheet.add_patch(
        Rectangle(
            corner,
            columns * width,
            rows * height,
            facecolor="none",
            edgecolor=MUTED if colour == INK else colour,
            linewidth=1.2,
        )
    )


def heat_step(x: float, low: float, high: float) -> int:
    """Return which of the heat colours a number gets on a scale from low to high."""
    return min(int((x - low) / (high - low) * HEAT_STEPS), HEAT_STEPS - 1)


def heat_cells(
    sheet: Axes,
    corner: tuple[float, float],
    entries: FloatArray,
    *,
    size: tuple[float, float],
    digits: int,
    low: float,
    high: float,
) -> None:
    """Draw a heat map whose cells carry their numbers, from its upper left corner."""
    width, height = size
    for (row, column), entry in np.ndenumerate(entries):
        cell(
            sheet,
            (corner[0] + column * width, corner[1] + row * height, width, height),
            number(float(entry), digits),
            fill=HEAT[heat_step(float(entry), low, high)],
            edge=PAPER,
        )
