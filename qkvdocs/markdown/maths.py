"""Formulas: TeX between dollars becomes MathML while the page is built."""

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement

from markdown import Markdown
from markdown.blockprocessors import BlockProcessor
from markdown.inlinepatterns import InlineProcessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import HTML_PLACEHOLDER_RE, AtomicString

from qkvdocs.languages import Label
from qkvdocs.markdown.page import Page
from qkvdocs.markdown.shelter import unshelter
from qkvdocs.markdown.value import values_in_tex

if TYPE_CHECKING:
    from math_core import LatexToMathML

# A price is no formula: no blank at the inner side of a dollar, no digit behind the second one.
# Nor does a formula hold a code span, be it in the source or already parsed.
INLINE = r"(?<![\\$])\$(?![\s$])(?:\\.|\n(?!\s*\n)|[^\\$\n`\x02])+?(?<!\s)\$(?![\d$])"
# A letter, a command or a bracket behind a dollar is no price.
UNCLOSED = r"(?<![\\$])\$(?=[A-Za-z\\({])[^\n\x02]*"
DISPLAY = r"(?:^|(?<=\n))[ >]*\$\$.+?\$\$[ ]*(?=\n|$)"
# What must not begin a line, and what must not end one: browsers break there next to a formula.
CLOSING = re.compile("[，。、：；！？）」』”’》…,.:;)]+")
OPENING = re.compile(r"[（「『“‘《(]\Z")
OPENED = re.compile(r"(?:^|\n)[ ]{0,3}\$\$")
CLOSED = re.compile(r"(?:^|\n)[ ]{0,3}\$\$.+?\$\$[ ]*(?:\n|$)", re.DOTALL)

LABEL = Label(zh="公式", en="Formula")


@dataclass(frozen=True)
class Role:
    """A macro of the pages, the class it gives, and the colour in between: its name and code."""

    macro: str
    css_class: str
    colour: str
    code: str


# The TeX parser knows colours but no classes, so each role passes it as a colour that no page uses.
ROLES = (
    Role("query", "query", "Periwinkle", "#6A7ABF"),
    Role("key", "key", "Bittersweet", "#D04C17"),
    Role("val", "value", "Orchid", "#AC72B9"),
)


@functools.cache
def _converter() -> "LatexToMathML":
    from math_core import LatexToMathML

    macros = {role.macro: rf"\textcolor{{{role.colour}}}{{#1}}" for role in ROLES}
    return LatexToMathML(annotation=True, fancy_error=False, macros=macros)


def mathml(tex: str, *, display: bool) -> str:
    r"""Return a formula as MathML with its source in an annotation.

    Raises
    ------
    math_core.LatexError
        If the TeX doesn't parse; the text starts with the offset of the place.

    Examples
    --------
    >>> mathml(r"\query{q}", display=False)[:57]
    '<math><semantics><mrow class="query"><mi>q</mi></mrow><an'
    """
    html = _converter().convert_with_local_state(tex, displaystyle=display)
    for role in ROLES:
        html = html.replace(f'style="color:{role.code};"', f'class="{role.css_class}"')
    # Tables are at this level anyway, and HTML checkers don't know the attribute.
    html = html.replace(' scriptlevel="0"', "")
    # Search would index each formula twice over.
    return html.replace('x-tex">', 'x-tex" data-search-exclude="">')


def _mathml_on(page: Page, source: str, mark: str) -> str:
    """Return a formula as MathML, given with the dollars at both ends, as a page writes it."""
    from math_core import LatexError

    written = source.removeprefix(mark).removesuffix(mark)
    tex = written.strip("\n")
    try:
        return mathml(values_in_tex(tex, page), display=mark == "$$")
    except LatexError as error:
        offset, _, message = str(error).partition(": ")
        before = tex[: int(offset)] if offset.isdecimal() else ""
        line = written[: written.index(tex) + len(before)].count("\n")
        raise page.error(
            source, f"wanted TeX that parses; got {tex.strip()}: {message or error}", line
        ) from error


class InlineMaths(InlineProcessor):
    """Formulas within a line."""

    def __init__(self, md: Markdown, page: Page) -> None:
        super().__init__(INLINE, md)
        self.page = page

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[Element | str, int, int]:
        """Convert one formula; punctuation next to it stays on its line."""
        html = _mathml_on(self.page, unshelter(m[0]), "$")
        opening = OPENING.search(data, 0, m.start())
        closing = CLOSING.match(data, m.end())
        before, after = (found[0] if found else "" for found in (opening, closing))
        if before or after:
            html = f'<span class="qkv-unbroken">{before}{html}{after}</span>'
        return self.md.htmlStash.store(html), m.start() - len(before), m.end() + len(after)


class UnclosedMaths(InlineProcessor):
    """Refuses what begins like a formula within a line and doesn't end."""

    def __init__(self, md: Markdown, page: Page) -> None:
        super().__init__(UNCLOSED, md)
        self.page = page

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[Element | str, int, int]:
        """Raise the error, on the line that has the same words around the dollar."""
        before = re.split(r"[\n\x03]", data[: m.start()])[-1]
        written = unshelter(m[0]).strip()
        raise self.page.error(
            unshelter(before) + written,
            f"wanted a formula between $ and $; got no second $ in the paragraph of {written!r}: "
            r"close it, with no blank inside the dollars, or write \$ for a dollar",
        )


class DisplayMaths(BlockProcessor):
    """Formulas on lines of their own, in a box that scrolls for itself."""

    def __init__(self, md: Markdown, page: Page) -> None:
        super().__init__(md.parser)
        self.md = md
        self.page = page

    def test(self, parent: Element, block: str) -> bool:
        """Tell whether a formula opens in the block."""
        return OPENED.search(block) is not None

    def run(self, parent: Element, blocks: list[str]) -> None:
        """Convert the first formula of the block; the rest of the block comes next."""
        block = blocks.pop(0)
        found = CLOSED.search(block)
        if found is None:
            raise self.page.error(
                unshelter(block[block.index("$$") :]),
                "wanted a formula between $$ and $$; got no second $$ before the next blank "
                "line: close the formula, and leave no line in it blank",
            )
        if before := block[: found.start()].strip("\n"):
            self.parser.parseBlocks(parent, [before])
        self._add(parent, unshelter(found[0]).strip())
        if after := block[found.end() :].strip("\n"):
            blocks.insert(0, after)

    def _add(self, parent: Element, source: str) -> None:
        attributes = {"role": "group", "tabindex": "0", "aria-label": LABEL[self.page.language]}
        box = SubElement(parent, "div", {"class": "qkv-math", **attributes})
        html = _mathml_on(self.page, source, "$$")
        box.text = AtomicString(self.md.htmlStash.store(html))


class HeadingLabels(Treeprocessor):
    """Gives headings with formulas a plain text for tables of contents."""

    def run(self, root: Element) -> None:
        """Label all headings that need it."""
        for element in root.iter():
            if element.tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
                text = "".join(element.itertext())
                if HTML_PLACEHOLDER_RE.search(text) and "data-toc-label" not in element.attrib:
                    element.set("data-toc-label", HTML_PLACEHOLDER_RE.sub(self._plain, text))

    def _plain(self, found: re.Match[str]) -> str:
        html = str(self.md.htmlStash.rawHtmlBlocks[int(found[1])])
        return re.sub(r"<annotation.*?</annotation>|<[^>]*>|&\w+;", "", html)
