"""What the search index has of a page, kept from one build to the next like the page itself.

Cutting Chinese into words takes longer than all else that a build does for a page it has kept.
"""

import json
from typing import Any

from mkdocs.structure.pages import Page

from qkvdocs.markdown.cache import Cache


def keep_entries(index: Any, cache: Cache, made_with: str) -> None:
    """Let a search index of Material take the entries of a page from the cache, or else make them.

    Parameters
    ----------
    index
        the index of the build that has begun
    cache
        where entries are kept
    made_with
        what they depend on besides the page
    """
    add = index.add_entry_from_context

    def add_or_recall(page: Page) -> None:
        def made() -> str:
            others, index.entries = index.entries, []
            add(page)
            own, index.entries = index.entries, others
            return json.dumps(own)

        made_from = [page.url, str(page.title), page.content, page.meta.get("search"), made_with]
        index.entries += json.loads(cache.get("search", json.dumps(made_from), made))

    index.add_entry_from_context = add_or_recall
