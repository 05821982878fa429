"""The navigation: the published lessons of `course.toml`, then the pages around them."""

from pathlib import Path

from qkvdocs.course import Lesson, lessons
from qkvdocs.languages import Label, Language
from qkvdocs.markdown.course import DRAFT

CONTENTS = Label(zh="课程目录", en="Contents")
LESSONS = Label(zh="课程", en="Lessons")
NOTES = Label(zh="笔记", en="Notes")
LABS = Label(zh="动手实验", en="Labs")
REFERENCE = Label(zh="查阅", en="Reference")

REFERENCE_PAGES = (
    "glossary.md",
    "questions.md",
    "api/index.md",
    "api/experiments.md",
    "api/training.md",
    "api/figures.md",
    "authors.md",
)


def navigation(docs_dir: Path, language: Language, *, with_drafts: bool) -> list[object]:
    """Return MkDocs' `nav` for the pages of a language.

    A lesson is listed whether or not its page exists, so that MkDocs reports a missing one; notes
    and labs are those that exist.
    """
    shown = ("published", "draft") if with_drafts else ("published",)
    listed = [_entry(lesson, language) for lesson in lessons() if lesson.state in shown]
    return [
        {CONTENTS[language]: "index.md"},
        {LESSONS[language]: listed},
        {NOTES[language]: _pages(docs_dir, "notes/*.md")},
        {LABS[language]: _pages(docs_dir, "labs/*.py")},
        {REFERENCE[language]: list(REFERENCE_PAGES)},
    ]


def drafts() -> list[str]:
    """Return the pages of lessons that are kept out of the published site."""
    return [_page(lesson) for lesson in lessons() if lesson.state == "draft"]


def lesson_number(src_uri: str) -> str | None:
    """Return the number of the lesson that a page holds, if it holds one.

    Examples
    --------
    >>> lesson_number("lessons/02-qkv-lookup.md")
    '02'
    """
    return next((each.number for each in lessons() if src_uri == _page(each)), None)


def _entry(lesson: Lesson, language: Language) -> str | dict[str, str]:
    if lesson.state == "published":
        return _page(lesson)
    return {f"{lesson.title[language]} · {DRAFT[language]}": _page(lesson)}


def _page(lesson: Lesson) -> str:
    return f"lessons/{lesson.slug}.md"


def _pages(docs_dir: Path, pattern: str) -> list[str]:
    return sorted(path.relative_to(docs_dir).as_posix() for path in docs_dir.glob(pattern))
