"""How a figure looks: its colours, its type, and the ground that it is drawn on.

One unit of a canvas is one point (1/72 inch), y grows downwards. A figure is `WIDTH` points wide:
on a phone its type is then about as large in pixels as it is here in points.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files

import matplotlib
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.figure import Figure

WIDTH = 340.0
# Of all type in a figure.
SIZE = 11.0

# The face that texts are measured in; the page's own font replaces it in the browser.
FONT = "Noto Sans CJK SC"

HEAT_STEPS = 7

VARIABLES = (
    "query",
    "key",
    "value",
    "ink",
    "muted",
    "line",
    "paper",
    *(f"heat-{step}" for step in range(HEAT_STEPS)),
)


def _stand_in(variable: str) -> str:
    """Return the colour that stands for a CSS variable until the SVG is cleaned up."""
    return f"#c0de{VARIABLES.index(variable):02x}"


STAND_INS = {_stand_in(variable): f"var(--qkv-{variable})" for variable in VARIABLES}

QUERY, KEY, VALUE = _stand_in("query"), _stand_in("key"), _stand_in("value")
INK, MUTED, LINE = _stand_in("ink"), _stand_in("muted"), _stand_in("line")
PAPER = _stand_in("paper")
HEAT = tuple(_stand_in(f"heat-{step}") for step in range(HEAT_STEPS))


@dataclass(frozen=True)
class Drawing:
    """What a figure function returns: the drawing, and a description that can replace it."""

    figure: Figure
    description: str


@contextmanager
def house_style() -> Iterator[None]:
    """Draw in the style of the house, whatever the reader's own matplotlib settings are."""
    _register_font()
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(
            {
                "font.family": FONT,
                "font.size": SIZE,
                "axes.labelsize": SIZE,
                "xtick.labelsize": SIZE,
                "ytick.labelsize": SIZE,
                "text.color": INK,
                "axes.labelcolor": INK,
                "xtick.color": MUTED,
                "ytick.color": MUTED,
                "xtick.bottom": False,
                "xtick.minor.bottom": False,
                "ytick.left": False,
                "ytick.minor.left": False,
                "axes.edgecolor": LINE,
                "axes.linewidth": 0.8,
                "axes.spines.top": False,
                "axes.spines.right": False,
                "axes.spines.left": False,
                "axes.facecolor": "none",
                "axes.axisbelow": True,
                "axes.grid": True,
                "grid.color": LINE,
                "grid.linewidth": 0.6,
                "lines.linewidth": 1.6,
                "patch.linewidth": 0.8,
                "figure.facecolor": "none",
                "savefig.facecolor": "none",
                "path.simplify_threshold": 0.2,
                "svg.fonttype": "none",
                "svg.hashsalt": "qkvdocs",
            }
        )
        yield


@cache
def _register_font() -> None:
    with as_file(files("noto_cjk_sans_otc") / "NotoSansCJK-Regular.ttc") as path:
        font_manager.fontManager.addfont(path)


def canvas(height: float) -> tuple[Figure, Axes]:
    """Return an empty sheet of `WIDTH` × `height` points, for boxes, arrows and tables."""
    figure = Figure(figsize=(WIDTH / 72, height / 72))
    sheet = figure.add_axes((0, 0, 1, 1), xlim=(0, WIDTH), ylim=(height, 0))
    sheet.set_axis_off()
    return figure, sheet


def plots(
    heights: tuple[float, ...], *, left: float, right: float, top: float = 24, below: float = 46
) -> tuple[Figure, tuple[Axes, ...]]:
    """Return plots one below the other.

    Parameters
    ----------
    heights
        of each plot's area, in points
    left, right
        room beside the areas
    top
        room above each area, for the name of its vertical axis
    below
        room below each area, for its horizontal axis
    """
    height = sum(heights) + (top + below) * len(heights)
    figure = Figure(figsize=(WIDTH / 72, height / 72))
    areas = []
    bottom = height
    for area in heights:
        bottom -= top + area
        box = (left / WIDTH, bottom / height, (WIDTH - left - right) / WIDTH, area / height)
        areas.append(figure.add_axes(box))
        bottom -= below
    return figure, tuple(areas)
