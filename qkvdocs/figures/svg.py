"""From matplotlib's SVG to one that may stand in a page: small, in its colours, in its font."""

import io
import re
import warnings
from collections.abc import Callable
from xml.etree import ElementTree

from matplotlib.figure import Figure

from qkvdocs.figures.paths import joined, shortened
from qkvdocs.figures.style import STAND_INS, Drawing, house_style
from qkvdocs.languages import Language

NAMESPACE = "http://www.w3.org/2000/svg"
TEXT, TSPAN, GROUP, DEFS = (f"{{{NAMESPACE}}}{tag}" for tag in ("text", "tspan", "g", "defs"))
XLINK = "{http://www.w3.org/1999/xlink}href"

NUMBER = re.compile(r"-?\d+\.\d+")
COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\b")
REFERENCE = re.compile(r"url\(#([^)]+)\)")
NO_TURN = re.compile(r"rotate\(-?0 [^)]*\)")
RAISED = re.compile(r"([_^])(\w)")

SMALL = 0.75
# How far a small letter moves down, in its own em.
SHIFT = {"_": 0.25, "^": -0.45}

WITHOUT_EFFECT = {"stroke-linejoin: miter", "stroke-linecap: butt", "text-anchor: start"}


def draw(name: str, function: Callable[[Language], Drawing], language: Language) -> tuple[str, str]:
    """Call a figure function; return its drawing as the text of an `<svg>`, and its description.

    Raises
    ------
    UserWarning
        If the font has no glyph for a character; any warning of matplotlib is an error here.
    ValueError
        If the drawing uses a colour that is not one of the page's.
    """
    with warnings.catch_warnings(), house_style():
        warnings.simplefilter("error")
        drawing = function(language)
        raw = _save(drawing.figure)
    return _clean(raw, f"qkv-{name}-{language}", drawing.description), drawing.description


def _save(figure: Figure) -> bytes:
    figure.patch.set_visible(False)
    for axes in figure.axes:
        axes.patch.set_visible(False)
    for artist in figure.findobj():
        # Nothing is drawn outside its limits, and each clip path would cost bytes and an id.
        artist.set_clip_on(False)
    file = io.BytesIO()
    figure.savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()


def _clean(raw: bytes, prefix: str, description: str) -> str:
    root = ElementTree.fromstring(raw)
    _drop_what_pages_have_no_use_for(root)
    _rename_ids(root, prefix)
    for element in root.iter():
        _rewrite(element)
    _flatten(root)
    root.attrib.pop("version", None)
    root.set("role", "img")
    root.set("aria-label", description)
    root.set("style", "max-width:100%;height:auto;overflow:visible")
    ElementTree.register_namespace("", NAMESPACE)
    return ElementTree.tostring(root, encoding="unicode")


def _drop_what_pages_have_no_use_for(root: ElementTree.Element) -> None:
    for parent in list(root.iter()):
        for child in list(parent):
            # The style sheet would restyle every other drawing of the page.
            if child.tag.rpartition("}")[2] in {"metadata", "style"}:
                parent.remove(child)


def _rename_ids(root: ElementTree.Element, prefix: str) -> None:
    wanted = {
        reference
        for element in root.iter()
        for reference in [
            element.get(XLINK, "").removeprefix("#"),
            *(found for value in element.attrib.values() for found in REFERENCE.findall(value)),
        ]
        if reference
    }
    new = {old: f"{prefix}-{number}" for number, old in enumerate(sorted(wanted))}
    for element in root.iter():
        identifier = element.attrib.pop("id", None)
        if identifier in new:
            element.set("id", new[identifier])
        if link := element.attrib.pop(XLINK, None):
            element.set("href", f"#{new[link.removeprefix('#')]}")
        for key, value in element.attrib.items():
            element.set(key, REFERENCE.sub(lambda found: f"url(#{new[found[1]]})", value))


def _rewrite(element: ElementTree.Element) -> None:
    element.tail = None
    if element.text is not None and not element.text.strip():
        element.text = None
    for key, value in element.attrib.items():
        if key == "style":
            element.set(key, _style(value))
        elif key != "id":
            element.set(key, " ".join(NUMBER.sub(_rounded, value).split()))
    if "d" in element.attrib:
        element.set("d", shortened(element.attrib["d"]))
    if NO_TURN.fullmatch(element.get("transform", "")):
        del element.attrib["transform"]
    if element.tag == TEXT:
        _raise_and_lower(element)


def _style(declarations: str) -> str:
    kept = []
    for declaration in declarations.split(";"):
        name, _, value = declaration.strip().partition(": ")
        if f"{name}: {value}" in WITHOUT_EFFECT or not name:
            continue
        # No family: the text is set in the page's font.
        if name != "font-family":
            kept.append(f"{name}:{COLOUR.sub(_variable, value)}")
    return NUMBER.sub(_rounded, ";".join(kept))


def _variable(colour: re.Match[str]) -> str:
    if colour[0] not in STAND_INS:
        raise ValueError(
            f"wanted the colours of qkvdocs.figures.style alone; got {colour[0]}: "
            "give every artist its colour from there"
        )
    return STAND_INS[colour[0]]


def _rounded(number: re.Match[str]) -> str:
    return f"{round(float(number[0]), 2) + 0:g}"


def _raise_and_lower(text: ElementTree.Element) -> None:
    """Set `W^Q` and `d_k` with a raised Q and a lowered k."""
    before, *rest = RAISED.split(text.text or "")
    text.text = before
    for sign, letter, after in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
        small = ElementTree.SubElement(
            text, TSPAN, {"dy": f"{SHIFT[sign]}em", "font-size": f"{SMALL:.0%}"}
        )
        small.text = letter
        if after:
            # dy lasts to the end of the text; what follows returns to the line.
            line = ElementTree.SubElement(text, TSPAN, {"dy": f"{-SHIFT[sign] * SMALL:.4g}em"})
            line.text = after


def _flatten(element: ElementTree.Element) -> None:
    """Take away the groups that group nothing any more, and join the paths that look alike."""
    children: list[ElementTree.Element] = []
    for child in element:
        _flatten(child)
        if child.tag == GROUP and not child.attrib:
            children.extend(child)
        elif child.tag != DEFS or len(child):
            children.append(child)
    element[:] = joined(children)
