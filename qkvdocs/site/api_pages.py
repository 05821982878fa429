"""API pages, kept from one build to the next: they take longer than all other pages together."""

import json
import logging
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import AnchorLink, get_toc
from mkdocs.utils import CountHandler

from qkvdocs.markdown.cache import Cache

HANDLER = "python"


class RenderedWithWarningsError(Exception):
    """A page has been rendered, and should be rendered again by the next build."""


def is_api_page(markdown: str) -> bool:
    """Return whether a page asks for the documentation of an object.

    Examples
    --------
    >>> is_api_page("# API\\n\\n::: qkvdocs.attention\\n")
    True
    """
    return any(line.startswith("::: ") for line in markdown.splitlines())


def keep_rendering(page: Page, cache: Cache) -> None:
    """Let the page take its rendering from the cache, or else render and keep it.

    What is kept leaves out links from the page to anchors of other pages, which MkDocs checks when
    the page is rendered.
    """
    # Searching for a term should lead to where it is explained, and the index should stay small.
    page.meta["search"] = {"exclude": True}
    render = page.render

    def render_or_recall(config: MkDocsConfig, files: Files) -> None:
        # Seen, the handler writes the style sheet of these pages, whether or not it renders one.
        plugin: Any = config.plugins["mkdocstrings"]
        plugin.get_handler(HANDLER)

        def rendered() -> str:
            warnings = CountHandler(level=logging.WARNING)
            logging.getLogger("mkdocs").addHandler(warnings)
            try:
                render(config, files)
            finally:
                logging.getLogger("mkdocs").removeHandler(warnings)
            if warnings.counts:
                raise RenderedWithWarningsError
            return json.dumps(
                {
                    "content": page.content,
                    "title": page.title,
                    "toc": _tokens(page.toc),
                    "anchors": sorted(page.present_anchor_ids or ()),
                }
            )

        made_from = [page.markdown, repr(plugin.config), version("mkdocstrings-python")]
        try:
            kept = json.loads(cache.get("api-pages", json.dumps(made_from), rendered))
        except RenderedWithWarningsError:
            # The page is complete, but kept it would be silent from the next build on.
            return
        page.content = kept["content"]
        page.title = kept["title"]
        page.toc = get_toc(kept["toc"])
        page.present_anchor_ids = set(kept["anchors"])
        _make_linkable(page, config.plugins["autorefs"])

    page.render = render_or_recall  # type: ignore[method-assign]


def _make_linkable(page: Page, autorefs: Any) -> None:
    # What a rendering does by the way: other pages link to an object by its name alone.
    autorefs.current_page = page
    for link in _all(page.toc):
        autorefs.register_anchor(page, link.id, title=link.title, primary=True)


def _all(links: Iterable[AnchorLink]) -> Iterator[AnchorLink]:
    for link in links:
        yield link
        yield from _all(link.children)


def _tokens(links: Iterable[AnchorLink]) -> list[dict[str, Any]]:
    return [
        {
            "name": link.title,
            "id": link.id,
            "level": link.level,
            "children": _tokens(link.children),
        }
        for link in links
    ]
