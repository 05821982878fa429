"""The entries of a TOML file of the package, each with the line on which it begins."""

import re
import tomllib
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class EntryError(ValueError):
    """An entry isn't whole; the text names the file and the line."""


def read(path: str, text: str, name: str, make: Callable[[dict[str, object]], T]) -> tuple[T, ...]:
    """Return what `make` makes of each entry below a `[[name]]`.

    Parameters
    ----------
    path
        of the file, for messages
    text
        what is in it
    name
        what an entry is called
    make
        raises ValueError if an entry isn't whole

    Raises
    ------
    EntryError
        On the line where the first entry begins that isn't whole.
    """
    try:
        entries = tomllib.loads(text).get(name)
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"at line (\d+)", str(error))
        line = int(at[1]) if at else text.count("\n") + 1
        raise EntryError(f"{path}:{line}: wanted TOML; got what isn't: {error}") from error
    head = re.compile(rf"\s*\[\[\s*{name}\s*\]\]")
    lines = [i for i, line in enumerate(text.split("\n"), 1) if head.match(line)]
    if not isinstance(entries, list) or len(lines) != len(entries):
        raise EntryError(f"{path}:1: wanted {name}; got none: write each below [[{name}]]")
    return tuple(
        _made(f"{path}:{line}", entry, make) for line, entry in zip(lines, entries, strict=True)
    )


def _made(place: str, entry: dict[str, object], make: Callable[[dict[str, object]], T]) -> T:
    try:
        return make(entry)
    except ValueError as error:
        raise EntryError(f"{place}: {error}") from error
