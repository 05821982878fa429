"""`/// strip | 02` and `/// course`: the twelve lessons as links."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement

from markdown.util import AtomicString

from qkvdocs.course import Lesson, lessons
from qkvdocs.languages import Label
from qkvdocs.markdown.block import EmptyBlock

COURSE = Label(zh="课程", en="Course")
LESSONS = Label(zh="十二课", en="The twelve lessons")
COMING = Label(zh="待写", en="coming")
DRAFT = Label(zh="草稿", en="draft")

PARTS = (
    (Label(zh="第一部分：一次注意力", en="Part one: one attention operation"), slice(0, 6)),
    (Label(zh="第二部分：放进 Transformer", en="Part two: inside a Transformer"), slice(6, 12)),
)


class LessonsBlock(EmptyBlock):
    """A landmark with one list for each part of the course."""

    def on_create(self, parent: Element) -> Element:
        """Make the landmark."""
        language = self.page.language
        attributes = {"class": f"qkv-{self.NAME}", "aria-label": LESSONS[language]}
        return SubElement(parent, "nav", attributes)

    def add_item(self, items: Element, lesson: Lesson, current: str) -> None:
        """Add a lesson: a link if it can be read, else a text that says it can't yet."""
        item = SubElement(items, "li", {"data-lesson": lesson.number})
        is_shown_draft = lesson.state == "draft" and self.page.drafts
        if lesson.state == "published" or is_shown_draft:
            link = {"href": self.page.link_to(f"lessons/{lesson.slug}.md")}
            here = {"aria-current": "page"} if lesson.number == current else {}
            inner = SubElement(item, "a", link | here)
        else:
            # Only a role may be disabled; a link without an address is what it is.
            inner = SubElement(item, "span", {"role": "link", "aria-disabled": "true"})
        _add_text(inner, "number", lesson.number)
        _add_text(inner, "title", lesson.title[self.page.language])
        if lesson.state != "published":
            state = DRAFT if is_shown_draft else COMING
            _add_text(inner, "state", state[self.page.language])


def _add_text(parent: Element, part: str, text: str) -> None:
    if len(parent):
        parent[-1].tail = AtomicString(" ")
    SubElement(parent, "span", {"class": f"qkv-lesson__{part}"}).text = AtomicString(text)


class StripBlock(LessonsBlock):
    """All lessons in a strip, above a lesson."""

    NAME = "strip"
    WANTS = "the number of this lesson"

    def fill(self, block: Element) -> None:
        """Add the way to the index, then each part."""
        numbers = [lesson.number for lesson in lessons()]
        if self.argument not in numbers:
            raise self.error(f"wanted a lesson, one of {', '.join(numbers)}; got {self.argument!r}")
        # It stands on every lesson, and would be found for every word in a title.
        block.set("data-search-exclude", "")
        index = SubElement(block, "a", {"class": "qkv-strip__index"})
        index.set("href", self.page.link_to("index.md"))
        index.text = AtomicString(COURSE[self.page.language])
        for title, part in PARTS:
            label = title[self.page.language]
            items = SubElement(block, "ol", {"class": "qkv-strip__part", "aria-label": label})
            self._add_part(items, lessons()[part])

    def _add_part(self, items: Element, part: Sequence[Lesson]) -> None:
        for lesson in part:
            self.add_item(items, lesson, self.argument)


class CourseBlock(LessonsBlock):
    """All lessons with the names of the parts, for the index."""

    NAME = "course"

    def fill(self, block: Element) -> None:
        """Add each part below its name."""
        for title, part in PARTS:
            name = SubElement(block, "p", {"class": "qkv-course__name"})
            name.text = AtomicString(title[self.page.language])
            items = SubElement(block, "ol", {"class": "qkv-course__part"})
            for lesson in lessons()[part]:
                self.add_item(items, lesson, current="")
