"""The pages under a strict content policy, which allows no inline style and no foreign image."""

import base64
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from qkvdocs.site.policy import MovedStyles, move_icons
from tests.run.serving import serving
from tests.run.snippets import LESSON, snippets
from tests.site.build import Built, addresses
from tests.site.test_browser import search
from tests.site.visit import Site

pytestmark = pytest.mark.usefixtures("runtime_is_published")

SCRIPT = re.compile(r"<script\b([^>]*)>(.*?)</script>", re.DOTALL)


def hashes(html: str) -> set[str]:
    """Return the sources of a policy for the inline scripts of a page."""
    return {
        f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
        for attributes, script in SCRIPT.findall(html)
        if "src=" not in attributes and "json" not in attributes
    }


@pytest.fixture(scope="module")
def policy(built: Built) -> str:
    found = set().union(
        *(hashes((built.site / page).read_text(encoding="utf-8")) for page in built.pages())
    )
    assert 1 <= len(found) <= 12, "a script of its own on each page would need a policy of its own"
    return f"default-src 'self'; script-src 'self' 'wasm-unsafe-eval' {' '.join(sorted(found))}"


@pytest.fixture
def strict(browser: Browser, built: Built, policy: str) -> Iterator[Site]:
    """The site with the policy in force; a violation is logged as an error, which is a fault."""
    with serving(built.site, {"Content-Security-Policy": policy}) as server:
        site = Site(browser, server.address)
        yield site
        site.close()
    assert site.faults == []


def test_the_policy_is_in_force(browser: Browser, built: Built, policy: str) -> None:
    with serving(built.site, {"Content-Security-Policy": policy}) as server:
        site = Site(browser, server.address)
        page = site("en/")
        page.locator("article").evaluate("e => e.setAttribute('style', 'color: red')")
        page.locator("article").evaluate("e => e.append(new Image().cloneNode())")
        site.close()
    assert any("Content Security Policy" in fault for fault in site.faults)


def test_every_page_keeps_the_policy(strict: Site) -> None:
    for path in addresses():
        page = strict(path)
        page.wait_for_load_state("networkidle")
        page.context.close()


@pytest.mark.parametrize("language", ["zh", "en"])
def test_code_runs_and_draws_under_the_policy(strict: Site, language: str) -> None:
    page = strict(LESSON[language])
    snippet = snippets(page)[0]
    snippet.run()
    snippet.says("checked")
    snippet.run("from qkvdocs.examples import engineer\nengineer")
    assert snippet.root.locator(".qkv-snippet__picture rect").count() >= 16


def test_search_works_under_the_policy(strict: Site) -> None:
    assert search(strict("en/"), "query")


def test_a_heat_cell_has_its_colour_under_the_policy(strict: Site) -> None:
    page = strict(LESSON["en"])
    shades = "all => new Set(all.map(e => getComputedStyle(e).backgroundColor)).size"
    assert page.locator(".qkv-heat").evaluate_all(shades) > 3


def test_a_style_in_a_tag_becomes_a_class_and_one_in_text_stays() -> None:
    styles = MovedStyles()
    html = '<pre>style="a"</pre><script>"<b style=\\"c:d\\">"</script><!-- <i style="e:f"> -->'
    assert styles.move(html) == html
    moved = styles.move('<td style="--heat:0.7312"></td><td class="a" style="--heat:0.73;"></td>')
    (name,) = re.findall(r"\.(heat-73):not\(#_\)\{--heat:0\.73\}", styles.sheet())
    assert moved == f'<td class="{name}"></td><td class="{name} a"></td>'


def test_icons_become_files_beside_the_style_sheet(tmp_path: Path) -> None:
    sheet = tmp_path / "en" / "assets" / "main.css"
    sheet.parent.mkdir(parents=True)
    svg = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>'
    sheet.write_text(f"a{{mask:url('data:image/svg+xml;charset=utf-8,{svg}')}}", encoding="utf-8")
    move_icons(tmp_path)
    (target,) = re.findall(r"url\((\.\./\.\./[^)]+)\)", sheet.read_text(encoding="utf-8"))
    assert (sheet.parent / target).read_text(encoding="utf-8") == svg
