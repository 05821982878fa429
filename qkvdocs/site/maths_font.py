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
from typing import TYPE_CHECKING

from qkvdocs.site.assets import ASSETS

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

FOLDER = f"{ASSETS}/fonts"
FONT, LICENCE = "maths.woff2", "OFL.txt"

MATHS = re.compile(r"<math\b.*?</math>", re.DOTALL)
ANNOTATION = re.compile(r"<annotation\b.*?</annotation>", re.DOTALL)
LONE_LETTER = re.compile(r"<mi>(\w|&\w+;)</mi>")
TAG = re.compile(r"<[^>]*>")

# What <msqrt> draws without a text that has it.
ROOT = "√"
LOW_ROOT = re.compile(r"<msqrt>(?:</?(?:mi|mn|mo|mrow|msub)\b[^>]*>|[^<])*</msqrt>")
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
    pages = [page.read_text(encoding="utf-8") for page in site.rglob("*.html")]
    characters, high = maths_characters(pages) | frozenset(ROOT), has_high_roots(pages)
    used = "".join(sorted(characters)) + ("high" if high else "low")
    kept = cache / hashlib.sha256(used.encode()).hexdigest()
    if not (kept / FONT).is_file():
        kept.mkdir(parents=True, exist_ok=True)
        (kept / LICENCE).write_text(font_licence(), encoding="utf-8")
        (kept / FONT).write_bytes(maths_font(characters, high_roots=high))
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


def has_high_roots(pages: Iterable[str]) -> bool:
    """Say whether any formula of HTML pages has more below a root than letters and indices.

    Examples
    --------
    >>> has_high_roots(["<math><msqrt><msub><mi>d</mi><mi>k</mi></msub></msqrt></math>"])
    False
    >>> has_high_roots(["<math><msqrt><mfrac><mn>1</mn><mi>n</mi></mfrac></msqrt></math>"])
    True
    """
    formulas = (formula for page in pages for formula in MATHS.findall(page))
    return any("<msqrt" in LOW_ROOT.sub("", formula) for formula in formulas)


def maths_font(characters: Iterable[str], *, high_roots: bool = True) -> bytes:
    """Return a WOFF2 font with `characters`, and what the MATH table makes of them.

    Parameters
    ----------
    characters : iterable of str
        What is shown; see `maths_characters`.
    high_roots : bool
        Whether roots can grow. Chromium keeps for every root the room of the widest that the font
        has, and what follows √d then stands apart from it.
    """
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    out = BytesIO()
    with TTFont(_source()) as font:
        if not high_roots:
            _keep_the_lowest_form(font, ROOT)
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


def _keep_the_lowest_form(font: "TTFont", character: str) -> None:
    variants = font["MATH"].table.MathVariants
    place = variants.VertGlyphCoverage.glyphs.index(font.getBestCmap()[ord(character)])
    forms = variants.VertGlyphConstruction[place]
    forms.MathGlyphVariantRecord = forms.MathGlyphVariantRecord[:1]
    forms.VariantCount, forms.GlyphAssembly = 1, None


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
