"""Code is run statement by statement, as at a prompt."""

import sys

import pytest

from qkvdocs.running import MOST_CHARACTERS, namespace, run


def shown_by(source: str) -> tuple[bool, list[tuple[str, str]]]:
    shown: list[tuple[str, str]] = []
    return run(source, lambda kind, text: shown.append((kind, text))), shown


def output(source: str) -> str:
    return "".join(text for _, text in shown_by(source)[1])


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("", ""),
        ("# nothing", ""),
        ("1\nNone\n'a'", "1\n'a'\n"),
        ("for i in range(2): i", "0\n1\n"),
        ("x = 1; x", "1\n"),
        ("import sys\nprint('wrong', file=sys.stderr)", "wrong\n"),
        ("class A: pass\n\nA.__module__", "'__main__'\n"),
    ],
)
def test_values_of_statements_are_shown(source: str, wanted: str) -> None:
    assert output(source) == wanted


@pytest.mark.parametrize(
    ("source", "last"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("import sys; sys.exit(2)", "SystemExit: 2"),
        ("input()", "EOFError: EOF when reading a line"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    ],
)
def test_whatever_is_raised_ends_the_code_and_not_the_caller(source: str, last: str) -> None:
    whole, shown = shown_by(f"print('before')\n{source}\nprint('after')")
    assert not whole
    assert [kind for kind, _ in shown] == ["out", "error"] or shown[0][0] == "out"
    assert shown[-1][1].splitlines()[-1] == last
    assert "after" not in "".join(text for _, text in shown)


def test_a_traceback_names_lines_of_the_reader_alone_also_in_its_causes() -> None:
    source = (
        "import json\ntry:\n    json.loads('')\nexcept ValueError as e:\n    raise KeyError from e"
    )
    text = output(source)
    assert text.count("Traceback") == 2
    assert "json/" not in text
    assert "line 3, in <module>" in text


def test_nothing_is_left_behind() -> None:
    before = sys.stdout, sys.stdin, sys.displayhook, sys.modules["__main__"]
    output("import sys\nsys.displayhook = print\nx = 1")
    assert (sys.stdout, sys.stdin, sys.displayhook, sys.modules["__main__"]) == before


def test_too_much_output_is_cut_once() -> None:
    _, shown = shown_by(f"for _ in range(30): print('x' * {MOST_CHARACTERS // 10})")
    assert sum(len(text) for kind, text in shown if kind == "out") == MOST_CHARACTERS
    assert [kind for kind, _ in shown].count("cut") == 1


def test_an_object_that_can_draw_itself_does() -> None:
    _, shown = shown_by("from qkvdocs.examples import tired\ntired")
    assert [kind for kind, _ in shown] == ["out", "picture"]
    assert shown[1][1].startswith("<svg ")


def test_cells_that_share_a_namespace_share_their_names() -> None:
    main = namespace()
    shown: list[str] = []
    for source in ("x = 20", "x + 1"):
        assert run(source, lambda _, text: shown.append(text), main)
    assert shown == ["21\n"]
