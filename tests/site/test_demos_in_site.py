"""The demos where readers meet them: on the pages of the built site."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from qkvdocs import demos
from qkvdocs.languages import LANGUAGES, Language
from tests.site.build import Built
from tests.site.visit import Site

NAMES = demos.names()
each_demo = pytest.mark.parametrize("name", NAMES)
each_language = pytest.mark.parametrize("language", LANGUAGES)

# What would do nothing without a script, and what holds a demo's content.
IDLE = "input:visible, select:visible, button:visible:not([data-do]), [role=tab]:visible"
CONTENT = "table:visible, li:visible, dd:visible, [data-panel]:visible"

Find = Callable[[str, Language], str]


@pytest.fixture(scope="session")
def find(built: Built) -> Find:
    """Finds the address of a page that shows a demo."""

    def found(name: str, language: Language) -> str:
        for path in built.pages():
            if (path.parts[0] == "en") == (language == "en"):
                html = (built.site / path).read_text(encoding="utf-8")
                if f'data-demo="{name}"' in html:
                    return path.as_posix().removesuffix("index.html")
        pytest.skip(f"no published page shows the demo {name} in {language}")

    return found


def wait_until_live(page: Page, name: str) -> None:
    come_near(page, name)
    page.locator(f"qkv-{name}.qkv-demo--live").first.wait_for(state="attached")


def come_near(page: Page, name: str) -> None:
    page.locator(f"qkv-{name}").first.evaluate("demo => demo.scrollIntoView()")


def state(page: Page, name: str) -> Any:
    return page.evaluate(f"document.querySelector('qkv-{name}').state")


def change_by_keys(page: Page, name: str) -> Any:
    """Press a key that changes the demo; return the new state."""
    before = state(page, name)
    control = "[role=tab]:visible, input[type=radio]:visible, input[type=range]:visible"
    page.locator(f"qkv-{name}").first.locator(control).first.focus()
    page.keyboard.press("ArrowRight")
    after = state(page, name)
    assert after != before
    return after


@each_demo
@each_language
def test_the_language_switch_keeps_the_state(
    visit: Site, find: Find, name: str, language: Language
) -> None:
    page = visit(find(name, language))
    wait_until_live(page, name)
    changed = change_by_keys(page, name)
    hash = page.evaluate("location.hash")
    assert hash.startswith(f"#{name}?")
    other = "en" if language == "zh" else "zh"
    page.locator(f"a[hreflang={other}]").first.click()
    page.wait_for_url("**")
    wait_until_live(page, name)
    assert page.locator("html").get_attribute("lang") == other
    assert page.evaluate("location.hash") == hash
    assert state(page, name) == changed


@each_demo
@each_language
def test_the_built_page_has_the_numbers_of_qkvdocs(
    built: Built, find: Find, name: str, language: Language
) -> None:
    html = (built.site / find(name, language) / "index.html").read_text(encoding="utf-8")
    shown, block = re.search(  # type: ignore[union-attr]
        rf'<qkv-{name} [^>]*>(.*?)<script type="application/json">(.*?)</script>', html, re.DOTALL
    ).groups()
    demo = demos.load(name, language)
    assert json.loads(block) == json.loads(demo.json)
    # Of the template alone: the highlighted code below it is numbered and marked up by others.
    code = '<details class="qkv-demo__code"'
    wanted = demo.html(name, "")
    assert numbers(shown.split(code)[0]) == numbers(wanted.split(code)[0])
    assert len(numbers(wanted)) > 5


def numbers(html: str) -> list[str]:
    return re.findall(r"−?\d+(?:\.\d+)?", re.sub(r"<[^>]*>", " ", html))


def by_page(find: Find, language: Language) -> dict[str, list[str]]:
    """The demos of each page that shows some, each demo on its first page."""
    found: dict[str, list[str]] = {}
    for name in NAMES:
        found.setdefault(find(name, language), []).append(name)
    return found


@each_language
def test_a_page_whose_script_never_comes_is_that_without_a_script(
    visit: Site, find: Find, language: Language
) -> None:
    for path, names in by_page(find, language).items():
        without = visit(path, java_script_enabled=False)
        broken = Site(visit.browser, visit.address)
        page = broken("404.html", service_workers="block")
        page.route("**/assets/qkvdocs/demo.js", lambda route: route.abort())
        page.goto(visit.address + path)
        for name in names:
            come_near(page, name)
            # The same script as the page has asked for, so this one comes or fails with that.
            script = f"{visit.address}assets/qkvdocs/demos/{name}/element.js"
            assert page.evaluate("script => import(script).then(() => false, () => true)", script)
            plain = without.locator(f"qkv-{name}").first
            assert page.locator(f"qkv-{name}").first.inner_text() == plain.inner_text()
            assert demos.load(name, language).labels["title"] in plain.inner_text()
            assert plain.locator(IDLE).count() == 0
        assert broken.faults != []
        broken.close()


@each_language
def test_the_printed_page_has_all_of_each_demo(visit: Site, find: Find, language: Language) -> None:
    for path, names in by_page(find, language).items():
        plain, live = visit(path, java_script_enabled=False), visit(path)
        for name in names:
            wait_until_live(live, name)
        for page in (plain, live):
            page.emulate_media(media="print")
        for name in names:
            frame = f"qkv-{name} > .qkv-demo__frame"
            without_script, with_script = (
                page.locator(frame).first.locator(CONTENT).count() for page in (plain, live)
            )
            assert without_script == with_script > 0, name
