"""A text exists in both languages, or not at all."""

import pytest

from qkvdocs import course
from qkvdocs.entries import EntryError
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


ENTRY = '[[lessons]]\nnumber = "01"\nslug = "01-x"\nzh = "题"\nen = "title"\nstate = "draft"\n'


@pytest.mark.parametrize(
    ("written", "instead", "line", "message"),
    [
        ("draft", "done", 3, "wanted a state, one of published, draft, coming; got 'done'"),
        ("state", "extra", 3, "wanted a lesson with the fields .*; got .*'extra'"),
        ('"title"', '""', 3, "wanted a text in zh and en"),
        ('"title"', "title", 7, "wanted TOML; got what isn't"),
        ("[[lessons]]", "[[lesson]]", 1, "wanted lessons; got none: write each below"),
        ("[[lessons]]", "[lessons]", 1, "wanted lessons; got none: write each below"),
    ],
)
def test_a_wrong_entry_of_the_course_is_refused_on_its_line(
    written: str, instead: str, line: int, message: str
) -> None:
    assert [lesson.slug for lesson in course.read(f"# first\n\n{ENTRY}")] == ["01-x"]
    with pytest.raises(EntryError, match=rf"^qkvdocs/course\.toml:{line}: .*{message}"):
        course.read(f"# first\n\n{ENTRY.replace(written, instead)}")
