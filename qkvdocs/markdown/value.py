"""A computed number in the prose: `{value: engineer.weight("engineer", "in") | .2f}`."""

import ast
import importlib
import inspect
import math
import re
import types
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from markdown.inlinepatterns import InlineProcessor

from qkvdocs.languages import Label, Language
from qkvdocs.markdown.errors import nearest
from qkvdocs.markdown.page import Page
from qkvdocs.markdown.shelter import unshelter

MODULES = ("qkvdocs.examples", "qkvdocs.experiments")

ASK = r"\{value:[^{}]*\}"
PARTS = re.compile(
    r"\{value:\s*(?P<expression>.*?)\s*(?:\|\s*(?P<format>[^|\"']*?)\s*)?\}", re.DOTALL
)
NEGATIVE_ZERO = re.compile(r"-(0(?:\.0*)?%?)")

GRAMMAR = (
    "a public name of qkvdocs.examples or qkvdocs.experiments with attributes, subscripts and "
    "calls, all with literal arguments"
)


class ValueProcessor(InlineProcessor):
    """Puts the text of a value in its place."""

    def __init__(self, page: Page) -> None:
        super().__init__(ASK)
        self.page = page

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[Element | str, int, int]:
        """Answer one ask."""
        text = value_text(unshelter(m[0]), self.page)
        return text.replace("-", "−") if _is_numeric(text) else text, m.start(), m.end()


def values_in_tex(tex: str, page: Page) -> str:
    """Return a formula with its values computed, the minus signs as TeX has them."""
    return re.sub(ASK, lambda found: value_text(found[0], page), tex)


def value_text(ask: str, page: Page) -> str:
    """Return the text of a value, a minus as an ASCII hyphen.

    Raises
    ------
    PageError
        If the expression isn't one, fails, or its result doesn't fit the format.
    """
    parts = PARTS.fullmatch(ask)
    assert parts is not None, "every ask has an expression, be it an empty one"
    expression, specification = parts["expression"], parts["format"] or ""

    def work_out() -> str:
        return formatted(evaluate(expression), specification, page.language)

    try:
        return page.cache.get("values", f"{page.language}\0{ask}", work_out)
    except (Exception, SystemExit) as error:
        reason = error.args[0] if isinstance(error, KeyError) else error
        raise page.error(
            ask,
            f"wanted a value that can be computed; got {expression!r}, "
            f"which fails with {type(error).__name__}: {reason}",
        ) from error


def evaluate(expression: str) -> object:
    """Return what an expression of the small language for values stands for.

    Examples
    --------
    >>> round(evaluate('engineer.weight("engineer", "California")'), 2)
    0.7
    """
    try:
        tree = ast.parse(expression, mode="eval").body
    except SyntaxError as error:
        raise ValueError(f"wanted {GRAMMAR}; got what isn't Python: {error.msg}") from error
    return _node(tree)


def _node(node: ast.expr) -> object:
    match node:
        case ast.Name(id=name):
            return _public(name)
        case ast.Attribute(value=inner, attr=name) if not name.startswith("_"):
            return _attribute(_node(inner), name)
        case ast.Subscript(value=inner, slice=key):
            return _node(inner)[_literal(key)]  # type: ignore[index]
        case ast.Call(func=function, args=arguments, keywords=keywords):
            named = {str(keyword.arg): _literal(keyword.value) for keyword in keywords}
            return _node(function)(*map(_literal, arguments), **named)  # type: ignore[operator]
    raise ValueError(f"wanted {GRAMMAR}; got {ast.unparse(node)!r}: give it a name over there")


def _literal(node: ast.expr) -> object:
    try:
        return ast.literal_eval(node)
    except ValueError as error:
        raise ValueError(f"wanted a literal; got {ast.unparse(node)!r}: write it out") from error


def _public(name: str) -> object:
    known: list[str] = []
    for module_name in MODULES:
        module = importlib.import_module(module_name)
        for public, value in _public_values(module):
            if public == name:
                return value
            known.append(public)
    raise ValueError(
        f"wanted one of {', '.join(sorted(known))}; got {name!r}{nearest(name, known)}"
    )


def _attribute(owner: object, name: str) -> object:
    try:
        return getattr(owner, name)
    except AttributeError as error:
        known = [each for each in dir(owner) if not each.startswith("_")]
        raise ValueError(
            f"wanted one of {', '.join(known)}; got {name!r}{nearest(name, known)}"
        ) from error


def _public_values(module: types.ModuleType) -> Iterator[tuple[str, object]]:
    for name, value in vars(module).items():
        imported = inspect.ismodule(value) or (
            callable(value) and not value.__module__.startswith(module.__name__)
        )
        if not name.startswith("_") and not imported:
            yield name, value


def formatted(value: object, specification: str, language: Language) -> str:
    """Return the text of a value: a label in the language, a list entry by entry.

    Raises
    ------
    ValueError
        If a float has no format, because nobody wants to read all of its digits; if it is NaN.

    Examples
    --------
    >>> formatted([0.5, -0.001], ".2f", "en")
    '[0.50, 0.00]'
    """
    if isinstance(value, Label):
        value = value[language]
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(formatted(entry, specification, language) for entry in value)}]"
    if isinstance(value, float) and not specification:
        raise ValueError(f"wanted a format for a number with a fraction; got {value!r}: add | .2f")
    if isinstance(value, float) and math.isnan(value):
        raise ValueError("wanted a number; got nan: look for the step that made it")
    if not isinstance(value, (int, float, str)):
        raise ValueError(f"wanted a number, a text or a list of them; got {type(value).__name__}")
    text = format(value, specification)
    return NEGATIVE_ZERO.sub(r"\1", text) if NEGATIVE_ZERO.fullmatch(text) else text


def _is_numeric(text: str) -> bool:
    return re.fullmatch(r"[-+0-9.,eE%\[\] infa]*", text) is not None
