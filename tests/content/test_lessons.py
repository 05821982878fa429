"""Published lessons are finished, lead to their neighbours, and have their questions listed."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from qkvdocs.course import Lesson, lessons
from qkvdocs.languages import LANGUAGES, Language
from tests.content import page
from tests.content.page import Page

PUBLISHED = [lesson for lesson in lessons() if lesson.state == "published"]
IN_BOTH = [pytest.param(lesson, id=lesson.slug) for lesson in PUBLISHED]

# What `new-lesson` leaves for the author to write.
PLACEHOLDER = "TODO"

# A question that readers ask has an anchor of this kind where a lesson answers it.
QUESTION = "q-"


def path_of(lesson: Lesson) -> Path:
    return Path(f"lessons/{lesson.slug}.md")


def unwritten(shown: str, text: str) -> list[str]:
    """Return the lines of a page that are still to be written."""
    lines = enumerate(text.split("\n"), start=1)
    return [
        f"{shown}:{number}: still says {PLACEHOLDER}: write what is missing there, "
        "or keep the lesson a draft"
        for number, line in lines
        if PLACEHOLDER in line
    ]


def missing_neighbours(lesson: Page, number: str, course: Sequence[Lesson]) -> list[str]:
    """Return the published lessons beside this one that its frame does not link."""
    at = [each.number for each in course].index(number)
    frame = [link for section in lesson.sections[:2] for link in section.links]
    beside = [*course[max(0, at - 1) : at], *course[at + 1 : at + 2]]
    wanted = [f"{each.slug}.md" for each in beside if each.state == "published"]
    return [
        f"{lesson.shown}: wanted a link to {name} at the top; it is published: replace its "
        "name there, and in the last section, by a link"
        for name in wanted
        if name not in frame
    ]


def unlisted_questions(lesson: Page, questions: Page) -> list[str]:
    """Return the questions that the page of questions doesn't lead to."""
    listed = {link for section in questions.sections for link in section.links}
    wanted = [
        f"{lesson.path.as_posix()}#{section.anchor}"
        for section in lesson.sections
        if (section.anchor or "").startswith(QUESTION)
    ]
    return [
        f"{questions.shown}: wanted a question that links {link}: add it with its short answer"
        for link in wanted
        if link not in listed
    ]


@pytest.mark.parametrize("lesson", IN_BOTH)
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_left_to_write(language: Language, lesson: Lesson) -> None:
    path = page.DOCS / language / path_of(lesson)
    found = unwritten(f"docs/{language}/{path_of(lesson)}", path.read_text(encoding="utf-8"))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("lesson", IN_BOTH)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_frame_links_the_lessons_beside_it(language: Language, lesson: Lesson) -> None:
    found = missing_neighbours(page.load(language, path_of(lesson)), lesson.number, lessons())
    assert not found, "\n".join(found)


@pytest.mark.parametrize("lesson", IN_BOTH)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_of_a_lesson_is_on_the_page_of_questions(
    language: Language, lesson: Lesson
) -> None:
    questions = page.load(language, Path("questions.md"))
    found = unlisted_questions(page.load(language, path_of(lesson)), questions)
    assert not found, "\n".join(found)


def test_what_is_missing_is_found() -> None:
    text = "# L { #lesson-02 }\n\n[a](01-why-attention.md)\n\n### Why? { #q-why }\n"
    lesson = page.parse("en", Path("lessons/02-qkv-lookup.md"), text)
    questions = page.parse("en", Path("questions.md"), "[a](lessons/02-qkv-lookup.md#q-other)")
    (unlinked,) = missing_neighbours(lesson, "02", lessons())
    assert "03-formula.md" in unlinked
    (unlisted,) = unlisted_questions(lesson, questions)
    assert "lessons/02-qkv-lookup.md#q-why" in unlisted
    (line,) = unwritten("docs/en/page.md", "a\nTODO: b")
    assert line.startswith("docs/en/page.md:2: still says TODO")
