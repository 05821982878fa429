"""What tests share: examples without a deadline; the built site, a server for it, a browser."""

import fcntl
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, sync_playwright

from tests.site.build import Built
from tests.site.visit import FLAGS, Site

# How long an example takes says nothing of what is tested, and much of the machine.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

ROOT = Path(__file__).parents[1]
BASE_PATH = "published/under/a/path"
SITE_URL = f"https://example.org/{BASE_PATH}/"


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The site, built strictly with plain mkdocs, once for all test processes."""
    several = "PYTEST_XDIST_WORKER" in os.environ
    shared = tmp_path_factory.getbasetemp().parent if several else tmp_path_factory.getbasetemp()
    result = Built(root=shared / "served", site=shared / "served" / BASE_PATH, log=shared / "log")
    with (shared / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not result.log.exists():
            build(result)
    return result


def build(result: Built) -> None:
    result.site.mkdir(parents=True)
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(result.site)]
    # The page for unknown addresses has absolute links, and so has to know where it will be.
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "QKV_SITE_URL": SITE_URL}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    result.log.write_text(f"{done.stdout}{done.stderr}exit {done.returncode}\n", encoding="utf-8")


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder without a line on the terminal for each request."""

    extensions_map = {  # noqa: RUF012 (as the base class has it)
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".js": "text/javascript",
        ".wasm": "application/wasm",
        ".woff2": "font/woff2",
    }

    def log_message(self, format: str, *args: object) -> None:
        return

    def copyfile(self, source, outputfile) -> None:  # type: ignore[no-untyped-def]
        try:
            super().copyfile(source, outputfile)
        except (BrokenPipeError, ConnectionResetError):
            return  # the browser left the page before it had all of the file


@pytest.fixture(scope="session")
def address(built: Built) -> Iterator[str]:
    """Where the site is served: on this machine, below a base path."""
    assert built.succeeded, built.log.read_text(encoding="utf-8")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(built.root)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/{BASE_PATH}/"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, without a window."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("QKVDOCS_CHROMIUM", "/usr/bin/chromium"), args=FLAGS
        )
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Site]:
    """Opens pages of the site; at the end of the test no page may have broken a promise."""
    site = Site(browser, address)
    yield site
    site.close()
    assert site.faults == []
