"""Rendered pages, kept from one build to the next: an edit is of one page, and a site has many."""

import hashlib
import json
import logging
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import AnchorLink, get_toc
from mkdocs.utils import CountHandler

from qkvdocs.markdown.cache import Cache

_PACKAGE = Path(__file__).parent.parent

# What pages and their search entries are made from besides the code, which the cache goes by.
DATA = {".html", ".pycon", ".toml", ".txt"}


class RenderedWithWarningsError(Exception):
    """A page has been rendered, and should be rendered again by the next build."""


def keep_rendering(page: Page, cache: Cache, *made_from: object) -> None:
    """Let the page take its rendering from the cache, or else render and keep it.

    Parameters
    ----------
    page
        whose Markdown has been read
    cache
        where renderings are kept
    made_from
        what the rendering depends on besides the page, its configuration, the package and the other
        pages' addresses
    """
    render = page.render

    def render_or_recall(config: MkDocsConfig, files: Files) -> None:
        def rendered() -> str:
            _render_without_warnings(render, config, files)
            return json.dumps(_kept(page))

        try:
            kept = cache.get("pages", _key(page, config, files, made_from), rendered)
        except RenderedWithWarningsError:
            # The page is complete, but kept it would be silent from the next build on.
            return
        _recall(page, json.loads(kept), files)

    page.render = render_or_recall  # type: ignore[method-assign]


def surroundings() -> str:
    """Return a hash of what all pages are made with: packages installed, data of this package."""
    digest = hashlib.sha256()
    for folder in map(Path, sys.path):
        for info in sorted(folder.glob("*.dist-info")):
            digest.update(info.name.encode())
    for path in sorted(path for path in _PACKAGE.rglob("*") if path.suffix in DATA):
        digest.update(path.relative_to(_PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _key(page: Page, config: MkDocsConfig, files: Files, made_from: Iterable[object]) -> str:
    extensions = [str(each) for each in config.markdown_extensions if isinstance(each, str)]
    addresses = [(file.src_uri, file.url, file.inclusion.name) for file in files]
    own = [page.file.src_uri, page.markdown, extensions, config.mdx_configs, addresses]
    # An object of which nothing but its place in memory is known would never be found again.
    return json.dumps([own, *made_from], default=lambda each: type(each).__name__)


def _render_without_warnings(render: Any, config: MkDocsConfig, files: Files) -> None:
    warnings = CountHandler(level=logging.WARNING)
    logging.getLogger("mkdocs").addHandler(warnings)
    try:
        render(config, files)
    finally:
        logging.getLogger("mkdocs").removeHandler(warnings)
    if warnings.counts:
        raise RenderedWithWarningsError


def _kept(page: Page) -> dict[str, Any]:
    links = page.links_to_anchors or {}
    return {
        "content": page.content,
        "title": page._title_from_render,
        "toc": _tokens(page.toc),
        "anchors": sorted(page.present_anchor_ids or ()),
        "links": {file.src_uri: anchors for file, anchors in links.items()},
    }


def _recall(page: Page, kept: dict[str, Any], files: Files) -> None:
    page.content = kept["content"]
    page._title_from_render = kept["title"]
    page.toc = get_toc(kept["toc"])
    page.present_anchor_ids = set(kept["anchors"])
    # MkDocs checks them when all pages are rendered: the other page may have lost its anchor.
    found = {files.get_file_from_path(uri): anchors for uri, anchors in kept["links"].items()}
    page.links_to_anchors = {file: anchors for file, anchors in found.items() if file}


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
