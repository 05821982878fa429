"""The navigation: the published lessons of `course.toml`, then the pages around them."""

from pathlib import Path

from qkvdocs.course import lessons
from qkvdocs.languages import Label, Language

CONTENTS = Label(zh="课程目录", en="Contents")
LESSONS = Label(zh="课程", en="Lessons")
NOTES = Label(zh="笔记", en="Notes")
LABS = Label(zh="动手实验", en="Labs")
REFERENCE = Label(zh="查阅", en="Reference")

REFERENCE_PAGES = ("glossary.md", "questions.md", "api.md", "authors.md")


def navigation(docs_dir: Path, language: Language) -> list[object]:
    """Return MkDocs' `nav` for the pages of a language.

    A published lesson is listed whether or not its page exists, so that MkDocs reports a missing
    one; notes and labs are those that exist.
    """
    published = [lesson.slug for lesson in lessons() if lesson.state == "published"]
    return [
        {CONTENTS[language]: "index.md"},
        {LESSONS[language]: [f"lessons/{slug}.md" for slug in published]},
        {NOTES[language]: _pages(docs_dir, "notes/*.md")},
        {LABS[language]: _pages(docs_dir, "labs/*.py")},
        {REFERENCE[language]: list(REFERENCE_PAGES)},
    ]


def drafts() -> list[str]:
    """Return the pages of lessons that are kept out of the published site."""
    return [f"lessons/{lesson.slug}.md" for lesson in lessons() if lesson.state == "draft"]


def lesson_number(src_uri: str) -> str | None:
    """Return the number of the lesson that a page holds, if it holds one.

    Examples
    --------
    >>> lesson_number("lessons/02-qkv-lookup.md")
    '02'
    """
    return next((each.number for each in lessons() if src_uri == f"lessons/{each.slug}.md"), None)


def _pages(docs_dir: Path, pattern: str) -> list[str]:
    return sorted(path.relative_to(docs_dir).as_posix() for path in docs_dir.glob(pattern))
