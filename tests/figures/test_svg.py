"""What every figure's SVG is like, so that it may stand in any page."""

import gzip
import hashlib
import re
import subprocess
import sys
from importlib.resources import as_file, files
from pathlib import Path
from xml.etree import ElementTree

import pytest
from fontTools.pens.boundsPen import ControlBoundsPen
from fontTools.svgLib.path import parse_path
from fontTools.ttLib import TTCollection

import qkvdocs
from qkvdocs.figures.style import INK, Drawing, canvas
from qkvdocs.figures.svg import draw
from qkvdocs.languages import Language

from .conftest import FIGURES, Drawn

SVG = "{http://www.w3.org/2000/svg}"
PAINT = re.compile(r"\b(?:fill|stroke|color|stop-color):\s*([^;]+)")
ROOT = Path(qkvdocs.__file__).parent.parent

each_figure = pytest.mark.parametrize(("name", "language"), FIGURES)


def texts(svg: str) -> list[str]:
    """Return the lines of text of a drawing, raised and lowered letters in their places."""
    return ["".join(text.itertext()) for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def bounds(path: str) -> tuple[float, float, float, float]:
    """Return the left, top, right and bottom of all points of a path."""
    pen = ControlBoundsPen(None)
    parse_path(path, pen)
    assert pen.bounds is not None
    left, top, right, bottom = pen.bounds
    return left, top, right, bottom


@each_figure
def test_a_figure_is_one_image_with_a_name(name: str, language: Language, drawn: Drawn) -> None:
    figure = drawn(name, language)
    root = ElementTree.fromstring(figure.svg)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert root.get("aria-label") == figure.description
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        "svg", "g", "defs", "path", "use", "text", "tspan",
    }  # fmt: skip


@each_figure
def test_a_figure_has_a_size_and_shrinks(name: str, language: Language, drawn: Drawn) -> None:
    root = ElementTree.fromstring(drawn(name, language).svg)
    _, _, width, height = (float(number) for number in root.get("viewBox", "").split())
    assert (root.get("width"), root.get("height")) == (f"{width:g}pt", f"{height:g}pt")
    assert width <= 6.4 * 72
    assert "max-width:100%;height:auto" in root.get("style", "")


@each_figure
def test_a_figure_takes_its_colours_from_the_page(
    name: str, language: Language, drawn: Drawn
) -> None:
    svg = drawn(name, language).svg
    elements = list(ElementTree.fromstring(svg).iter())
    paints = {paint for one in elements for paint in PAINT.findall(one.get("style", ""))}
    assert any(paint.startswith("var(") for paint in paints)
    assert {p for p in paints if not re.fullmatch(r"none|var\(--qkv-[a-z]+(-[0-6])?\)", p)} == set()
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b|rgba?\(", svg) == []
    assert not any(one.get(attribute) for one in elements for attribute in ("fill", "stroke"))
    for text in (one for one in elements if one.tag == f"{SVG}text"):
        assert "fill:var(" in text.get("style", ""), "without a fill a text is black"


@each_figure
def test_a_figure_takes_its_font_from_the_page(name: str, language: Language, drawn: Drawn) -> None:
    svg = drawn(name, language).svg
    assert "Noto" not in svg
    assert "font-family" not in svg
    assert all(float(size) >= 11 for size in re.findall(r"font-size:([\d.]+)px", svg))


@each_figure
def test_a_figure_stays_within_its_frame(name: str, language: Language, drawn: Drawn) -> None:
    root = ElementTree.fromstring(drawn(name, language).svg)
    _, _, width, height = (float(number) for number in root.get("viewBox", "").split())
    for path in root.iter(f"{SVG}path"):
        if path.get("transform") or path.get("id"):
            continue
        left, top, right, bottom = bounds(path.get("d", ""))
        assert -1 <= left <= right <= width + 1
        assert -1 <= top <= bottom <= height + 1


@each_figure
def test_a_figure_is_light(name: str, language: Language, drawn: Drawn) -> None:
    assert len(gzip.compress(drawn(name, language).svg.encode())) <= 6000


def test_no_two_figures_of_a_page_share_an_id(drawn: Drawn) -> None:
    svgs = [drawn(name, language).svg for name, language in FIGURES]
    ids = [one for svg in svgs for one in re.findall(r'\bid="([^"]+)"', svg)]
    assert len(ids) == len(set(ids))
    for svg in svgs:
        own = set(re.findall(r'\bid="([^"]+)"', svg))
        used = set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', svg))
        assert {a or b for a, b in used} == own


@pytest.mark.parametrize("name", sorted({name for name, _ in FIGURES}))
def test_both_languages_draw_the_same(name: str, drawn: Drawn) -> None:
    zh, en = (drawn(name, language).svg for language in ("zh", "en"))
    assert len(texts(zh)) == len(texts(en))
    assert any("\u4e00" <= letter <= "\u9fff" for letter in "".join(texts(zh)))
    assert not any("\u3000" <= letter <= "\uffef" for letter in "".join(texts(en)))


def test_the_font_has_every_character_of_every_figure(drawn: Drawn) -> None:
    with as_file(files("noto_cjk_sans_otc") / "NotoSansCJK-Regular.ttc") as path:
        with TTCollection(path, lazy=True) as faces:
            face = next(one for one in faces if one["name"].getDebugName(1) == "Noto Sans CJK SC")
            known = set(face.getBestCmap())
    for name, language in FIGURES:
        assert {
            c for text in texts(drawn(name, language).svg) for c in text if ord(c) not in known
        } == set()


def written(text: str, colour: str = INK) -> str:
    """Return the SVG of a figure that is one line of text."""

    def figure(language: Language) -> Drawing:
        made, sheet = canvas(20)
        sheet.text(10, 10, text, color=colour)
        return Drawing(made, "one line")

    return draw("one-line", figure, "en")[0]


def test_a_character_that_the_font_lacks_stops_the_drawing() -> None:
    with pytest.raises(UserWarning, match="missing from font"):
        written("Kᵀ")


def test_a_colour_of_its_own_stops_the_drawing() -> None:
    with pytest.raises(ValueError, match="#ff0000"):
        written("red", colour="#ff0000")


def test_letters_are_raised_and_lowered_and_the_line_goes_on() -> None:
    (text,) = ElementTree.fromstring(written("q W^Q + d_k = 1")).iter(f"{SVG}text")
    assert "".join(text.itertext()) == "q WQ + dk = 1"
    position, lowest, highest = 0.0, 0.0, 0.0
    for part in text:
        small = float(part.get("font-size", "100%").removesuffix("%")) / 100
        position += float(part.get("dy", "0em").removesuffix("em")) * small
        lowest, highest = max(lowest, position), min(highest, position)
    assert highest < 0 < lowest
    assert position == pytest.approx(0)


HASH_ALL = """
import hashlib
from qkvdocs.figures import names, render
for name in names():
    for language in ("zh", "en"):
        print(hashlib.sha256(render(name, language).svg.encode()).hexdigest())
"""


def test_a_figure_is_the_same_from_anywhere(tmp_path: Path, drawn: Drawn) -> None:
    # The working directory is where matplotlib looks for the reader's own settings.
    (tmp_path / "matplotlibrc").write_text(
        "axes.spines.bottom: False\nlines.dash_capstyle: round\n"
    )
    there = subprocess.run(
        [sys.executable, "-c", HASH_ALL],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "HOME": str(tmp_path), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    here = [
        hashlib.sha256(drawn(name, language).svg.encode()).hexdigest() for name, language in FIGURES
    ]
    assert there.stdout.split() == here
