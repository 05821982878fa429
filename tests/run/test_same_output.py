"""Every snippet of every page prints in the browser what it printed when the site was built."""

from collections import defaultdict
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import html5lib
import pytest
from playwright.sync_api import Browser

from qkvdocs.running import namespace, run
from tests.run.snippets import LESSON, PATIENCE
from tests.site.build import Built
from tests.site.visit import Site

pytestmark = pytest.mark.usefixtures("runtime_is_published")

RUN_ALL = """async ({ script, manifest, codes }) => {
    const { runtimeOf } = await import(script)
    const runtime = runtimeOf(manifest)
    return Promise.all(codes.map(async ([code, notebook]) => {
        let output = ""
        const show = (kind, text) => { if (kind !== "picture") output += text }
        const { state } = await runtime.run(code, { phase() {}, show }, notebook ?? undefined)
        return [state, output]
    }))
}"""


@dataclass(frozen=True)
class Checked:
    """A snippet as a built page shows it."""

    code: str
    output: str
    notebook: str | None


def text(element: Any) -> str:
    return "".join(element.itertext())


def checked_snippets(built: Built) -> list[Checked]:
    """Return the snippets of all pages, each once."""
    found: dict[Checked, None] = {}
    for page in built.pages():
        tree = html5lib.parse(
            (built.site / page).read_text(encoding="utf-8"), namespaceHTMLElements=False
        )
        for element in tree.iterfind(".//div[@class='qkv-snippet']"):
            code, output = element.find(".//code"), element.find(".//samp")
            printed = "" if output is None else text(output)
            found[Checked(text(code), printed, element.get("data-notebook"))] = None
    return list(found)


@pytest.fixture(scope="module")
def all_snippets(built: Built) -> list[Checked]:
    found = checked_snippets(built)
    assert len(found) > 30
    return found


def test_in_this_python_run_prints_what_the_doctest_printed(all_snippets: list[Checked]) -> None:
    notebooks: dict[str | None, ModuleType] = defaultdict(namespace)
    for snippet in all_snippets:
        main = notebooks[snippet.notebook] if snippet.notebook else None
        shown: list[tuple[str, str]] = []
        assert run(snippet.code, lambda *both, to=shown: to.append(both), main), snippet.code
        assert "".join(words for kind, words in shown if kind == "out") == snippet.output


def test_in_the_browser_run_prints_the_same(
    browser: Browser, address: str, all_snippets: list[Checked]
) -> None:
    site = Site(browser, address)
    page = site(LESSON["en"])
    page.set_default_timeout(PATIENCE)
    manifest = page.locator("script[data-manifest]").evaluate(
        "e => new URL(e.dataset.manifest, location).href"
    )
    results = page.evaluate(
        RUN_ALL,
        {
            "script": f"{address}assets/qkvdocs/run/runtime.js",
            "manifest": manifest,
            "codes": [[snippet.code, snippet.notebook] for snippet in all_snippets],
        },
    )
    site.close()
    wanted = [["done", snippet.output] for snippet in all_snippets]
    assert results == wanted
    assert site.faults == []
