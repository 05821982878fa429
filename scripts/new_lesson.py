"""A new lesson: both of its pages with all rooms, and its state in `course.toml`.

The pages are made from `lesson/zh.md` and `lesson/en.md`, where `@{name}` stands for what differs
from lesson to lesson. All checks pass on what they give.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from string import Template

from console import Stop

LANGUAGES = ("zh", "en")
TEMPLATES = Path(__file__).parent / "lesson"

SLUG = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")

# The sentences about a neighbour: one that can be read, one that can't yet, and none.
PREVIOUS = {
    "zh": (
        "上一课：[{number} {title}]({slug}.md)。",
        "上一课：{number} {title}（待写）。",
        "这是第一课。",
    ),
    "en": (
        "Previous: [{number} {title}]({slug}.md).",
        "Previous: {number} {title} (coming).",
        "This is the first lesson.",
    ),
}
FOLLOWING = {
    "zh": (
        "下一课：[{number} {title}]({slug}.md)。",
        "下一课：{number} {title}（待写）。",
        "这是最后一课。",
    ),
    "en": (
        "Next: [{number} {title}]({slug}.md).",
        "Next: {number} {title} (coming).",
        "This is the last lesson.",
    ),
}

Lesson = dict[str, str]


class Room(Template):
    """A template that leaves formulas alone."""

    delimiter = "@"


def write_lesson(root: Path, number: str, slug: str | None = None) -> list[Path]:
    """Write the pages of lesson ``number`` and make it a draft; return the files written.

    Without a slug it is the planned one. Raises Stop, with nothing written, if the lesson can't
    be begun.
    """
    course = root / "qkvdocs" / "course.toml"
    listed = course.read_text(encoding="utf-8")
    lessons: list[Lesson] = tomllib.loads(listed)["lessons"]
    position = _position(lessons, number)
    slug = slug or lessons[position]["slug"].removeprefix(f"{number}-")
    _check_slug(slug)
    lesson = {**lessons[position], "slug": f"{number}-{slug}"}
    _check_unwritten(root, lesson)
    pages = {
        root / "docs" / language / "lessons" / f"{lesson['slug']}.md": page(
            language, lesson, _at(lessons, position - 1), _at(lessons, position + 1)
        )
        for language in LANGUAGES
    }
    for path, text in pages.items():
        path.write_text(text, encoding="utf-8")
    course.write_text(_with_draft(listed, lesson), encoding="utf-8")
    return [*pages, course]


def page(language: str, lesson: Lesson, previous: Lesson | None, following: Lesson | None) -> str:
    """The page of a lesson in a language, every room with what is to be written there."""
    template = Room((TEMPLATES / f"{language}.md").read_text(encoding="utf-8"))
    return template.substitute(
        number=lesson["number"],
        title=lesson[language],
        previous=_neighbour(PREVIOUS, language, previous),
        following=_neighbour(FOLLOWING, language, following),
    )


def _neighbour(
    sentences: dict[str, tuple[str, str, str]], language: str, lesson: Lesson | None
) -> str:
    readable, coming, none = sentences[language]
    if lesson is None:
        return none
    sentence = readable if lesson["state"] == "published" else coming
    return sentence.format(number=lesson["number"], title=lesson[language], slug=lesson["slug"])


def _position(lessons: list[Lesson], number: str) -> int:
    numbers = [lesson["number"] for lesson in lessons]
    if number not in numbers:
        raise Stop(
            f"There is no lesson {number!r}: use one of {', '.join(numbers)}, "
            "or add it to qkvdocs/course.toml first."
        )
    return numbers.index(number)


def _check_slug(slug: str) -> None:
    if not SLUG.fullmatch(slug):
        raise Stop(
            f"{slug!r} can't be the name of a page: wanted lower-case words with hyphens and "
            "without the number, such as scaling-softmax."
        )


def _check_unwritten(root: Path, lesson: Lesson) -> None:
    number = lesson["number"]
    if lesson["state"] != "coming":
        raise Stop(
            f"Lesson {number} is {lesson['state']} already, according to qkvdocs/course.toml: "
            "edit its pages, or choose another number."
        )
    for language in LANGUAGES:
        folder = root / "docs" / language / "lessons"
        for path in sorted(folder.glob(f"{number}-*.md")):
            raise Stop(
                f"{path.relative_to(root).as_posix()} is there already: "
                "move or delete it, then start this command again."
            )


def _at(lessons: list[Lesson], position: int) -> Lesson | None:
    return lessons[position] if 0 <= position < len(lessons) else None


def _with_draft(listed: str, lesson: Lesson) -> str:
    """The course with the lesson as a draft under its name; all else as it was written."""
    start = listed.index(f'number = "{lesson["number"]}"')
    before, entry = listed[:start], listed[start:]
    entry = re.sub(r'^slug = ".*"$', f'slug = "{lesson["slug"]}"', entry, count=1, flags=re.M)
    entry = re.sub(r'^state = ".*"$', 'state = "draft"', entry, count=1, flags=re.M)
    return before + entry
