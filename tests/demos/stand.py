"""A page with demos alone, made by the Markdown extension and shown without building the site."""

import mimetypes
import re
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from markdown import Markdown
from playwright.sync_api import Browser, BrowserContext, Page, Route

from qkvdocs.languages import Language
from qkvdocs.site.assets import demo_scripts, demo_stylesheets, shared_files

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
    """A page that loads what the theme loads for its demos."""
    own = [f"{ASSETS}/{sheet}" for sheet in ["site.css", *demo_stylesheets(body)]]
    sheets = [f'<link rel="stylesheet" href="{sheet}">' for sheet in [*material_sheets(), *own]]
    scripts = [
        f'<script type="module" src="{ASSETS}/{script}"></script>' for script in demo_scripts(body)
    ]
    scheme = "slate" if dark else "default"
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>Demos</title>'
        f'<meta name="viewport" content="width=device-width,initial-scale=1">{"".join(sheets)}'
        f'{"".join(scripts)}</head><body dir="ltr" data-md-color-scheme="{scheme}" '
        'data-md-color-primary="indigo"><main class="md-content"><article '
        f'class="md-content__inner md-typeset"><h1>Demos</h1>{body}</article></main></body></html>'
    )


def material_sheets() -> list[str]:
    """The addresses of the theme's own style sheets."""
    folder = Path(str(files("material"))) / "templates"
    found = sorted((folder / "assets" / "stylesheets").glob("*.min.css"))
    return [path.relative_to(folder).as_posix() for path in found]


class Stand:
    """Shows demos in a browser, answers for their files, and collects what they complain about."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.faults: list[str] = []
        self._contexts: list[BrowserContext] = []
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
        **options: Any,
    ) -> Page:
        """Open a page with demos.

        Parameters
        ----------
        names : of the demos, in order
        hash : the end of the address, from "#"
        body : what stands around the demos, with {} in their place
        broken : files of which the page gets a script that throws
        options : of a Playwright context
        """
        context = self.browser.new_context(viewport={"width": width, "height": 900}, **options)
        self._contexts.append(context)
        html = page_html(body.format(demo_html(*names, language=language)), language, dark)
        context.route("**/*", lambda route: self._answer(route, html, broken))
        page = context.new_page()
        page.on("console", lambda message: self.faults.append(message.text))
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.goto(f"{ADDRESS}{hash}")
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()

    def _answer(self, route: Route, html: str, broken: Sequence[str]) -> None:
        name = route.request.url.removeprefix(ADDRESS).split("#")[0]
        if name == "":
            route.fulfill(body=html, content_type="text/html")
        elif name in broken:
            route.fulfill(body="throw new Error('broken')", content_type="text/javascript")
        elif name.startswith("assets/stylesheets/"):
            path = Path(str(files("material"))) / "templates" / name
            route.fulfill(body=path.read_bytes(), content_type="text/css")
        elif name.endswith("/site.css"):
            # Its font is made for a whole site, of the formulas that all pages have.
            style = re.sub(
                r"@font-face \{.*?\}", "", self._files[name].read_text(), flags=re.DOTALL
            )
            route.fulfill(body=style, content_type="text/css")
        elif name in self._files:
            kind = mimetypes.guess_type(name)[0]
            route.fulfill(body=self._files[name].read_bytes(), content_type=kind)
        else:
            route.fulfill(status=404)
