"""Figures by name, and the cache that spares a build from drawing."""

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from qkvdocs import figures
from qkvdocs.figures import names, render
from qkvdocs.languages import LANGUAGES
from tests.content import page


def asked_for() -> set[str]:
    """The names of the figures that the pages of either language ask for."""
    return {
        name
        for language in LANGUAGES
        for path in page.paths(language)
        if path.suffix in {".md", ".py"}
        for section in page.load(language, path).sections
        for kind, name in section.asks
        if kind == "figure"
    }


def test_the_names_are_those_that_pages_ask_for() -> None:
    assert set(names()) == asked_for()


def test_a_figure_says_which_function_drew_it() -> None:
    svg = render("temperature", "en")
    module, function = svg.function.rsplit(".", 1)
    assert getattr(import_module(module), function).__doc__
    assert svg.function == "qkvdocs.figures.retrieval.temperature"


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="lookup-flo") as error:
        render("lookup-flo", "en")
    assert all(name in str(error.value) for name in names())


def test_the_cache_gives_back_what_was_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = render("score-heatmap", "zh", cache=tmp_path)
    assert first == render("score-heatmap", "zh")
    monkeypatch.setattr(figures, "_draw", lambda name, language: pytest.fail("drawn again"))
    assert render("score-heatmap", "zh", cache=tmp_path) == first


def test_the_cache_keeps_languages_and_names_apart(tmp_path: Path) -> None:
    kept = [
        render(name, language, cache=tmp_path)
        for _ in range(2)
        for name in ("score-heatmap", "weight-heatmap")
        for language in ("zh", "en")
    ]
    assert kept[:4] == kept[4:]
    assert len({figure.description for figure in kept}) == 4


def test_other_sources_draw_anew_and_leave_nothing_old(tmp_path: Path) -> None:
    drawn = render("score-heatmap", "en", cache=tmp_path)
    (file,) = (tmp_path / "figures").iterdir()
    kept = json.loads(file.read_text(encoding="utf-8"))
    kept["state"]["sources"] = "of another day"
    kept["figure"]["svg"] = "<svg/>"
    file.write_text(json.dumps(kept), encoding="utf-8")
    assert render("score-heatmap", "en", cache=tmp_path) == drawn
    assert list((tmp_path / "figures").iterdir()) == [file]


def test_a_changed_source_changes_the_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "figures").mkdir()
    for path in ("examples.py", "figures/__init__.py", "figures/lookup.py"):
        (tmp_path / path).write_text("before")
    monkeypatch.setattr(figures, "__file__", str(tmp_path / "figures" / "__init__.py"))
    hashes = [figures._sources.__wrapped__()]
    for path in ("examples.py", "figures/lookup.py"):
        (tmp_path / path).write_text("after")
        hashes.append(figures._sources.__wrapped__())
    assert len(set(hashes)) == 3


WITHOUT_MATPLOTLIB = """
import sys
from pathlib import Path
from qkvdocs.figures import names, render
from qkvdocs.languages import LANGUAGES
from tests.content import page
cache = Path(sys.argv[1])
before = "matplotlib" in sys.modules
render("weight-heatmap", "en", cache=cache)
print(before, "matplotlib" in sys.modules)
"""


def test_a_warm_cache_needs_no_matplotlib(tmp_path: Path) -> None:
    def run() -> list[str]:
        done = subprocess.run(
            [sys.executable, "-c", WITHOUT_MATPLOTLIB, str(tmp_path)],
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.split()

    assert run() == ["False", "True"], "the first time it is drawn"
    assert run() == ["False", "False"], "the second time it is read"
