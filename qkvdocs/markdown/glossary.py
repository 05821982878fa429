"""`/// glossary`, and the links from the first use of each term on a page."""

import functools
import re
from xml.etree.ElementTree import Element, SubElement

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from qkvdocs.glossary import Term, terms
from qkvdocs.languages import Language
from qkvdocs.markdown.block import EmptyBlock
from qkvdocs.markdown.page import Page

PAGE = "glossary.md"

# Where a link would be in the way: it has no place there, or the words aren't prose.
UNLINKED = frozenset(
    "a autoref button code h1 h2 h3 h4 h5 h6 math nav pre script style summary svg th dt".split()
)


class GlossaryBlock(EmptyBlock):
    """Shows all terms with their definitions."""

    NAME = "glossary"

    def on_create(self, parent: Element) -> Element:
        """Make the list."""
        return SubElement(parent, "dl", {"class": "qkv-glossary"})

    def fill(self, block: Element) -> None:
        """Add each term: its name here, its name in the other language, its definition."""
        language = self.page.language
        other: Language = "en" if language == "zh" else "zh"
        for term in sorted(terms(), key=lambda term: term.name.en.lower()):
            entry = SubElement(block, "div", {"id": term.id})
            name = SubElement(entry, "dt")
            name.text = term.name[language]
            if term.name[other] != term.name[language]:
                name.text += " "
                SubElement(name, "span", {"lang": other}).text = term.name[other]
            SubElement(entry, "dd").text = term.definition[language]


@functools.cache
def _forms() -> tuple[re.Pattern[str], dict[str, Term]]:
    owners = {form.lower(): term for term in terms() for form in term.forms}
    others = {word for term in terms() for word in term.not_in} - owners.keys()
    longest_first = sorted([*owners, *others], key=len, reverse=True)
    return re.compile("|".join(map(_pattern, longest_first)), re.IGNORECASE), owners


def _pattern(form: str) -> str:
    # A Chinese form stands anywhere; a Latin one between marks that are no Latin letters.
    before = r"(?<![A-Za-z0-9_])" if form[0].isascii() else ""
    after = r"(?![A-Za-z0-9_])" if form[-1].isascii() else ""
    return before + re.escape(form) + after


class TermLinks(Treeprocessor):
    """Links the first use of each term to its definition."""

    def __init__(self, md: Markdown, page: Page) -> None:
        super().__init__(md)
        self.page = page

    def run(self, root: Element) -> None:
        """Link the terms of a page, unless it is the glossary."""
        if self.page.path != PAGE:
            self.linked: set[str] = set()
            self._walk(root)

    def _walk(self, element: Element) -> None:
        if element.tag in UNLINKED:
            return
        self._link_text(element)
        for child in list(element):
            self._walk(child)
            self._link_tail(element, child)

    def _link_text(self, element: Element) -> None:
        element.text, links = self._with_links(element.text)
        element[:0] = links

    def _link_tail(self, parent: Element, child: Element) -> None:
        child.tail, links = self._with_links(child.tail)
        place = list(parent).index(child) + 1
        parent[place:place] = links

    def _with_links(self, text: str | None) -> tuple[str | None, list[Element]]:
        """Return the text before the first link, and links with the text behind them as tails."""
        if not text or isinstance(text, AtomicString):
            return text, []
        pattern, owners = _forms()
        texts: list[str] = []
        links: list[Element] = []
        done = 0
        for found in pattern.finditer(text):
            term = owners.get(found[0].lower())
            if term and term.id not in self.linked:
                self.linked.add(term.id)
                texts.append(text[done : found.start()])
                links.append(self._link(term, found[0]))
                done = found.end()
        before, *tails = *texts, text[done:]
        for link, tail in zip(links, tails, strict=True):
            link.tail = tail
        return before, links

    def _link(self, term: Term, form: str) -> Element:
        address = f"{self.page.link_to(PAGE)}#{term.id}"
        title = re.sub(r"[`*$]", "", term.definition[self.page.language])
        link = Element("a", {"class": "qkv-term", "href": address, "title": title})
        link.text = form
        return link
