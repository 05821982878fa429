"""What asks for something in a way that nobody hears, so that readers would see it as written."""

import re
from html import unescape

from markdown import Markdown
from markdown.postprocessors import Postprocessor

from qkvdocs.markdown.page import Page

# What shows something as it is written, and what isn't shown.
AS_WRITTEN = re.compile(r"<(pre|code|script|style|svg|math)\b.*?</\1>|<!--.*?-->", re.DOTALL)
TAG = re.compile(r"<[^<>]*>")

ASKS = (
    (
        # A link to the glossary may stand within the braces.
        re.compile(r"\{\s*(?:<a [^<>]*>)?value(?:</a>)?\s*:[^{}<\n]*\}?", re.IGNORECASE),
        "wanted a value written {value: …}, closed on its own, in Markdown and not in raw HTML",
    ),
    (
        re.compile(r"\$\$[^$\n]+\$\$"),
        "wanted a display formula on lines of its own, in Markdown and not in raw HTML",
    ),
    (
        re.compile(r"(?m)^(?:<p>)?/{2} *(?:figure|demo|strip|course|glossary)\b[^<\n]*"),
        "wanted a block that opens and closes with three slashes",
    ),
)


class Unanswered(Postprocessor):
    """Refuses a page on which an ask is left."""

    def __init__(self, md: Markdown, page: Page) -> None:
        super().__init__(md)
        self.page = page

    def run(self, text: str) -> str:
        """Check a page and change nothing."""
        prose = AS_WRITTEN.sub("", text)
        for ask, wanted in ASKS:
            if found := ask.search(prose):
                written = unescape(TAG.sub("", found[0])).strip()
                raise self.page.error(
                    written, f"{wanted}; got {written!r}: correct it, or show it as code"
                )
        return text
