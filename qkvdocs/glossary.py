"""The terms of the course in both languages, as `glossary.toml` lists them."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from qkvdocs import entries
from qkvdocs.languages import Label

REQUIRED = {"id", "zh", "en", "definition_zh", "definition_en"}
OPTIONAL = {"also_zh", "also_en", "not_in_zh"}


PATH = "qkvdocs/glossary.toml"


@dataclass(frozen=True)
class Term:
    """One term: its anchor, its name and definition, other forms that mean it, other words.

    Chinese has no spaces: `not_in` names the words that hold a form and mean something else.
    """

    id: str
    name: Label
    definition: Label
    also: tuple[str, ...]
    not_in: tuple[str, ...]

    @property
    def forms(self) -> tuple[str, ...]:
        """All texts that mean the term, in either language."""
        return (self.name.zh, self.name.en, *self.also)


@cache
def terms() -> tuple[Term, ...]:
    """Return all terms in the order of the file.

    Raises
    ------
    EntryError
        If a term lacks a text, has an unknown field, or shares its id or a form with another.

    Examples
    --------
    >>> {term.id: term.name.zh for term in terms()}["query"]
    '查询'
    """
    text = files("qkvdocs").joinpath("glossary.toml").read_text(encoding="utf-8")
    return read(text)


def read(text: str) -> tuple[Term, ...]:
    """Return the terms of a TOML text, checked as `terms` says.

    Raises
    ------
    EntryError
        On the line where the first term begins that isn't whole.
    """
    owners: dict[str, str] = {}

    def make(entry: dict[str, object]) -> Term:
        term = _term(entry)
        _take_forms(term, owners)
        return term

    return entries.read(PATH, text, "terms", make)


def _take_forms(term: Term, owners: dict[str, str]) -> None:
    for text in (f"#{term.id}", *sorted({form.lower() for form in term.forms})):
        if text in owners:
            raise ValueError(
                f"wanted ids and forms that mean one term; got {text!r} for "
                f"{owners[text]!r} and {term.id!r}: keep one of them"
            )
        owners[text] = term.id


def _term(entry: dict[str, object]) -> Term:
    missing, unknown = REQUIRED - set(entry), set(entry) - REQUIRED - OPTIONAL
    if missing or unknown:
        raise ValueError(
            f"term {entry.get('id')!r}: wanted the fields {sorted(REQUIRED)} and "
            f"perhaps {sorted(OPTIONAL)}; missing {sorted(missing)}, unknown {sorted(unknown)}"
        )
    return Term(
        id=str(entry["id"]),
        name=Label(zh=str(entry["zh"]), en=str(entry["en"])),
        definition=Label(zh=str(entry["definition_zh"]), en=str(entry["definition_en"])),
        also=(*_forms(entry, "also_zh"), *_forms(entry, "also_en")),
        not_in=_forms(entry, "not_in_zh"),
    )


def _forms(entry: dict[str, object], field: str) -> tuple[str, ...]:
    forms = entry.get(field, [])
    if not isinstance(forms, list) or not all(isinstance(f, str) and f.strip() for f in forms):
        raise ValueError(f"term {entry['id']!r}: wanted a list of texts in {field}; got {forms!r}")
    return tuple(forms)
