"""The Python-Markdown extension `qkvdocs`: all that a page can ask for, in plain Markdown.

Options, all of them texts but `first_line`, `drafts` and `terms`:

- `language`: of the page, `zh` or `en`;
- `source`: the page's path, for messages;
- `docs_root`: the folder of all pages, as it stands at the beginning of `source`;
- `first_line`: how many lines of front matter were cut off;
- `cache`: a folder for what builds may keep for the next one; without it nothing is kept;
- `drafts`: whether lessons that are drafts are linked, and marked;
- `terms`: whether the first use of each term is linked to the glossary.
"""

from pathlib import Path
from typing import Any

from markdown import Markdown
from pymdownx.blocks import BlocksExtension, BlocksProcessor

from qkvdocs.languages import as_language
from qkvdocs.markdown.block import BlockMarks, options_of
from qkvdocs.markdown.cache import Cache
from qkvdocs.markdown.course import CourseBlock, StripBlock
from qkvdocs.markdown.demo import DemoBlock
from qkvdocs.markdown.errors import PageError
from qkvdocs.markdown.figure import FigureBlock
from qkvdocs.markdown.glossary import GlossaryBlock, TermLinks
from qkvdocs.markdown.maths import (
    DISPLAY,
    INLINE,
    DisplayMaths,
    HeadingLabels,
    InlineMaths,
    UnclosedMaths,
)
from qkvdocs.markdown.page import Page
from qkvdocs.markdown.shelter import Shelter, UnshelterRaw, UnshelterText
from qkvdocs.markdown.snippet import Snippets
from qkvdocs.markdown.unanswered import Unanswered
from qkvdocs.markdown.value import ASK, ValueProcessor

__all__ = ["PageError", "QkvdocsExtension", "makeExtension"]

BLOCKS = (FigureBlock, DemoBlock, StripBlock, CourseBlock, GlossaryBlock)


class QkvdocsExtension(BlocksExtension):
    """Adds figures, demos, formulas, snippets, values, lessons and terms to Markdown."""

    def __init__(self, **options: Any) -> None:
        self.config = {
            "language": ["zh", "the language of the page, zh or en"],
            "source": ["page.md", "the path of the page, for messages"],
            "docs_root": ["", "the folder of all pages, at the beginning of source"],
            "first_line": [0, "how many lines of front matter were cut off"],
            "cache": ["", "a folder for results; nothing is kept without one"],
            "drafts": [False, "whether lessons that are drafts are linked, and marked"],
            "terms": [True, "whether the first use of a term is linked to the glossary"],
        }
        super().__init__(**options)

    def extendMarkdownBlocks(self, md: Markdown, block_mgr: BlocksProcessor) -> None:
        """Register all parts."""
        page = self._page()
        for block in BLOCKS:
            block_mgr.register(block, options_of(page))
        self._register_text(md, page, block_mgr)
        self._register_tree(md, page)

    def _page(self) -> Page:
        option = self.getConfigs()
        return Page(
            language=as_language(option["language"]),
            source=option["source"],
            first_line=option["first_line"],
            docs_root=option["docs_root"],
            cache=Cache(Path(option["cache"]) if option["cache"] else None),
            drafts=option["drafts"],
        )

    def _register_text(self, md: Markdown, page: Page, blocks: BlocksProcessor) -> None:
        own = {block.NAME for block in BLOCKS}
        # The marks are checked on the text as it was written, before anything changes its lines.
        md.preprocessors.register(BlockMarks(md, page, blocks.blocks, own), "qkv-marks", 100)
        # Snippets come before other fences (25), for superfences would swallow their errors.
        md.preprocessors.register(Snippets(md, page), "qkv-snippets", 26)
        # What fences hold is no formula; what is one must pass the HTML parser (20) unseen.
        md.preprocessors.register(Shelter(DISPLAY, INLINE, ASK), "qkv-shelter", 24)
        md.preprocessors.register(UnshelterRaw(md), "qkv-unshelter", 19)
        md.postprocessors.register(UnshelterText(md), "qkv-unshelter", 1)
        # The last of all: what is still there is what readers would see.
        md.postprocessors.register(Unanswered(md, page), "qkv-unanswered", 0)

    def _register_tree(self, md: Markdown, page: Page) -> None:
        if "$" not in md.ESCAPED_CHARS:
            md.ESCAPED_CHARS.append("$")
        # A paragraph that is one inline formula is still a paragraph.
        md.block_level_elements.remove("math")
        # Indented code (80) may show dollars; headings (70) and tables (75) may not cut formulas.
        md.parser.blockprocessors.register(DisplayMaths(md, page), "qkv-maths", 79)
        # Code spans (190) come first, escapes (180) and emphasis after.
        md.inlinePatterns.register(InlineMaths(md, page), "qkv-maths", 189)
        md.inlinePatterns.register(ValueProcessor(page), "qkv-value", 188)
        md.inlinePatterns.register(UnclosedMaths(md, page), "qkv-unclosed", 187)
        # After attribute lists (8) have been read, before the table of contents (5) is made.
        md.treeprocessors.register(HeadingLabels(md), "qkv-headings", 7)
        if self.getConfig("terms"):
            md.treeprocessors.register(TermLinks(md, page), "qkv-terms", 6)


def makeExtension(**options: Any) -> QkvdocsExtension:
    """Return the extension, as Python-Markdown asks for it by the module's name."""
    return QkvdocsExtension(**options)
