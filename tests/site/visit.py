"""A reader's visit, and what no page may do during it: ask another host, or log an error."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request

# What is left out while it is out of sight, until there is time.
BLOCKS = "article > :is(.qkv-demo, .qkv-figure, .qkv-snippet, .qkv-math, .qkv-scroll)"

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


class Site:
    """The site in a browser; collects what goes wrong on its pages."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser = browser
        self.address = address
        self.faults: list[str] = []
        self.requests: list[str] = []
        self._contexts: list[BrowserContext] = []

    def __call__(
        self, path: str, *, width: int = 1280, height: int = 900, dark: bool = False, **options: Any
    ) -> Page:
        """Open a page; the options are those of a Playwright context."""
        context = self.browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            **options,
        )
        self._contexts.append(context)
        page = context.new_page()
        page.on("request", self._on_request)
        page.on("console", self._about(path, self._on_console))
        page.on("pageerror", lambda error: self.faults.append(f"{path}: {error}"))
        page.on("requestfailed", self._about(path, self._on_failed))
        page.goto(self.address + path)
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()

    def _about(self, path: str, handler: Callable[[str, Any], None]) -> Callable[[Any], None]:
        return lambda event: handler(path, event)

    def _on_request(self, request: Request) -> None:
        self.requests.append(request.url)
        if not request.url.startswith((self.address, "data:", "blob:")):
            self.faults.append(f"a request left the site: {request.url}")

    def _on_console(self, path: str, message: ConsoleMessage) -> None:
        # Chromium logs the status of the 404 page itself; the page is the answer wanted there.
        is_its_status = path.endswith("404.html") and "404" in message.text
        if message.type in {"error", "warning"} and not is_its_status:
            self.faults.append(f"{path}: {message.type} in the console: {message.text}")

    def _on_failed(self, path: str, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # the browser left the page
            self.faults.append(f"{path}: {request.url} failed: {request.failure}")


def let_all_come(page: Page) -> None:
    """Let the page do what it puts off until there is time or a reader moves."""
    page.keyboard.press("Shift")
    page.wait_for_function(
        """(blocks) => [...document.querySelectorAll(".qkv-demo")]
            .every((demo) => demo.state !== undefined)
            && [...document.querySelectorAll(blocks)]
                .every((block) => block.matches(".qkv-laid-out"))""",
        arg=BLOCKS,
    )
