"""The strip and the course: links to what can be read, plain words for what cannot yet."""

from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest

from qkvdocs.course import lessons
from tests.markdown.convert import convert, refused

STRIP = "/// strip | 02\n///"
COURSE = "/// course\n///"


def nav(text: str, **options: Any) -> ElementTree.Element:
    return ElementTree.fromstring(convert(text, **options))


def test_a_strip_is_a_landmark_with_a_name() -> None:
    assert nav(STRIP).tag == "nav"
    assert nav(STRIP).get("aria-label") == "The twelve lessons"
    assert nav(STRIP, language="zh").get("aria-label") == "十二课"


@pytest.mark.parametrize("text", [STRIP, COURSE])
def test_all_lessons_stand_in_two_parts_of_six(text: str) -> None:
    parts = nav(text).findall("ol")
    numbers = [[item.get("data-lesson") for item in part] for part in parts]
    assert numbers == [[f"{n:02}" for n in range(1, 7)], [f"{n:02}" for n in range(7, 13)]]


@pytest.mark.parametrize("text", [STRIP, COURSE])
def test_a_lesson_is_a_link_exactly_when_it_is_published(text: str) -> None:
    for item, lesson in zip(nav(text).iter("li"), lessons(), strict=True):
        (inner,) = item
        words = " ".join(inner.itertext())
        assert lesson.title["en"] in words
        if lesson.state == "published":
            assert inner.tag == "a"
            assert inner.get("href") == {
                STRIP: f"{lesson.slug}.md", COURSE: f"../lessons/{lesson.slug}.md"
            }[text].removeprefix("../lessons/")  # fmt: skip
        else:
            assert (inner.tag, inner.get("aria-disabled")) == ("span", "true")
            assert inner[-1].text == "coming"


@pytest.fixture
def draft(monkeypatch: pytest.MonkeyPatch) -> str:
    """The number of a lesson that is a draft."""
    changed = [replace(each, state="draft") if each.number == "12" else each for each in lessons()]
    monkeypatch.setattr("qkvdocs.markdown.course.lessons", lambda: tuple(changed))
    return "12"


@pytest.mark.parametrize("text", [STRIP, COURSE])
def test_a_draft_is_linked_and_marked_for_its_author_alone(draft: str, text: str) -> None:
    item = f"li[@data-lesson='{draft}']/*"
    (for_readers,) = nav(text).findall(f".//{item}")
    (for_authors,) = nav(text, drafts=True).findall(f".//{item}")
    assert (for_readers.tag, for_readers[-1].text) == ("span", "coming")
    assert (for_authors.tag, for_authors[-1].text) == ("a", "draft")
    assert "12-real-model.md" in for_authors.get("href", "")


def test_a_lesson_that_is_not_written_says_so_in_chinese() -> None:
    assert "待写" in convert(STRIP, language="zh")


def test_the_strip_marks_the_lesson_it_is_on_and_links_the_index() -> None:
    current = [link for link in nav(STRIP).iter("a") if link.get("aria-current") == "page"]
    assert [link.get("href") for link in current] == ["02-qkv-lookup.md"]
    assert nav(STRIP)[0].get("href") == "../index.md"


def test_the_course_on_the_index_links_into_the_lessons() -> None:
    course = nav(COURSE, source="docs/en/index.md")
    assert "lessons/02-qkv-lookup.md" in [link.get("href") for link in course.iter("a")]
    assert [name.text for name in course.findall("p")] == [
        "Part one: one attention operation",
        "Part two: inside a Transformer",
    ]


def test_search_finds_the_lessons_on_the_index_alone() -> None:
    assert nav(STRIP).get("data-search-exclude") == ""
    assert nav(COURSE).get("data-search-exclude") is None


def test_an_unknown_lesson_is_refused() -> None:
    refused("/// strip | 13\n///", 1, "01, 02", "got '13'")
