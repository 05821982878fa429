"""What all blocks between `/// name` and `///` have in common."""

import re
from collections.abc import Container, Mapping, Sequence
from typing import Any, ClassVar
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.preprocessors import Preprocessor
from pymdownx.blocks.block import Block

from qkvdocs.markdown.errors import PageError, nearest
from qkvdocs.markdown.fences import outside_fences
from qkvdocs.markdown.page import Page

MARK = re.compile(r"^[ \t>]*(?P<slashes>/{3,})[ \t]*(?P<name>[\w-]*)[ \t]*(?:\|.*)?$")


class PageBlock(Block):
    """A block that shows something by name.

    `WANTS` says in words what stands behind the `|`; empty if nothing does.
    """

    # None leaves the check to on_validate, which can say what is wrong.
    ARGUMENT = None
    WANTS: ClassVar[str] = ""

    @property
    def page(self) -> Page:
        """The page that the block is on."""
        page: Page = self.config["page"]
        return page

    def error(self, message: str, which: int = 0) -> PageError:
        """Return an error on the line of the block, or of another one that asks for the same."""
        behind = rf"\|[ ]*{re.escape(self.argument)}[ ]*$" if self.argument else "$"
        opening = re.compile(rf"/{{3,}}[ ]*{self.NAME}[ ]*{behind}")
        found = [i for i, line in outside_fences(self.page.lines) if opening.search(line)]
        return self.page.error_at(found[which] if found else 0, message)

    def on_validate(self, parent: Element) -> bool:
        """Refuse a block with too little or too much behind its name."""
        self.argument: str = self.argument or ""
        if bool(self.argument) != bool(self.WANTS):
            wanted = f"/// {self.NAME} | {self.WANTS}" if self.WANTS else f"/// {self.NAME}"
            raise self.error(f"wanted {wanted}; got {self.argument or 'nothing'!r} behind the name")
        return True


class EmptyBlock(PageBlock):
    """A block without a body."""

    def on_markdown(self) -> str:
        """Take a body as it is, to refuse it."""
        return "raw"

    def on_end(self, block: Element) -> None:
        """Refuse a body, then fill the element."""
        if (block.text or "").strip():
            raise self.error(
                f"wanted nothing between /// {self.NAME} and ///; got {str(block.text).strip()!r}: "
                "write it before or after the block"
            )
        block.text = None
        self.fill(block)

    def fill(self, block: Element) -> None:
        """Put into the element what the block asks for."""
        raise NotImplementedError


class BlockMarks(Preprocessor):
    """Refuses marks that the block parser would silently leave in the text."""

    def __init__(
        self, md: Markdown, page: Page, known: Mapping[str, object], own: Container[str]
    ) -> None:
        super().__init__(md)
        self.page = page
        self.known = known
        self.own = own

    def run(self, lines: list[str]) -> list[str]:
        """Check all marks of a page and change nothing."""
        # This comes before Markdown makes all line ends equal.
        lines = [line.removesuffix("\r") for line in lines]
        self.page.start(lines)
        opened: list[tuple[int, str]] = []
        for index, line in outside_fences(lines):
            mark = MARK.match(line)
            if mark and mark["name"]:
                self._check(lines, index, mark["name"].lower())
                opened.append((index, mark["slashes"]))
            elif mark:
                while opened and opened.pop()[1] != mark["slashes"]:
                    pass
        for index, slashes in opened:
            raise self.page.error_at(
                index, f"wanted a block that closes; got none: write {slashes} on a line below it"
            )
        return lines

    def _check(self, lines: Sequence[str], index: int, name: str) -> None:
        if name not in self.known:
            known, meant = ", ".join(sorted(self.known)), nearest(name, self.known)
            raise self.page.error_at(index, f"wanted a block, one of {known}; got {name!r}{meant}")
        indent = len(lines[index]) - len(lines[index].lstrip())
        following = lines[index + 1] if index + 1 < len(lines) else ""
        if name in self.own and following.startswith(" " * (indent + 4)):
            raise self.page.error_at(
                index + 1, "wanted text as far in as its block; got an indented line: move it left"
            )


def options_of(page: Page) -> dict[str, Any]:
    """Return what the block parser hands to each block."""
    return {"page": page}
