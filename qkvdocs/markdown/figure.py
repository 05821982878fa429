"""`/// figure | name`: a drawing with its caption."""

from xml.etree.ElementTree import Element, SubElement

from markdown.util import AtomicString

from qkvdocs import figures
from qkvdocs.languages import Label
from qkvdocs.markdown.block import PageBlock
from qkvdocs.markdown.errors import nearest

HOW = Label(zh="这张图是怎么画的", en="How this was made")


class FigureBlock(PageBlock):
    """Shows a drawing of `qkvdocs.figures`; the body is its caption."""

    NAME = "figure"
    WANTS = "the name of a figure"

    def on_create(self, parent: Element) -> Element:
        """Draw the figure."""
        if self.argument not in figures.names():
            known = ", ".join(figures.names())
            meant = nearest(self.argument, figures.names())
            raise self.error(f"wanted a figure, one of {known}; got {self.argument!r}{meant}")
        # A demo of the same name may stand on the page, under its name alone.
        anchor = f"figure-{self.argument}"
        if self.page.count(f"figure {self.argument}") > 1:
            raise self.error(
                f"wanted a figure once on a page; got {self.argument!r} twice: "
                f"link to it with [text](#{anchor})",
                which=1,
            )
        svg = figures.render(self.argument, self.page.language, cache=self.page.cache.folder)
        self.function = svg.function
        figure = SubElement(parent, "figure", {"class": "qkv-figure", "id": anchor})
        drawing = {"class": "qkv-figure__drawing", "data-search-exclude": ""}
        box = SubElement(figure, "div", drawing)
        box.text = AtomicString(self.md.htmlStash.store(svg.svg))
        self.caption = SubElement(figure, "figcaption")
        return figure

    def on_add(self, block: Element) -> Element:
        """Read the body into the caption."""
        return self.caption

    def on_end(self, block: Element) -> None:
        """Say at the end of the caption how the drawing was made."""
        if len(self.caption) == 0:
            raise self.error("wanted a caption between /// figure and ///; got none: write one")
        last = self.caption[-1] if self.caption[-1].tag == "p" else SubElement(self.caption, "p")
        if len(last):
            last[-1].tail = f"{last[-1].tail or ''} "
        else:
            last.text = f"{last.text or ''} "
        attributes = {"identifier": self.function, "class": "qkv-figure__how"}
        link = SubElement(last, "autoref", attributes)
        link.text = AtomicString(HOW[self.page.language])
