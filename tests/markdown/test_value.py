"""Values: a small expression in, a computed number in the prose out."""

import numpy as np
import pytest

import qkvdocs.examples
from qkvdocs.markdown.value import formatted
from tests.markdown.convert import convert, refused

WEIGHT = '{value: engineer.weight("engineer", "California") | .2f}'


def test_a_value_is_plain_text() -> None:
    assert convert(f"weight {WEIGHT}.") == "<p>weight 0.70.</p>"


@pytest.mark.parametrize(
    "ask, text",
    [
        ('{value: engineer.score("engineer", "engineer") | .1f}', "−2.0"),
        ("{value: engineer.q[0] | .1f}", "[0.0, −1.0]"),
        ("{value: engineer.q[0, 1] | .0f}", "−1"),
        ("{value: engineer.q[-1][1] | .1f}", "1.5"),
        ("{value: engineer.tokens[2]}", "California"),
        ("{value:engineer.name}", "engineer"),
        ('{value: engineer.weight("engineer", "California") | .0%}', "70%"),
        ('{value: engineer.position(word="works")}', "3"),
        ('{value: engineer.scaled.weight("engineer", "California") | .2f}', "0.60"),
    ],
)
def test_the_small_language_of_values(ask: str, text: str) -> None:
    assert convert(ask) == f"<p>{text}</p>"


def test_a_label_is_in_the_language_of_the_page() -> None:
    assert convert("{value: engineer.tokens[2]}", language="zh") == "<p>加州</p>"


def test_a_zero_has_no_minus() -> None:
    assert convert("{value: engineer.q[0, 0] | .1f}") == "<p>0.0</p>"


@pytest.mark.parametrize(
    "text",
    ["# Title %s", "*a %s*", "[a %s](x.md)", "- %s", '??? answer "%s"\n    text',
     '??? answer "A"\n    text %s', "| a | b |\n|---|---|\n| %s | c |"],
)  # fmt: skip
def test_a_value_stands_anywhere(text: str) -> None:
    html = convert(text % WEIGHT)
    assert "0.70" in html
    assert "value:" not in html


def test_the_bar_of_a_value_does_not_part_a_cell() -> None:
    html = convert(f"| a | b |\n|---|---|\n| {WEIGHT} | c |")
    assert "<td>0.70</td>\n<td>c</td>" in html


def test_code_keeps_its_braces() -> None:
    assert convert("`{value: x | .2f}`") == "<p><code>{value: x | .2f}</code></p>"


@pytest.mark.parametrize(
    "expression, words",
    [
        ("nobody.weights", ["engineer", "wide_first", "got 'nobody'"]),
        ("np.pi", ["got 'np'"]),
        ("attention", ["got 'attention'"]),
        ("_engineer", ["got '_engineer'"]),
        ("engineer._x", ["attributes, subscripts"]),
        ("engineer.nothing", ["wanted one of", "weights", "got 'nothing'"]),
        ("engineer.wieghts", ["got 'wieghts': did you mean 'weights'?"]),
        ("enginer.weights", ["got 'enginer': did you mean 'engineer'?"]),
        ("engineer.weight('engineer', 'cat')", ["KeyError", "wanted a token of 'engineer'"]),
        ("engineer.weight('engineer', engineer.name)", ["wanted a literal", "engineer.name"]),
        ("1 + 1", ["attributes, subscripts", "'1 + 1'"]),
        ("engineer.", ["isn't Python"]),
        ("", ["isn't Python"]),
        ("engineer.weight('engineer', 'California')", ["wanted a format"]),
        ("engineer.scaled", ["wanted a number", "Sentence"]),
        ("engineer.name | .2f", ["ValueError"]),
    ],
)
def test_what_cannot_be_computed_stops_the_build(expression: str, words: list[str]) -> None:
    refused(f"one\n\ntwo {{value: {expression}}}", 3, *words)


@pytest.mark.parametrize("value", [float("nan"), np.array([0.5, np.nan])])
def test_nan_is_no_number_to_print(value: object) -> None:
    with pytest.raises(ValueError, match="wanted a number; got nan"):
        formatted(value, ".2f", "en")


def test_a_function_that_ends_python_does_not_end_the_build(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def leave() -> None:
        raise SystemExit(3)

    leave.__module__ = "qkvdocs.examples"
    monkeypatch.setattr(qkvdocs.examples, "leave", leave, raising=False)
    refused("one\n\n{value: leave()}", 3, "SystemExit: 3")


def test_a_bad_value_in_a_table_names_its_row() -> None:
    refused("| a |\n|---|\n| b |\n| {value: nobody.x | .2f} |", 4, "nobody")


def test_a_bad_value_is_not_sought_in_code() -> None:
    refused("`{value: nobody}`\n\n{value: nobody}", 3, "nobody")
