"""The paths of a drawing in fewer bytes and fewer elements, drawn the same."""

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element

COMMAND = re.compile(r"([MLQCz])([^MLQCz]*)")
OTHER_COMMAND = re.compile(r"[^MLQCz\d\s.-]")
DECLARATION = re.compile(r"([\w-]+):([^;]+)")

# What is drawn twice where two parts of one path overlap is drawn once.
THROUGH = {"opacity", "fill-opacity", "stroke-opacity"}

Point = tuple[float, float]


def shortened(path: str) -> str:
    """Return an absolute path of M, L, Q, C and z with each step from the point before.

    Parameters
    ----------
    path
        as matplotlib writes it, with numbers of two digits at most

    Raises
    ------
    ValueError
        If it has another command.

    Examples
    --------
    >>> shortened("M 150 18 L 174 18 L 174 35 L 150 35 L 150 18 z")
    'M150 18h24v17h-24z'
    """
    if OTHER_COMMAND.search(path):
        raise ValueError(f"wanted a path of M, L, Q, C and z; got {path!r}")
    steps = [(letter, _points(numbers)) for letter, numbers in COMMAND.findall(path)]
    start = at = (0.0, 0.0)
    written = []
    for index, (letter, points) in enumerate(steps):
        if letter == "z":
            written.append("z")
            at = start
            continue
        closes = index + 1 < len(steps) and steps[index + 1][0] == "z"
        if letter == "L" and closes and points == [start]:
            continue  # z itself draws the line back
        written.append(_step(letter, at, points))
        at = points[-1]
        start = at if letter == "M" else start
    # From the origin of the drawing, also behind another path.
    return "".join(written).replace("m", "M", 1)


def joined(elements: Sequence[Element]) -> list[Element]:
    """Return the elements with each run of paths that look alike as one path.

    Only strokes without a filling, or fillings without a stroke: of others one would cover a part
    of the one before. Nothing that is seen through.

    Parameters
    ----------
    elements
        in the order in which they are drawn; the first path of a run is changed
    """
    kept: list[Element] = []
    for element in elements:
        if kept and _alike(kept[-1], element):
            kept[-1].set("d", kept[-1].get("d", "") + element.get("d", ""))
        else:
            kept.append(element)
    return kept


def _alike(one: Element, other: Element) -> bool:
    if not set(one.attrib) == set(other.attrib) == {"d", "style"}:
        return False
    if one.get("style") != other.get("style"):
        return False
    style = dict(DECLARATION.findall(one.get("style", "")))
    return not THROUGH & set(style) and (style.get("fill") == "none") == ("stroke" in style)


def _points(numbers: str) -> list[Point]:
    values = [float(number) for number in numbers.split()]
    return list(zip(values[::2], values[1::2], strict=True))


def _step(letter: str, at: Point, points: Sequence[Point]) -> str:
    moves = [(round(x - at[0], 2), round(y - at[1], 2)) for x, y in points]
    if letter == "L" and moves[0][1] == 0:
        return f"h{_number(moves[0][0])}"
    if letter == "L" and moves[0][0] == 0:
        return f"v{_number(moves[0][1])}"
    numbers = " ".join(_number(number) for move in moves for number in move)
    return letter.lower() + numbers.replace(" -", "-")


def _number(number: float) -> str:
    return re.sub(r"^(-?)0\.", r"\1.", f"{number + 0:.6g}")
