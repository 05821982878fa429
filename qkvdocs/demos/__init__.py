"""The demos of the pages: each folder holds all of one demo, and this module reads it.

A folder has `data.py`, `labels.toml`, `template.html`, `element.js` and `snippet.pycon`;
`names()` finds it.
A template sees these variables:

- `data`: what `data(language)` of `data.py` returns;
- `labels`: the texts of `labels.toml` in the page's language, those of `[live.…]` among them;
- `language`; `name`, the demo's; `id`, which no other demo on the page has: ids inside the
  template start with `{{ id }}-`, and names of radio buttons as well;
- `code`: the demo's snippet as HTML;

and the filters `number(x, digits=2)`, with U+2212 as the minus, and `rounded_row(weights)`.

The script gets what it can't find in the page: the labels of `[live.…]`, and what `live(data)` of
`data.py` returns, or all of the data if there is no such function.
"""

import importlib
import json
import re
import tomllib
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from qkvdocs.languages import LANGUAGES, Language

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER = Path(str(files("qkvdocs"))) / "demos"

PLACEHOLDER = re.compile(r"\{\w+\}")
LIVE = "live"
"""The table of labels.toml with the texts that the script needs."""

ID = re.compile(r"""\sid=(?P<quote>["'])(?P<id>.*?)(?P=quote)""")


class DemoError(Exception):
    """A demo isn't whole; the text names the file and, where there is one, the line."""


@dataclass(frozen=True)
class Demo:
    """One demo in one language, ready to be shown.

    Parameters
    ----------
    name
        of its folder
    language
        of its texts
    data
        what its template shows
    labels
        its texts
    live_data
        what its script needs of the data, JSON-able
    live_labels
        the texts that its script needs
    """

    name: str
    language: Language
    data: dict[str, object]
    labels: dict[str, str]
    live_data: dict[str, object]
    live_labels: dict[str, str]

    def html(self, identity: str, code: str) -> str:
        """Return the filled-in template.

        Parameters
        ----------
        identity
            the id of the element, unique on the page
        code
            the snippet as HTML

        Raises
        ------
        DemoError
            If the template asks for what isn't there, or has an id that a second demo would repeat.
        """
        from markupsafe import Markup

        path = FOLDER / self.name / "template.html"
        try:
            template = _environment().get_template(f"{self.name}/template.html")
            html = template.render(
                data=self.data,
                labels=self.labels,
                language=self.language,
                name=self.name,
                id=identity,
                code=Markup(code),
            )
        except (Exception, SystemExit) as error:
            raise DemoError(
                f"{_place(error, path)}: wanted a template that its data and labels fill; "
                f"got {type(error).__name__}: {error}"
            ) from error
        for found in ID.finditer(html):
            if not found["id"].startswith(f"{identity}-"):
                raise DemoError(
                    f"{_short(path)}: wanted ids that start with {{{{ id }}}}-, so that a page can "
                    f"have the demo twice; got {found['id']!r}"
                )
        return html

    @property
    def json(self) -> str:
        """What the script needs of data and labels, safe inside a `<script>` element.

        Raises
        ------
        DemoError
            If the data isn't JSON-able.
        """
        content = {"data": _short_numbers(self.live_data), "labels": self.live_labels}
        try:
            text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        except (TypeError, ValueError) as error:
            raise DemoError(
                f"{_short(FOLDER / self.name / 'data.py')}: wanted data that JSON can hold: "
                f"dicts, lists, finite Python numbers and texts; got {error}"
            ) from error
        return text.replace("<", r"\u003c").replace("\u2028", r"\u2028")


def names() -> tuple[str, ...]:
    """Return the names of all demos."""
    return tuple(sorted(path.parent.name for path in FOLDER.glob("*/template.html")))


def load(name: str, language: Language) -> Demo:
    """Return the demo `name` in `language`.

    Raises
    ------
    DemoError
        If there is no such demo, a part of it is missing, its data can't be computed, or a label
        lacks a language or a placeholder in one of them.
    """
    if name not in names():
        raise DemoError(f"wanted a demo, one of {', '.join(names())}; got {name!r}: name one")
    _file(name, "element.js")
    data, live_data = _data(name, language)
    labels, live_labels = _labels(name, language)
    return Demo(name, language, data, labels, live_data, live_labels)


def snippet(name: str) -> tuple[str, str]:
    """Return the doctest of a demo and the path of its file, for messages.

    Raises
    ------
    DemoError
        If the demo has none.
    """
    path = _file(name, "snippet.pycon")
    return path.read_text(encoding="utf-8"), _short(path)


def texts(name: str) -> str:
    """Return all that is written in a demo's folder but its Python, to tell when it changes."""
    folder = FOLDER / name
    paths = [*FOLDER.glob("*.html"), *folder.glob("*.html"), *folder.glob("*.toml")]
    paths += folder.glob("*.pycon")
    return "\0".join(path.read_text(encoding="utf-8") for path in sorted(paths))


def number(x: float, digits: int = 2) -> str:
    """Return a rounded number with U+2212 as its minus, and without one on a zero.

    Examples
    --------
    >>> number(-0.5), number(-0.001), number(2, 0)
    ('−0.50', '0.00', '2')
    """
    return f"{x:z.{digits}f}".replace("-", "−")


def rounded_row(weights: Iterable[float]) -> list[float]:
    """Return weights rounded to two digits.

    Examples
    --------
    >>> rounded_row([1 / 3, 2 / 3])
    [0.33, 0.67]
    """
    return [round(weight, 2) for weight in weights]


def _short_numbers(value: object) -> object:
    """Return the same with 2 for 2.0, which a script can't tell apart."""
    if isinstance(value, dict):
        return {key: _short_numbers(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_short_numbers(inner) for inner in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = number
    environment.filters["rounded_row"] = rounded_row
    return environment


def _data(name: str, language: Language) -> tuple[dict[str, object], dict[str, object]]:
    path = _file(name, "data.py")
    try:
        module = importlib.import_module(f"qkvdocs.demos.{name}.data")
        found: dict[str, object] = module.data(language)
        live = getattr(module, "live", dict)
        return found, live(found)
    except (Exception, SystemExit) as error:
        raise DemoError(
            f"{_place(error, path)}: wanted data(language) that returns the demo's data, and maybe "
            f"live(data) that returns what the script needs; got {type(error).__name__}: {error}"
        ) from error


def _labels(name: str, language: Language) -> tuple[dict[str, str], dict[str, str]]:
    path = _file(name, "labels.toml")
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line (\d+)", str(error))
        place = f"{_short(path)}:{found[1]}" if found else _short(path)
        raise DemoError(f"{place}: wanted TOML; got what isn't: {error}") from error
    live = entries.pop(LIVE, {})
    said = {key: _text(path, f"{LIVE}.{key}", texts, language) for key, texts in live.items()}
    labels = {key: _text(path, key, texts, language) for key, texts in entries.items()}
    return {**labels, **said}, said


def _text(path: Path, key: str, texts: object, language: Language) -> str:
    said = texts if isinstance(texts, dict) else {}
    for wanted in LANGUAGES:
        if not str(said.get(wanted, "")).strip():
            raise DemoError(
                f"{_short(path)}:{_line_of(path, key)}: wanted a text in each language; "
                f"got none for {key!r} in {wanted}: write it below [{key}]"
            )
    _check_placeholders(f"{_short(path)}:{_line_of(path, key)}", key, said)
    return str(said[language])


def _check_placeholders(place: str, key: str, texts: dict[str, str]) -> None:
    first, *others = LANGUAGES
    wanted = sorted(set(PLACEHOLDER.findall(texts[first])))
    for language in others:
        came = sorted(set(PLACEHOLDER.findall(texts[language])))
        if came != wanted:
            raise DemoError(
                f"{place}: wanted the same placeholders in each language; got "
                f"{' '.join(wanted) or 'none'} for {key!r} in {first} and "
                f"{' '.join(came) or 'none'} in {language}: make them equal"
            )


def _file(name: str, part: str) -> Path:
    path = FOLDER / name / part
    if not path.is_file():
        raise DemoError(f"{_short(path)}: wanted this part of the demo; got no such file: write it")
    return path


def _line_of(path: Path, key: str) -> int:
    lines = path.read_text(encoding="utf-8").split("\n")
    return next((i for i, line in enumerate(lines, 1) if line.strip().startswith(f"[{key}]")), 1)


def _place(error: BaseException, path: Path) -> str:
    # A syntax error knows its line; any other error has passed through a line of a demo's file.
    if line := getattr(error, "lineno", None):
        return f"{_short(Path(getattr(error, 'filename', None) or path))}:{line}"
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if _is_part(Path(frame.filename), path.suffix)]
    return f"{_short(Path(inside[-1].filename))}:{inside[-1].lineno}" if inside else _short(path)


def _is_part(file: Path, suffix: str) -> bool:
    return file.suffix == suffix and file.is_relative_to(FOLDER) and file != Path(__file__)


def _short(path: Path) -> str:
    if not path.is_relative_to(FOLDER):
        return str(path)
    return f"qkvdocs/demos/{path.relative_to(FOLDER).as_posix()}"
