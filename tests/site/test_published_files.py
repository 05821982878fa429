"""What is done to files on their way into the site changes nothing that they say or do."""

import re
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

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

# The same, those within conditions each with theirs, wherever pictures are.
STYLE_RULES = """(css) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    const flat = (rule) => rule instanceof CSSGroupingRule && !rule.selectorText
        ? [...rule.cssRules].flatMap(flat).map((each) => `${each} @ ${rule.conditionText}`)
        : [rule.cssText.replace(/url\\((["']).*?\\1\\)|url\\([^)]*\\)/g, "url()")]
    return [...sheet.cssRules].flatMap(flat)
}"""


def restyled(page: Page, change: str) -> int:
    """How many elements the browser styles anew for a change."""
    session = page.context.new_cdp_session(page)
    events: list[dict[str, Any]] = []
    session.on("Tracing.dataCollected", lambda part: events.extend(part["value"]))
    categories = {"includedCategories": ["devtools.timeline"]}
    page.evaluate("document.documentElement.offsetHeight")
    session.send("Tracing.start", {"traceConfig": categories, "transferMode": "ReportEvents"})
    page.evaluate(f"() => {{ {change}; document.documentElement.offsetHeight }}")
    complete: list[object] = []
    session.on("Tracing.tracingComplete", lambda event: complete.append(event))
    session.send("Tracing.end")
    while not complete:
        page.wait_for_timeout(20)
    return sum(
        event["args"].get("elementCount", 0)
        for event in events
        if event["name"] == "UpdateLayoutTree"
    )


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
@pytest.mark.parametrize(
    ("name", "unneeded"),
    [
        ("palette", r"^\[data-md-color-switching\] (\*|::?after|::?before)"),
        ("main", r"table:not\(\[class\]\)|\.tabbed-"),
    ],
)
def test_of_the_themes_style_only_what_nothing_needs_is_left_out(
    visit: Site, built: Built, root: str, name: str, unneeded: str
) -> None:
    page = visit("404.html")
    published = next((built.site / root / "assets" / "stylesheets").glob(f"{name}.*.css"))
    original = Path(str(files("material"))) / "templates/assets/stylesheets" / published.name
    before, after = (
        Counter(page.evaluate(STYLE_RULES, path.read_text("utf-8")))
        for path in (original, published)
    )
    assert after - before == Counter()
    left_out = before - after
    assert left_out
    for rule in left_out:
        selectors = rule.partition("{")[0]
        assert all(re.search(unneeded, one) for one in selectors.split(", ")), rule


def test_no_table_lacks_a_class_nor_is_there_a_tab(built: Built) -> None:
    for page in built.pages():
        html = (built.site / page).read_text(encoding="utf-8")
        assert re.findall(r"<table>|<table (?!class)[^>]*>|tabbed-", html) == [], page


def test_another_class_above_a_page_is_no_reason_to_style_it_anew(visit: Site) -> None:
    page = visit("lessons/02-qkv-lookup/")
    page.wait_for_load_state("networkidle")
    once_more = "document.documentElement.classList.toggle('another')"
    # The page may have something of its own to do at the same time.
    assert min(restyled(page, once_more) for _ in range(5)) == 1
    assert restyled(page, "document.documentElement.style.fontSize = '21px'") > 100


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
