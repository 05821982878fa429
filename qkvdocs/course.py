"""The twelve lessons of the course, as `course.toml` lists them."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal, get_args

from qkvdocs.languages import Label

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
    ValueError
        If an entry of `course.toml` lacks a field, a language, or has an unknown state.

    Examples
    --------
    >>> [lesson.slug for lesson in lessons()][1]
    '02-qkv-lookup'
    """
    text = files("qkvdocs").joinpath("course.toml").read_text(encoding="utf-8")
    return tuple(_lesson(entry) for entry in tomllib.loads(text)["lessons"])


def _lesson(entry: dict[str, str]) -> Lesson:
    wanted = {"number", "slug", "zh", "en", "state"}
    if set(entry) != wanted:
        raise ValueError(
            f"course.toml: wanted a lesson with the fields {sorted(wanted)}; got {sorted(entry)}: "
            "add what is missing and remove what is unknown"
        )
    for state in get_args(State):
        if entry["state"] == state:
            title = Label(zh=entry["zh"], en=entry["en"])
            return Lesson(entry["number"], entry["slug"], title, state)
    raise ValueError(
        f"course.toml, lesson {entry['number']}: wanted a state of {get_args(State)}; "
        f"got {entry['state']!r}"
    )
