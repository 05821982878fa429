"""What the tests of running code share."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.run.snippets import LESSON, Snippet, snippets
from tests.site.build import Built
from tests.site.visit import Site


@pytest.fixture(scope="session")
def runtime_is_published(built: Built) -> None:
    assert built.succeeded, built.log.read_text(encoding="utf-8")
    if not list(built.site.glob("assets/runtime/*/manifest.*.json")):
        pytest.fail("no Python for the browser: python3 scripts/dev.py build fetches it")


@pytest.fixture(scope="module")
def started(browser: Browser, address: str, runtime_is_published: None) -> Iterator[Snippet]:
    """A snippet of the English lesson, on a page whose Python has started."""
    site = Site(browser, address)
    page = site(LESSON["en"], permissions=["clipboard-read", "clipboard-write"])
    first = snippets(page)[0]
    first.run()
    yield first
    site.close()
    assert site.faults == []


@pytest.fixture
def snippet(started: Snippet) -> Iterator[Snippet]:
    """The same, in the state that it was built in."""
    yield started
    if started.button("stop").is_visible():
        started.button("stop").click()
        started.wait_for_end()
    if started.button("reset").is_visible():
        started.button("reset").click()
