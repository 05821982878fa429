"""Markdown in, HTML out, in the company that the extension keeps on the site."""

from typing import Any

import pytest
from markdown import Markdown

from qkvdocs.markdown import PageError, QkvdocsExtension

COMPANY = [
    "abbr", "admonition", "attr_list", "def_list", "footnotes", "md_in_html", "tables", "toc",
    "pymdownx.blocks.html", "pymdownx.details", "pymdownx.highlight", "pymdownx.inlinehilite",
    "pymdownx.superfences",
]  # fmt: skip

PAGE = {"language": "en", "source": "docs/en/lessons/page.md", "docs_root": "docs/en"}


def converter(**options: Any) -> Markdown:
    """Return a Markdown that has all extensions of the site."""
    return Markdown(extensions=[*COMPANY, QkvdocsExtension(**{**PAGE, "terms": False, **options})])


def convert(text: str, **options: Any) -> str:
    """Return a page as HTML, by default without links to the glossary."""
    return converter(**options).convert(text)


def refused(text: str, line: int, *words: str, **options: Any) -> str:
    """Check that a page stops the build on a line, with certain words; return the message."""
    with pytest.raises(PageError) as caught:
        convert(text, **options)
    error = caught.value
    assert (error.path, error.line) == ("docs/en/lessons/page.md", line), str(error)
    assert str(error) == f"docs/en/lessons/page.md:{line}: {error.message}"
    for word in words:
        assert word in error.message
    return error.message
