"""What plots are put together from: axes with names, and lines that carry theirs."""

from collections.abc import Sequence

from matplotlib.axes import Axes

from qkvdocs.figures.parts import short
from qkvdocs.figures.style import INK, MUTED, SIZE

# Line styles, so that no line is told from another by its colour alone.
LINES = ("solid", (0, (5, 2)), (0, (1.2, 1.8)), (0, (6, 2, 1.2, 2)))


def axis(
    area: Axes,
    *,
    x: str,
    y: str,
    x_ticks: Sequence[float],
    y_ticks: Sequence[float],
    x_tick_labels: Sequence[str] | None = None,
) -> None:
    """Name the axes and let them end at their outer ticks; the vertical name stands on top."""
    area.set_xlim(x_ticks[0], x_ticks[-1])
    area.set_ylim(y_ticks[0], y_ticks[-1])
    area.set_xticks(x_ticks, x_tick_labels or [short(tick) for tick in x_ticks])
    area.set_yticks(y_ticks, [short(tick) for tick in y_ticks])
    area.minorticks_off()
    area.grid(visible=False, axis="x")
    area.tick_params(pad=6)
    area.set_xlabel(x, labelpad=7)
    # Data on the axis lies over its line.
    area.spines["bottom"].set_zorder(1)
    area.annotate(
        y,
        (0, 1),
        xycoords="axes fraction",
        xytext=(0, 8),
        textcoords="offset points",
        ha="left",
        va="baseline",
        color=INK,
    )


def note(
    area: Axes,
    at: tuple[float, float],
    text: str,
    *,
    away: tuple[float, float] = (0, 0),
    colour: str = INK,
    align: str = "left",
) -> None:
    """Write a line beside a point of the plot, `away` from it in points."""
    area.annotate(
        text,
        at,
        xytext=(away[0], away[1] - 0.36 * SIZE),
        textcoords="offset points",
        ha=align,
        va="baseline",
        color=colour,
    )


def name_ends(
    area: Axes, x: float, ends: Sequence[float], names: Sequence[str], colours: Sequence[str]
) -> None:
    """Write the name of each line behind its end, moved apart where ends are close."""
    low, high = area.get_ylim()
    points = area.get_position().height * area.get_figure().get_figheight() * 72  # type: ignore[union-attr]
    line = 1.3 * SIZE * (high - low) / points
    order = sorted(range(len(ends)), key=lambda index: ends[index])
    heights: list[float] = []
    for index in order:
        heights.append(max(ends[index], heights[-1] + line if heights else low))
    for index, height in zip(order, heights, strict=True):
        note(area, (x, height), names[index], away=(6, 0), colour=colours[index])


def mark(area: Axes, x: float, text: str, *, align: str = "left") -> None:
    """Mark a place of the horizontal axis by a thin line with a text at its top."""
    area.axvline(x, color=MUTED, linewidth=0.8, linestyle=(0, (2, 2)))
    note(
        area,
        (x, area.get_ylim()[1]),
        text,
        away=(4 if align == "left" else -4, -8),
        colour=MUTED,
        align=align,
    )
