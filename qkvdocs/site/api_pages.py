"""API pages: what they need besides their rendering, which may come from the cache."""

from collections.abc import Iterable, Iterator
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import AnchorLink

HANDLER = "python"


def is_api_page(markdown: str) -> bool:
    """Return whether a page asks for the documentation of an object.

    Examples
    --------
    >>> is_api_page("# API\\n\\n::: qkvdocs.attention\\n")
    True
    """
    return any(line.startswith("::: ") for line in markdown.splitlines())


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
