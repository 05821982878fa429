"""A path that was made shorter, and paths that were joined, draw what they drew."""

from xml.etree.ElementTree import Element

import pytest
from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path import parse_path
from hypothesis import given
from hypothesis import strategies as st

from qkvdocs.figures.paths import joined, shortened

number = st.integers(-20_000, 20_000).map(lambda hundredths: f"{hundredths / 100:g}")
point = st.tuples(number, number).map(" ".join)
line = point.map("L {}".format)
curve = st.tuples(point, point).map(" ".join).map("Q {}".format)
longer_curve = st.tuples(point, point, point).map(" ".join).map("C {}".format)
shape = st.tuples(
    point.map("M {}".format),
    st.lists(line | curve | longer_curve, min_size=1).map(" ".join),
    st.sampled_from(["", " z"]),
).map("{0[0]} {0[1]}{0[2]}".format)


def drawn(path: str) -> list[tuple[str, list[tuple[float, float]]]]:
    """What a pen does that follows the path."""
    pen = RecordingPen()
    parse_path(path, pen)
    steps: list[tuple[str, list[tuple[float, float]]]] = []
    for step, points in pen.value:
        place = [(round(x, 2), round(y, 2)) for x, y in points]
        if step == "moveTo":
            start = place
        # Closing draws the line back, whether or not the path has drawn it before.
        while step == "closePath" and steps[-1] == ("lineTo", start):
            steps.pop()
        steps.append((step, place))
    return steps


@given(st.lists(shape, min_size=1, max_size=3).map(" ".join))
def test_a_shorter_path_goes_the_same_way(path: str) -> None:
    assert drawn(shortened(path)) == drawn(path)


def test_the_line_back_to_the_start_is_left_to_z() -> None:
    short = shortened("M 1 1 L 3 1 L 3 2 L 1 1 z M 5 5 L 6 6 z")
    assert short == "M1 1h2v1zm4 4l1 1z"
    assert drawn(short) == drawn("M 1 1 L 3 1 L 3 2 z M 5 5 L 6 6 z")


def test_a_command_that_is_not_known_stops_the_drawing() -> None:
    with pytest.raises(ValueError, match="M, L, Q, C and z"):
        shortened("M 1 1 A 2 2 0 0 1 3 3")


def paths(*styles: str) -> list[Element]:
    return [
        Element("path", {"d": f"M{place} 0h1", "style": style})
        for place, style in enumerate(styles)
    ]


STROKE, FILLING, BOTH = "fill:none;stroke:red", "fill:red", "fill:red;stroke:red"


@pytest.mark.parametrize("style", [STROKE, FILLING])
def test_paths_that_look_alike_are_joined_in_their_order(style: str) -> None:
    (one,) = joined(paths(style, style, style))
    assert one.get("d") == "M0 0h1M1 0h1M2 0h1"


def test_what_would_cover_or_shine_through_is_left_apart() -> None:
    for style in (BOTH, f"{STROKE};stroke-opacity:0.5", f"{FILLING};opacity:0.5"):
        assert len(joined(paths(style, style))) == 2
    assert len(joined(paths(STROKE, FILLING, STROKE))) == 3


def test_a_path_with_a_place_of_its_own_is_left_apart() -> None:
    one, other = paths(STROKE, STROKE)
    other.set("transform", "translate(1 1)")
    assert joined([one, other]) == [one, other]
