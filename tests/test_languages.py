"""A text exists in both languages, or not at all."""

import pytest

from qkvdocs import course
from qkvdocs.languages import LANGUAGES, Label, as_language


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_label_gives_the_text_of_the_language(language: str) -> None:
    label = Label(zh="查询", en="query")
    assert label[as_language(language)] == {"zh": "查询", "en": "query"}[language]


@pytest.mark.parametrize(("zh", "en"), [("", "query"), ("查询", " ")])
def test_a_label_without_one_of_its_texts_is_refused(zh: str, en: str) -> None:
    with pytest.raises(ValueError, match=r"wanted a text in zh and en; got .* missing: write"):
        Label(zh=zh, en=en)


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="one of zh, en; got 'fr'"):
        as_language("fr")


def test_the_course_has_twelve_lessons_in_order() -> None:
    lessons = course.lessons()
    assert [lesson.number for lesson in lessons] == [f"{n:02}" for n in range(1, 13)]
    assert all(lesson.slug.startswith(f"{lesson.number}-") for lesson in lessons)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"state": "done"}, "wanted a state"),
        ({"extra": "x"}, "with the fields"),
        ({"en": ""}, "zh"),
    ],
)
def test_a_wrong_entry_of_the_course_is_refused(change: dict[str, str], message: str) -> None:
    entry = {"number": "01", "slug": "01-x", "zh": "题", "en": "title", "state": "draft"}
    with pytest.raises(ValueError, match=message):
        course._lesson({**entry, **change})
