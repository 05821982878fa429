"""Each demo of the built site once in Firefox and in WebKit, which draw and listen differently."""

import json
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any

import pytest

from qkvdocs import demos
from tests.demos import bidi, webdriver
from tests.site.build import Built

CONTROLS = "[role=tab], input[type=radio], input[type=checkbox], input[type=range]"

Browser = bidi.Firefox | webdriver.WebKit


@pytest.fixture(scope="module", params=["firefox", "webkit"])
def other(request: pytest.FixtureRequest) -> Iterator[Browser]:
    with firefox() if request.param == "firefox" else webkit() as page:
        yield page


def firefox() -> AbstractContextManager[bidi.Firefox]:
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None:
        pytest.skip("no Firefox on the PATH: Debian's is the package firefox-esr")
    return bidi.started(program)


def webkit() -> AbstractContextManager[webdriver.WebKit]:
    driver, screen = shutil.which("WebKitWebDriver"), shutil.which("Xvfb")
    own = webdriver.own_browser(driver) if driver else None
    if driver is None or own is None or screen is None:
        pytest.skip("no WebKit to drive: Debian's packages are webkit2gtk-driver and xvfb")
    return webdriver.started(driver, screen, own)


def places(built: Built) -> dict[str, str]:
    """The address of a page for each demo that is shown."""
    pages = [(path, (built.site / path).read_text(encoding="utf-8")) for path in built.pages()]
    return {
        name: path.as_posix().removesuffix("index.html")
        for name in demos.names()
        for path, html in pages
        if f'data-demo="{name}"' in html
    }


def look(other: Browser, name: str) -> Any:
    return other.evaluate(
        f"(({{ state, classList }}) => ({{ state, live: classList.contains('qkv-demo--live') }}))"
        f"(document.querySelector('qkv-{name}'))"
    )


def said(other: Browser, name: str) -> str:
    status = f"document.querySelector('qkv-{name} [role=status]')"
    return str(other.evaluate(f"{status}.textContent"))


@pytest.mark.parametrize("name", demos.names())
def test_keys_change_each_demo_and_its_address_gives_it_back(
    other: Browser, built: Built, address: str, name: str
) -> None:
    if name not in places(built):
        pytest.skip(f"no published page shows the demo {name}")
    place = address + places(built)[name]
    other.open(place)
    other.evaluate(f"void document.querySelector('qkv-{name}').scrollIntoView()")
    other.evaluate(f"customElements.whenDefined('qkv-{name}').then(() => true)")
    before = look(other, name)
    assert before["live"]
    sentence = said(other, name)
    other.evaluate(
        f"void [...document.querySelectorAll('qkv-{name} :is({CONTROLS})')]"
        ".find((one) => one.checkVisibility()).focus()"
    )
    other.press("ArrowRight")
    after = look(other, name)
    assert after["state"] != before["state"]
    assert said(other, name) != sentence
    hash = other.evaluate("location.hash")
    assert hash.startswith(f"#{name}?")
    other.open("about:blank")
    other.open(place + hash)
    other.evaluate(f"customElements.whenDefined('qkv-{name}').then(() => true)")
    assert look(other, name) == after
    wide = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    scroll, client = other.evaluate(wide)
    assert scroll <= client, json.dumps(after)
