"""The roles: tabs as the pattern of WAI-ARIA has them, over vectors of the running example."""

import pytest

from qkvdocs import demos
from qkvdocs.demos import number
from qkvdocs.examples import engineer
from qkvdocs.languages import LANGUAGES, Language
from qkvdocs.markdown.snippet import snippet_of
from tests.demos.stand import Stand
from tests.demos.test_contract import wait_until_live

ROLES = ("query", "key", "value")
VECTORS = {"query": engineer.q[0], "key": engineer.k[2], "value": engineer.v[2]}


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_panel_shows_its_vector(stand: Stand, language: Language) -> None:
    page = stand("roles", language=language, java_script_enabled=False)
    for role in ROLES:
        cells = page.locator(f"[data-panel={role}] td").all_inner_texts()
        assert cells == [number(x, 0) for x in VECTORS[role]]
    weights = page.locator(".qkv-demo__aside td").all_inner_texts()
    assert weights == [number(weight) for weight in engineer.weights[0]]
    assert "= 1.00" in page.locator(".qkv-demo__aside").inner_text()


def test_the_code_prints_the_vectors_and_the_weights() -> None:
    output = snippet_of(*demos.snippet("roles")).output
    for vector in [*VECTORS.values(), engineer.weights[0].round(2)]:
        assert str(vector.tolist()) in output


@pytest.mark.parametrize("language", LANGUAGES)
def test_keys_choose_tabs_and_only_the_chosen_panel_shows(stand: Stand, language: Language) -> None:
    labels = demos.load("roles", language).labels
    page = stand("roles", language=language)
    wait_until_live(page)
    page.get_by_role("tab").first.focus()
    said = []
    walk = ("Home", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "Home", "End")
    for key, role in zip(
        walk, ("query", "key", "value", "query", "value", "query", "value"), strict=True
    ):
        page.keyboard.press(key)
        tab = page.get_by_role("tab", selected=True)
        assert labels[f"{role}_tab"] in tab.inner_text()
        assert tab.evaluate("(tab) => tab === document.activeElement && tab.tabIndex === 0")
        panel = page.get_by_role("tabpanel")
        assert panel.count() == 1
        assert panel.get_attribute("id") == tab.get_attribute("aria-controls")
        assert labels[f"{role}_not"] in panel.inner_text()
        said.append(page.locator("[role=status]").text_content())
    assert len(set(said)) == 3


def test_a_click_chooses_and_the_address_gives_the_tab_back(stand: Stand) -> None:
    page = stand("roles", language="en")
    wait_until_live(page)
    page.get_by_role("tab", name="title").click()
    assert page.url.endswith("#roles?role=key")
    again = stand("roles", language="zh", hash="#roles?role=key")
    wait_until_live(again)
    assert "书名" in again.get_by_role("tab", selected=True).inner_text()
