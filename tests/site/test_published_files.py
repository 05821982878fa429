"""What is done to files on their way into the site changes nothing that they say or do."""

import re
from importlib.resources import files
from pathlib import Path

import pytest

from qkvdocs.figures import kept
from qkvdocs.site import figures_ahead
from qkvdocs.site.assets import ASSETS, shared_files
from qkvdocs.site.figures_ahead import draw_ahead
from tests.site.build import Built
from tests.site.visit import Site

PACKAGE = Path(str(files("qkvdocs")))
RULES = """(css) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    return [...sheet.cssRules].map((rule) => rule.cssText.replace(/\\s+/g, " "))
}"""


@pytest.mark.parametrize(
    ("name", "sources"),
    [
        ("site.css", ["assets/site.css", "assets/run/run.css"]),
        ("demos.css", ["assets/demos.css", "demos/*/style.css"]),
    ],
)
def test_a_sheet_has_the_rules_of_its_sources_in_their_order(
    visit: Site, name: str, sources: list[str]
) -> None:
    page = visit("404.html")
    paths = [path for pattern in sources for path in sorted(PACKAGE.glob(pattern))]
    wanted = page.evaluate(RULES, "".join(path.read_text(encoding="utf-8") for path in paths))
    published = dict(shared_files(at_root=True))[f"{ASSETS}/{name}"].decode()
    assert page.evaluate(RULES, published) == wanted
    assert len(wanted) > 50
    assert "/*" not in published


@pytest.mark.parametrize("root", ["", "en"])
def test_of_the_themes_palette_one_rule_is_left_out(visit: Site, built: Built, root: str) -> None:
    page = visit("404.html")
    published = next((built.site / root / "assets" / "stylesheets").glob("palette.*.css"))
    original = Path(str(files("material"))) / "templates/assets/stylesheets" / published.name
    before, after = (
        " ".join(page.evaluate(RULES, path.read_text("utf-8"))) for path in (original, published)
    )
    one = re.search(r"\[data-md-color-switching\] \*.*?\} ", before)
    assert one is not None
    assert before.replace(one[0], "") == after


def test_a_script_is_published_without_its_comments() -> None:
    scripts = {name: text for name, text in shared_files(at_root=True) if name.endswith(".js")}
    assert len(scripts) > 20
    for text in scripts.values():
        lines = [line.strip() for line in text.decode().splitlines()]
        assert [line for line in lines if line.startswith(("//", "/*", "* ", "*/"))] == []


def test_what_the_cache_lacks_is_drawn_by_another_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures_ahead, "names", lambda: ("lookup-flow", "temperature"))
    drawing = draw_ahead(tmp_path, "en")
    assert drawing is not None
    assert drawing.wait() == 0
    assert all(kept(name, "en", tmp_path) for name in ("lookup-flow", "temperature"))
    assert kept("lookup-flow", "zh", tmp_path) is None
    assert draw_ahead(tmp_path, "en") is None
