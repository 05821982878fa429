"""Figures: a name and a caption in, a drawing that says how it was made out."""

from pathlib import Path

import pytest

from qkvdocs import figures
from qkvdocs.figures import Svg
from tests.markdown.convert import convert, refused


@pytest.fixture(autouse=True)
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """Draws nothing; keeps what was asked for."""
    asked: list[tuple[object, ...]] = []

    def render(name: str, language: str, *, cache: Path | None = None) -> Svg:
        asked.append((name, language, cache))
        return Svg('<svg role="img">a|b $x$ *</svg>', "described", "qkvdocs.figures.a.b")

    monkeypatch.setattr(figures, "render", render)
    return asked


FIGURE = "/// figure | lookup-flow\n{}\n///"


def test_a_figure_has_a_drawing_and_a_caption() -> None:
    assert convert(FIGURE.format("A *caption*.")) == (
        '<figure class="qkv-figure" id="figure-lookup-flow">\n'
        '<div class="qkv-figure__drawing" data-search-exclude="">'
        '<svg role="img">a|b $x$ *</svg></div>\n'
        "<figcaption>\n<p>A <em>caption</em>. "
        '<autoref class="qkv-figure__how" identifier="qkvdocs.figures.a.b">How this was made'
        "</autoref></p>\n</figcaption>\n</figure>"
    )


def test_a_figure_is_drawn_in_the_language_and_kept_in_the_cache(
    drawn: list[tuple[object, ...]], tmp_path: Path
) -> None:
    html = convert(FIGURE.format("图。"), language="zh", cache=str(tmp_path))
    assert drawn == [("lookup-flow", "zh", tmp_path)]
    assert ">这张图是怎么画的</autoref>" in html


def test_a_caption_holds_formulas_and_values() -> None:
    html = convert(FIGURE.format('$q$ and {value: engineer.weight("engineer", "in") | .2f}'))
    assert "</math> and 0.26 <autoref" in html


def test_an_unknown_figure_is_refused() -> None:
    refused("text\n\n/// figure | nosuch\nx\n///", 3, "lookup-flow", "got 'nosuch'")


def test_a_figure_without_a_caption_is_refused() -> None:
    refused("text\n\n/// figure | lookup-flow\n///", 3, "wanted a caption")


def test_a_figure_stands_once_on_a_page() -> None:
    figure = FIGURE.format("x")
    refused(f"{figure}\n\n{figure}", 5, "twice", "(#figure-lookup-flow)")
