"""The maths font: the characters of the site's formulas, cut out of STIX Two Math.

Without a font that has a MATH table, browsers do not stretch parentheses around a fraction. The
whole font is larger than a page, so the site carries what its formulas use.
"""

import hashlib
import re
import shutil
from collections.abc import Iterable
from html import unescape
from importlib.metadata import distribution
from io import BytesIO
from pathlib import Path

from qkvdocs.site.assets import ASSETS

FOLDER = f"{ASSETS}/fonts"
FONT, LICENCE = "maths.woff2", "OFL.txt"

MATHS = re.compile(r"<math\b.*?</math>", re.DOTALL)
ANNOTATION = re.compile(r"<annotation\b.*?</annotation>", re.DOTALL)
LONE_LETTER = re.compile(r"<mi>(\w|&\w+;)</mi>")
TAG = re.compile(r"<[^>]*>")

# What <msqrt> draws without a text that has it.
ROOT = "√"
# Browsers show a lone letter of a formula in italics, as a character of its own.
ITALIC_CAPITAL, ITALIC_SMALL = 0x1D434, 0x1D44E
ITALIC_GREEK_CAPITAL, ITALIC_GREEK_SMALL = 0x1D6E2, 0x1D6FC
PLANCK = "ℎ"


def write_maths_font(site: Path, cache: Path) -> None:
    """Add to a built site the font that its formulas need, with its licence.

    Parameters
    ----------
    site : Path
        The folder of both languages.
    cache : Path
        The folder that keeps a font for each set of characters.
    """
    pages = (page.read_text(encoding="utf-8") for page in site.rglob("*.html"))
    characters = maths_characters(pages) | frozenset(ROOT)
    kept = cache / hashlib.sha256("".join(sorted(characters)).encode()).hexdigest()
    if not (kept / FONT).is_file():
        kept.mkdir(parents=True, exist_ok=True)
        (kept / LICENCE).write_text(font_licence(), encoding="utf-8")
        (kept / FONT).write_bytes(maths_font(characters))
    shutil.copytree(kept, site / FOLDER, dirs_exist_ok=True)


def maths_characters(pages: Iterable[str]) -> frozenset[str]:
    """Return the characters that browsers show for the formulas of HTML pages.

    Examples
    --------
    >>> sorted(maths_characters(["<p>no</p><math><mi>a</mi><mo>=</mo><mi>exp</mi></math>"]))
    ['=', 'e', 'p', 'x', '𝑎']
    """
    found: set[str] = set()
    for formula in (formula for page in pages for formula in MATHS.findall(page)):
        shown = ANNOTATION.sub("", formula)
        found |= {_italic(unescape(letter)) for letter in LONE_LETTER.findall(shown)}
        found |= set(unescape(TAG.sub("", LONE_LETTER.sub("", shown))))
    return frozenset(found) - frozenset(" \n\t")


def maths_font(characters: Iterable[str]) -> bytes:
    """Return a WOFF2 font with `characters`, and what the MATH table makes of them.

    Parameters
    ----------
    characters : iterable of str
        What is shown; see `maths_characters`.
    """
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    out = BytesIO()
    with TTFont(_source()) as font:
        subsetter = Subsetter(Options(layout_features=[], hinting=False))
        subsetter.populate(text="".join(characters))
        subsetter.subset(font)
        font.flavor = "woff2"
        font.save(out)
    return out.getvalue()


def font_licence() -> str:
    """Return the notice and the licence that must stand next to the font."""
    from fontTools.ttLib import TTFont

    # The licence's own words come with matplotlib's copy of the older STIX fonts.
    older = distribution("matplotlib").locate_file("matplotlib/mpl-data/fonts/ttf/LICENSE_STIX")
    _, title, licence = Path(str(older)).read_text(encoding="utf-8").partition("SIL OPEN FONT LIC")
    with TTFont(_source(), lazy=True) as font:
        copyright_line = font["name"].getDebugName(0)
    return f"{copyright_line}\n(here a subset of STIX Two Math)\n\n{title}{licence}"


def _source() -> Path:
    # Found without an import, which would load all of a package whose font alone is wanted.
    path = distribution("ziamath").locate_file("ziamath/fonts/STIXTwoMath-Regular.ttf")
    return Path(str(path))


def _italic(letter: str) -> str:
    if letter == "h":
        return PLANCK
    for first, last, italic in (
        ("A", "Z", ITALIC_CAPITAL),
        ("a", "z", ITALIC_SMALL),
        ("Α", "Ω", ITALIC_GREEK_CAPITAL),
        ("α", "ω", ITALIC_GREEK_SMALL),
    ):
        if first <= letter <= last:
            return chr(italic + ord(letter) - ord(first))
    return letter
