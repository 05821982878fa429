"""API pages: what they need besides their rendering, which may come from the cache."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import AnchorLink

from qkvdocs.languages import Label, Language

HANDLER = "python"

NOTES = re.compile(
    r"<details class=\"note\" open>\s*<summary>Notes</summary>(.*?)</details>", re.DOTALL
)
NOTES_TITLE = Label(zh="说明：", en="Notes:")


def is_api_page(markdown: str) -> bool:
    """Return whether a page asks for the documentation of an object.

    Examples
    --------
    >>> is_api_page("# API\\n\\n::: qkvdocs.attention\\n")
    True
    """
    return any(line.startswith("::: ") for line in markdown.splitlines())


def plain_notes(html: str, language: Language) -> str:
    """Return the HTML with the notes of a docstring titled as its other sections are.

    Examples
    --------
    >>> html = '<details class="note" open>\\n<summary>Notes</summary>\\n<p>1</p>\\n</details>'
    >>> plain_notes(html, "zh")
    '<p><span class="doc-section-title">说明：</span></p>\\n<p>1</p>\\n'
    """
    title = f'<p><span class="doc-section-title">{NOTES_TITLE[language]}</span></p>'
    return NOTES.sub(lambda found: title + found[1], html)


def leave_out_of_search(page: Page) -> None:
    """Let a search for a term lead to where it is explained, and keep the index small."""
    page.meta["search"] = {"exclude": True}


def make_linkable(page: Page, config: MkDocsConfig) -> None:
    """Do what rendering does by the way: other pages link to an object by its name alone."""
    plugins: Any = config.plugins
    # Once asked for, the handler writes the style sheet of these pages.
    plugins["mkdocstrings"].get_handler(HANDLER)
    plugins["autorefs"].current_page = page
    for link in _all(page.toc):
        plugins["autorefs"].register_anchor(page, link.id, title=link.title, primary=True)


def _all(links: Iterable[AnchorLink]) -> Iterator[AnchorLink]:
    for link in links:
        yield link
        yield from _all(link.children)
