"""The maths font: the characters of the site's formulas, cut out of STIX Two Math.

Without a font that has a MATH table, browsers do not stretch parentheses around a fraction. The
whole font is larger than a page, so the site carries what its formulas use.
"""

import hashlib
import re
from collections.abc import Iterable
from html import unescape
from importlib.metadata import distribution
from io import BytesIO
from pathlib import Path

from qkvdocs.site.assets import ASSETS

FONT = f"{ASSETS}/fonts/maths.woff2"
LICENCE = f"{ASSETS}/fonts/OFL.txt"

MATHS = re.compile(r"<math\b.*?</math>", re.DOTALL)
ANNOTATION = re.compile(r"<annotation\b.*?</annotation>", re.DOTALL)
LONE_LETTER = re.compile(r"<mi>(\w|&\w+;)</mi>")
TAG = re.compile(r"<[^>]*>")

# What stretches around other things, whether or not a page has it yet.
STRETCHY = "()[]{}|‖⟨⟩√∑∏∫‾⏞⏟→^~¯"
# Browsers show a lone letter of a formula in italics, as a character of its own.
ITALIC_CAPITAL, ITALIC_SMALL = 0x1D434, 0x1D44E
ITALIC_GREEK_CAPITAL, ITALIC_GREEK_SMALL = 0x1D6E2, 0x1D6FC
PLANCK = "ℎ"


def write_maths_font(site: Path, cache: Path) -> None:
    """Add to a built site the font that its formulas need, with its licence."""
    pages = (page.read_text(encoding="utf-8") for page in site.rglob("*.html"))
    font = maths_font(maths_characters(pages), cache / "fonts")
    (site / FONT).parent.mkdir(parents=True, exist_ok=True)
    (site / FONT).write_bytes(font)
    (site / LICENCE).write_text(font_licence(), encoding="utf-8")


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


def maths_font(characters: frozenset[str], cache: Path) -> bytes:
    """Return a WOFF2 font with `characters` and the stretchy delimiters.

    Parameters
    ----------
    characters : frozenset of str
        What is shown; see `maths_characters`.
    cache : Path
        The folder that keeps a font for each set of characters.
    """
    wanted = sorted(characters | set(STRETCHY))
    kept = cache / f"{hashlib.sha256(''.join(wanted).encode()).hexdigest()[:32]}.woff2"
    if not kept.is_file():
        cache.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(_subset(wanted))
    return kept.read_bytes()


def font_licence() -> str:
    """Return the notice and the licence that must stand next to the font."""
    from fontTools.ttLib import TTFont

    # The licence's own words come with matplotlib's copy of the older STIX fonts.
    older = distribution("matplotlib").locate_file("matplotlib/mpl-data/fonts/ttf/LICENSE_STIX")
    _, title, licence = Path(str(older)).read_text(encoding="utf-8").partition("SIL OPEN FONT LIC")
    copyright_line = TTFont(_source(), lazy=True)["name"].getDebugName(0)
    return f"{copyright_line}\n(here a subset of STIX Two Math)\n\n{title}{licence}"


def _subset(characters: list[str]) -> bytes:
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    font = TTFont(_source())
    options = Options(flavor="woff2", layout_features=[], hinting=False)
    options.notdef_outline = True
    subsetter = Subsetter(options)
    subsetter.populate(text="".join(characters))
    subsetter.subset(font)
    font.flavor = "woff2"
    out = BytesIO()
    font.save(out)
    return out.getvalue()


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
