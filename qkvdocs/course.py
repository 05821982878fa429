"""The twelve lessons of the course, as `course.toml` lists them."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal, get_args

from qkvdocs import entries
from qkvdocs.languages import Label

PATH = "qkvdocs/course.toml"

State = Literal["published", "draft", "coming"]


@dataclass(frozen=True)
class Lesson:
    """One lesson: its two-digit number, the name of its page, its title and how far it is."""

    number: str
    slug: str
    title: Label
    state: State


@cache
def lessons() -> tuple[Lesson, ...]:
    """Return all lessons in order.

    Raises
    ------
    EntryError
        If an entry of `course.toml` lacks a field, a language, or has an unknown state.

    Examples
    --------
    >>> [lesson.slug for lesson in lessons()][1]
    '02-qkv-lookup'
    """
    text = files("qkvdocs").joinpath("course.toml").read_text(encoding="utf-8")
    return read(text)


def read(text: str) -> tuple[Lesson, ...]:
    """Return the lessons of a TOML text, checked as `lessons` says.

    Raises
    ------
    EntryError
        On the line where the first lesson begins that isn't whole.
    """
    return entries.read(PATH, text, "lessons", _lesson)


def _lesson(entry: dict[str, object]) -> Lesson:
    wanted = {"number", "slug", "zh", "en", "state"}
    if set(entry) != wanted:
        raise ValueError(
            f"wanted a lesson with the fields {sorted(wanted)}; got {sorted(entry)}: "
            "add what is missing and remove what is unknown"
        )
    for state in get_args(State):
        if entry["state"] == state:
            title = Label(zh=str(entry["zh"]), en=str(entry["en"]))
            return Lesson(str(entry["number"]), str(entry["slug"]), title, state)
    raise ValueError(
        f"wanted a state, one of {', '.join(get_args(State))}; got {entry['state']!r}: choose one"
    )
