"""Visited pages and their code without a network, and a new release in the place of an old one."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from qkvdocs.site.offline import version_of, write_service_worker
from tests.run.serving import Server, serving
from tests.run.snippets import LESSON, snippets
from tests.site.build import Built
from tests.site.visit import Site

pytestmark = pytest.mark.usefixtures("runtime_is_published")

CACHES = "async () => (await caches.keys()).sort()"
PAGES_ARE_NEW = """async old =>
    !(await caches.keys()).some(name => name.includes(" pages ") && old.includes(name))"""
KEPT = """async ending => {
    for (const name of await caches.keys())
        for (const { url } of await (await caches.open(name)).keys())
            if (url.endsWith(ending)) return true
    return false
}"""

# Before the worker answers for the pages that were there before it.
CLAIM = "dropOld().then("
WAIT = """(async () => {
    while (!(await fetch("go")).ok) await new Promise(done => setTimeout(done, 100))
})().then("""


@pytest.fixture
def copy(built: Built, tmp_path: Path) -> Path:
    """A copy of the site below a base path; unchanged files are the same on the disk."""
    site = tmp_path / "base" / "path"
    shutil.copytree(built.site, site, copy_function=lambda a, b: Path(b).hardlink_to(a))
    (site / "sw.js").unlink()
    write_service_worker(site, offline=True)
    return site


@pytest.fixture
def server(copy: Path, tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path) as server:
        yield server


def replace(path: Path, text: str) -> None:
    path.unlink()
    path.write_text(text, encoding="utf-8")
    date_later(path)


def release(site: Path, *, offline: bool) -> None:
    """Write the service worker of a later release."""
    (site / "sw.js").unlink()
    write_service_worker(site, offline=offline)
    date_later(site / "sw.js")


def date_later(path: Path) -> None:
    """Date a file as a release is, not within the second in which the last one was written.

    A server that is asked what changed since compares whole seconds.
    """
    later = path.stat().st_mtime + 60
    os.utime(path, (later, later))


def wait_until(page: Page, question: str, argument: object = None) -> None:
    """Ask until the answer is yes; wait_for_function takes a promise for one."""
    for _ in range(600):
        if page.evaluate(question, argument):
            return
        page.wait_for_timeout(100)
    pytest.fail(f"never true: {question} {argument}")


def wait_until_kept(page: Page, *endings: str) -> None:
    for ending in endings:
        wait_until(page, KEPT, ending)


def test_without_a_network_a_visited_page_can_be_read_and_run(
    browser: Browser, server: Server
) -> None:
    site = Site(browser, f"{server.address}base/path/")
    page = site(LESSON["en"])
    first = snippets(page)[0]
    first.run()
    wait_until_kept(page, "pyodide.asm.wasm", "pyodide.mjs", "run/worker.js", "run/snippet.js")
    wait_until_kept(page, LESSON["en"], "moved.css", ".whl")
    faults = list(site.faults)
    # Asked for again with a network, it comes from what was kept.
    server.requests.clear()
    page.reload(wait_until="networkidle")
    snippets(page)[0].run()
    assert [path for path in server.requests if "/assets/runtime/" in path] == []
    server.stop()
    page.goto(site.address + LESSON["en"])
    assert "query" in page.locator("article").inner_text().lower()
    again = snippets(page)[0]
    again.run()
    again.says("checked")
    site.close()
    assert faults == []


def test_without_a_network_the_demos_of_a_visited_page_can_be_used(
    browser: Browser, server: Server
) -> None:
    site = Site(browser, f"{server.address}base/path/")
    page = site(LESSON["en"])
    page.mouse.wheel(0, 10)
    wait_until_kept(page, LESSON["en"], "demos/self-attention/element.js", "attention.js")
    faults = list(site.faults)
    server.stop()
    page.goto(site.address + LESSON["en"])
    demo = page.locator("#self-attention")
    demo.evaluate("demo => demo.scrollIntoView()")
    demo.locator("input[type=radio]").nth(3).check()
    assert demo.locator(".qkv-demo__status").inner_text() != ""
    site.close()
    assert faults == []


def test_what_a_page_asks_for_while_the_worker_starts_is_kept_as_well(
    browser: Browser, server: Server, copy: Path
) -> None:
    worker = copy / "sw.js"
    text = worker.read_text(encoding="utf-8")
    assert CLAIM in text
    replace(worker, text.replace(CLAIM, WAIT))
    site = Site(browser, f"{server.address}base/path/")
    page = site(LESSON["en"])
    page.evaluate("async () => { await navigator.serviceWorker.ready }")
    page.mouse.wheel(0, 10)
    page.wait_for_function(
        "file => performance.getEntriesByType('resource').some(({ name }) => name.endsWith(file))",
        arg="demos/self-attention/element.js",
    )
    assert page.evaluate("navigator.serviceWorker.controller") is None
    (copy / "go").write_text("", encoding="utf-8")
    wait_until_kept(page, LESSON["en"], "demos/self-attention/element.js", "attention.js")
    site.close()


def test_a_new_release_replaces_what_was_kept(browser: Browser, server: Server, copy: Path) -> None:
    site = Site(browser, f"{server.address}base/path/")
    page = site("en/glossary/")
    wait_until_kept(page, "en/glossary/", "site.css")
    before = page.evaluate(CACHES)
    glossary = copy / "en" / "glossary" / "index.html"
    replace(glossary, glossary.read_text(encoding="utf-8").replace("</article>", "NEW</article>"))
    release(copy, offline=True)
    page.goto(site.address + "en/")
    wait_until(page, PAGES_ARE_NEW, before)
    wait_until_kept(page, "en/glossary/")
    # The browser's own cache still has the old page, and may go on showing it for a while.
    kept = "async url => (await (await caches.match(url)).text())"
    assert "NEW" in page.evaluate(kept, site.address + "en/glossary/")
    site.close()


def test_switched_off_it_removes_itself_and_what_it_kept(
    browser: Browser, server: Server, copy: Path
) -> None:
    site = Site(browser, f"{server.address}base/path/")
    page = site("en/glossary/")
    wait_until_kept(page, "en/glossary/")
    release(copy, offline=False)
    page.evaluate("async () => (await navigator.serviceWorker.getRegistration()).update()")
    wait_until(
        page,
        "async () => !(await navigator.serviceWorker.getRegistration()) "
        "&& (await caches.keys()).length === 0",
    )
    site.close()


def test_the_version_changes_with_any_file(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("a", encoding="utf-8")
    first = version_of(tmp_path)
    assert version_of(tmp_path) == first
    (tmp_path / "a.html").write_text("b", encoding="utf-8")
    assert version_of(tmp_path) != first
