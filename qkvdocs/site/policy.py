"""What a strict content policy asks of the pages: no style in a tag, no image in an address.

Under `default-src 'self'` a browser ignores `style="…"` and refuses `data:` images. Figures, heat
maps and Markdown's tables write the one and Material's style sheet the other. Both are moved into
files when the site is built, so nobody who writes a figure or a demo has to think of it.
"""

import hashlib
import re
from html import unescape
from pathlib import Path
from urllib.parse import unquote

from qkvdocs.site.assets import ASSETS

MOVED = f"{ASSETS}/moved.css"
ICONS = f"{ASSETS}/icons"

# Text that only looks like a tag stands in these.
NO_TAGS = r"<!--.*?-->|<(?P<raw>script|style|textarea)\b.*?</(?P=raw)>"
STYLED = re.compile(
    NO_TAGS + r"|<(?P<tag>[a-zA-Z][^\s/>]*)(?P<attributes>(?:[^>\"]|\"[^\"]*\")*?)>", re.DOTALL
)
STYLE = re.compile(r"\sstyle=\"([^\"]*)\"")
CLASS = re.compile(r"(\sclass=\")")
HEAT = re.compile(r"--heat:\s*([0-9.]+)")
ICON = re.compile(r"url\(([\"']?)data:image/svg\+xml(?:;charset=utf-8|;utf8)?,(.*?)\1\)")


class MovedStyles:
    """The declarations that were written in tags, each with the class that replaces it."""

    def __init__(self) -> None:
        self.declarations: dict[str, str] = {}

    def move(self, html: str) -> str:
        """Return a page with a class in the place of each style.

        Examples
        --------
        >>> styles = MovedStyles()
        >>> html = styles.move('<td class="a" style="color: red;">')
        >>> (name,) = styles.declarations.values()
        >>> html == f'<td class="{name} a">'
        True
        """
        return STYLED.sub(self._without_style, html)

    def sheet(self) -> str:
        """Return the style sheet; its rules stand above all others, as a style in a tag does."""
        # Found by their class: with `:is(#_,…)` a browser would try each rule on each element.
        rules = sorted(f".{name}:not(#_){{{text}}}" for text, name in self.declarations.items())
        return "\n".join([*rules, ""])

    def write(self, site: Path) -> None:
        """Add the style sheet to a built site."""
        (site / MOVED).write_text(self.sheet(), encoding="utf-8")

    def _without_style(self, found: re.Match[str]) -> str:
        style = STYLE.search(found["attributes"] or "")
        if style is None:
            return found[0]
        rest = STYLE.sub("", found["attributes"], count=1)
        name = self._name(HEAT.sub(_hundredths, unescape(style[1])).strip().rstrip(";"))
        with_class = CLASS.sub(rf"\g<1>{name} ", rest, count=1)
        if with_class == rest:
            with_class = f' class="{name}"{rest}'
        return f"<{found['tag']}{with_class}>"

    def _name(self, declarations: str) -> str:
        if declarations not in self.declarations:
            heat = HEAT.fullmatch(declarations)
            # The commonest by far; a name that says what it is takes a page the fewest bytes.
            name = f"heat-{float(heat[1]) * 100:.0f}" if heat else f"s-{_short(declarations)}"
            self.declarations[declarations] = name
        return self.declarations[declarations]


def move_icons(site: Path) -> None:
    """Write the images inside the style sheets of a built site out as files of their own."""
    (site / ICONS).mkdir(parents=True, exist_ok=True)
    for sheet in sorted(site.rglob("*.css")):
        css = sheet.read_text(encoding="utf-8")
        for found in ICON.finditer(css):
            svg = unquote(found[2])
            (site / _icon(svg)).write_text(svg, encoding="utf-8")
        up = "../" * (len(sheet.relative_to(site).parts) - 1)
        sheet.write_text(_with_files(css, up), encoding="utf-8")


def _with_files(css: str, up: str) -> str:
    return ICON.sub(lambda found: f"url({up}{_icon(unquote(found[2]))})", css)


def _icon(svg: str) -> str:
    return f"{ICONS}/{_short(svg)}.svg"


def _hundredths(heat: re.Match[str]) -> str:
    # Nobody sees a finer step, and without it each cell of the course would be a rule.
    return f"--heat:{float(heat[1]):.2f}"


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]
