"""Each demo of the built site once in Firefox, which draws and listens in its own way."""

import json
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from qkvdocs import demos
from tests.demos.bidi import Firefox, started
from tests.site.build import Built

PROGRAM = shutil.which("firefox-esr") or shutil.which("firefox")
CONTROLS = "[role=tab], input[type=radio], input[type=checkbox], input[type=range]"

pytestmark = pytest.mark.skipif(
    PROGRAM is None, reason="no Firefox on the PATH: Debian's is the package firefox-esr"
)


@pytest.fixture(scope="module")
def firefox() -> Iterator[Firefox]:
    with started(str(PROGRAM)) as firefox:
        yield firefox


def places(built: Built) -> dict[str, str]:
    """The address of a page for each demo that is shown."""
    pages = [(path, (built.site / path).read_text(encoding="utf-8")) for path in built.pages()]
    return {
        name: path.as_posix().removesuffix("index.html")
        for name in demos.names()
        for path, html in pages
        if f'data-demo="{name}"' in html
    }


def look(firefox: Firefox, name: str) -> Any:
    return firefox.evaluate(
        f"(({{ state, classList }}) => ({{ state, live: classList.contains('qkv-demo--live') }}))"
        f"(document.querySelector('qkv-{name}'))"
    )


def said(firefox: Firefox, name: str) -> str:
    status = f"document.querySelector('qkv-{name} [role=status]')"
    return str(firefox.evaluate(f"{status}.textContent"))


@pytest.mark.parametrize("name", demos.names())
def test_keys_change_each_demo_and_its_address_gives_it_back(
    firefox: Firefox, built: Built, address: str, name: str
) -> None:
    if name not in places(built):
        pytest.skip(f"no published page shows the demo {name}")
    place = address + places(built)[name]
    firefox.open(place)
    firefox.evaluate(f"void document.querySelector('qkv-{name}').scrollIntoView()")
    firefox.evaluate(f"customElements.whenDefined('qkv-{name}').then(() => true)")
    before = look(firefox, name)
    assert before["live"]
    sentence = said(firefox, name)
    firefox.evaluate(
        f"void [...document.querySelectorAll('qkv-{name} :is({CONTROLS})')]"
        ".find((one) => one.checkVisibility()).focus()"
    )
    firefox.press("ArrowRight")
    after = look(firefox, name)
    assert after["state"] != before["state"]
    assert said(firefox, name) != sentence
    hash = firefox.evaluate("location.hash")
    assert hash.startswith(f"#{name}?")
    firefox.open("about:blank")
    firefox.open(place + hash)
    firefox.evaluate(f"customElements.whenDefined('qkv-{name}').then(() => true)")
    assert look(firefox, name) == after
    wide = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    scroll, client = firefox.evaluate(wide)
    assert scroll <= client, json.dumps(after)
