"""A page with demos alone, made by the Markdown extension and shown without building the site."""

import mimetypes
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from markdown import Markdown
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    Route,
)

from qkvdocs.languages import Language
from qkvdocs.site.assets import shared_files

ADDRESS = "http://localhost/"
ASSETS = "assets/qkvdocs"


def demo_html(*names: str, language: Language) -> str:
    """The demos as a page of the course has them."""
    options = {"language": language, "source": "page.md"}
    markdown = Markdown(
        extensions=["pymdownx.highlight", "qkvdocs"], extension_configs={"qkvdocs": options}
    )
    return markdown.convert("\n\n".join(f"/// demo | {name}\n///" for name in names))


def page_html(body: str, language: Language, dark: bool) -> str:
    """A page that has what the site loads for its demos, styles in the page to save the way."""
    own = [own_style(sheet) for sheet in ("site.css", "demos.css")]
    sheets = [f"<style>{style}</style>" for style in [*material_styles(), *own]]
    # At once and not by assets/demos.js, which waits until the reader is near.
    scripts = [
        f'<script type="module" src="{ASSETS}/demos/{name}/element.js"></script>'
        for name in sorted(set(re.findall(r'data-demo="([a-z-]+)"', body)))
    ]
    # In a section, for the site leaves out blocks of the article itself while nobody sees them.
    inner = f"<h1>Demos</h1><section>{body}</section>"
    scheme = "slate" if dark else "default"
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>Demos</title>'
        f'<meta name="viewport" content="width=device-width,initial-scale=1">{"".join(sheets)}'
        f'{"".join(scripts)}</head><body dir="ltr" data-md-color-scheme="{scheme}" '
        'data-md-color-primary="indigo"><main class="md-content"><article '
        f'class="md-content__inner md-typeset">{inner}</article></main></body></html>'
    )


@cache
def material_styles() -> list[str]:
    """The theme's own style sheets."""
    folder = Path(str(files("material"))) / "templates" / "assets" / "stylesheets"
    return [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.min.css"))]


@cache
def own_style(name: str) -> str:
    """One of our style sheets; its font is made for a whole site, of the formulas of all pages."""
    style = dict(shared_files(at_root=True))[f"{ASSETS}/{name}"].decode()
    return re.sub(r"@font-face \{.*?\}", "", style, flags=re.DOTALL)


class Pages:
    """Blank pages of a browser, lent and taken back: a new one costs more than most tests."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._contexts: dict[str, BrowserContext] = {}
        self._idle: dict[str, list[Page]] = {}

    def lend(self, **options: Any) -> Page:
        """A page whose context has these Playwright options."""
        kind = repr(sorted(options.items()))
        if kind not in self._contexts:
            self._contexts[kind] = self._browser.new_context(**options)
        idle = self._idle.setdefault(kind, [])
        return idle.pop() if idle else self._contexts[kind].new_page()

    def take_back(self, page: Page) -> None:
        """Make a page as good as new."""
        kind = next(kind for kind, context in self._contexts.items() if context is page.context)
        page.unroute_all()
        page.goto("about:blank")
        page.mouse.move(0, 0)
        page.emulate_media(media="null")
        self._idle[kind].append(page)


class Stand:
    """Shows demos in a browser, answers for their files, and collects what they complain about."""

    def __init__(self, pages: Pages) -> None:
        self.faults: list[str] = []
        self._pages = pages
        self._lent: list[Page] = []
        self._files = dict(shared_files(at_root=True))

    def __call__(
        self,
        *names: str,
        language: Language = "zh",
        hash: str = "",
        width: int = 1280,
        dark: bool = False,
        body: str = "{}",
        broken: Sequence[str] = (),
        missing: Sequence[str] = (),
        **options: Any,
    ) -> Page:
        """Open a page with demos.

        Parameters
        ----------
        names : of the demos, in order
        hash : the end of the address, from "#"
        body : what stands around the demos, with {} in their place
        broken : files of which the page gets a script that throws
        missing : files that the page never gets
        options : of a Playwright context
        """
        page = self._pages.lend(**options)
        self._lent.append(page)
        page.set_viewport_size({"width": width, "height": 900})
        html = page_html(body.format(demo_html(*names, language=language)), language, dark)
        page.route("**/*", lambda route: self._answer(route, html, broken, missing))
        page.on("console", self._on_console)
        page.on("pageerror", self._on_error)
        page.goto(f"{ADDRESS}{hash}")
        return page

    def close(self) -> None:
        for page in self._lent:
            page.remove_listener("console", self._on_console)
            page.remove_listener("pageerror", self._on_error)
            self._pages.take_back(page)

    def _on_console(self, message: ConsoleMessage) -> None:
        self.faults.append(message.text)

    def _on_error(self, error: Error) -> None:
        self.faults.append(str(error))

    def _answer(
        self, route: Route, html: str, broken: Sequence[str], missing: Sequence[str]
    ) -> None:
        name = route.request.url.removeprefix(ADDRESS).split("#")[0]
        if name == "":
            route.fulfill(body=html, content_type="text/html")
        elif name in broken:
            route.fulfill(body="throw new Error('broken')", content_type="text/javascript")
        elif name in missing:
            route.abort()
        elif name in self._files:
            kind = mimetypes.guess_type(name)[0]
            route.fulfill(body=self._files[name], content_type=kind)
        else:
            route.fulfill(status=404)
