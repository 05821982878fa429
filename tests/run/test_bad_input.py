"""What the page says when Python can't run, each time in one sentence under the code."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route

from tests.run.snippets import LESSON, Snippet, snippets
from tests.site.build import Built

pytestmark = pytest.mark.usefixtures("runtime_is_published")

Open = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Open]:
    """Open a page whose faults are wanted, with what a script does before the page's own."""
    contexts: list[BrowserContext] = []

    def opened(address: str, before: str = "") -> Page:
        # A service worker would answer for files that the test wants to change.
        contexts.append(browser.new_context(service_workers="block"))
        contexts[-1].add_init_script(before)
        page = contexts[-1].new_page()
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()


def assert_readable(snippet: Snippet) -> None:
    """The code stands there as before, and can be copied, edited and run again."""
    assert "import" in snippet.code
    assert snippet.button("run").is_visible()
    assert snippet.root.locator(".qkv-snippet__output").is_visible()


@pytest.mark.parametrize("name", ["numpy-*.whl", "qkvdocs-*.whl", "pyodide.asm.wasm"])
def test_a_changed_file_is_named_and_nothing_runs(open_page: Open, address: str, name: str) -> None:
    page = open_page(address + LESSON["en"])

    def changed(route: Route) -> None:
        body = route.fetch().body()
        route.fulfill(body=body[:-1] + bytes([body[-1] ^ 1]), content_type="application/wasm")

    page.route(f"**/assets/runtime/**/{name}", changed)
    snippet = snippets(page)[0]
    snippet.run()
    snippet.says("changed")
    assert name.split("*")[0] in snippet.status.inner_text()
    assert_readable(snippet)


@pytest.mark.parametrize("name", ["manifest.*.json", "python_stdlib.zip", "pyodide.asm.mjs"])
def test_a_missing_file_is_named(open_page: Open, address: str, name: str) -> None:
    page = open_page(address + LESSON["zh"])
    page.route(f"**/assets/runtime/**/{name}", lambda route: route.fulfill(status=404))
    snippet = snippets(page)[0]
    snippet.run()
    snippet.says("missing")
    assert name.split("*")[0] in snippet.status.inner_text()
    assert_readable(snippet)


def test_a_lost_connection_can_be_tried_again(open_page: Open, address: str) -> None:
    page = open_page(address + LESSON["en"])
    page.route("**/*.whl", lambda route: route.abort())
    first, second = snippets(page)[:2]
    first.button("run").click()
    second.button("run").click()
    for snippet in (first, second):
        snippet.wait_for_end()
        snippet.says("network")
    page.unroute("**/*.whl")
    first.run()
    first.says("checked")


@pytest.mark.parametrize(
    ("before", "sentence"),
    [("delete globalThis.WebAssembly", "no-wasm"), ("delete globalThis.Worker", "no-worker")],
)
def test_a_browser_that_lacks_something_is_told_so(
    open_page: Open, address: str, before: str, sentence: str
) -> None:
    # Material's search needs workers too, and logs that it has none.
    page = open_page(address + LESSON["en"], before)
    snippet = snippets(page)[0]
    snippet.run()
    snippet.says(sentence)
    assert_readable(snippet)


def test_a_worker_that_does_not_start_is_told_so(open_page: Open, address: str) -> None:
    page = open_page(address + LESSON["en"])
    page.route("**/run/worker.js", lambda route: route.fulfill(status=404))
    snippet = snippets(page)[0]
    snippet.run()
    snippet.says("worker")
    assert_readable(snippet)


def test_a_page_opened_from_a_file_says_so(open_page: Open, built: Built) -> None:
    page = open_page((built.site / LESSON["en"] / "index.html").as_uri())
    snippet = snippets(page)[0]
    snippet.run()
    snippet.says("file")
    assert_readable(snippet)
