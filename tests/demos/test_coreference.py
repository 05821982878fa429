"""Coreference: both layers of both sentences are those of qkvdocs, with and without the masks."""

import re
from itertools import product

import numpy as np
import pytest
from playwright.sync_api import Locator, Page

from qkvdocs import demos
from qkvdocs.demos import number
from qkvdocs.examples import Sentence, find_referent, tired, tired_first, wide, wide_first
from qkvdocs.experiments import coreference
from qkvdocs.languages import LANGUAGES, Language
from qkvdocs.markdown.snippet import snippet_of
from tests.demos.stand import Stand
from tests.demos.test_contract import wait_until_live

FIRST = {"tired": tired_first, "wide": wide_first}
STATES = list(product(("tired", "wide"), (False, True)))


def layers(ending: str, causal: bool) -> tuple[Sentence, Sentence]:
    first = FIRST[ending].causal if causal else FIRST[ending]
    return first, find_referent(first, ending)


def opened(
    stand: Stand, ending: str = "tired", causal: bool = False, language: Language = "en"
) -> Page:
    page = stand(
        "coreference", language=language, hash=f"#coreference?ending={ending}&causal={causal:d}"
    )
    wait_until_live(page)
    return page


def story(page: Page, ending: str) -> Locator:
    return page.locator(f"[data-ending={ending}]")


def rows(table: Locator) -> list[list[str]]:
    return [
        [" ".join(cell.split()) for cell in row.locator("td").all_text_contents()]
        for row in table.locator("tbody tr").all()
    ]


def status(page: Page) -> str:
    return page.locator("[role=status]").inner_text()


def every_row(ending: str, causal: bool, unseen: str) -> list[list[str]]:
    """What the table of all tokens has to show."""
    first, second = layers(ending, causal)
    it = first.position("it")
    found = []
    for j in range(len(first.tokens)):
        row = []
        for layer in (first, second):
            hidden = causal and j > it
            row += [unseen if hidden else number(layer.scores[it, j]), number(layer.weights[it, j])]
        found.append(row)
    sums = []
    for layer in (first, second):
        total = round(sum(round(w, 2) for w in layer.weights[it]), 2)
        sums += ["", f"{'=' if total == 1 else '≈'} 1.00"]
    return [*found, sums]


@pytest.mark.parametrize(("ending", "causal"), STATES)
def test_how_much_it_looks_at_each_token_in_both_layers(
    stand: Stand, ending: str, causal: bool
) -> None:
    page = opened(stand, ending, causal)
    assert page.locator("[data-ending]:visible").count() == 1
    table = story(page, ending).locator(".qkv-coreference__every:visible")
    assert rows(table) == every_row(ending, causal, "unseen")
    first, second = layers(ending, causal)
    it = first.position("it")
    heats = table.locator(".qkv-heat").evaluate_all(
        "(cells) => cells.map((cell) => Number(cell.style.getPropertyValue('--heat')))"
    )
    wanted = np.stack([first.weights[it], second.weights[it]], axis=1).flatten()
    assert np.allclose(heats, wanted, atol=1e-4)


@pytest.mark.parametrize(("ending", "causal"), STATES)
def test_the_first_layer_reads_the_property_and_adds_what_it_takes(
    stand: Stand, ending: str, causal: bool
) -> None:
    first, second = layers(ending, causal)
    it = first.position("it")
    part = story(opened(stand, ending, causal), ending)
    found = rows(part.locator(".qkv-coreference__candidates").nth(0))
    for row, word in zip(found, ("animal", "street", ending), strict=True):
        score = "unseen" if causal and word == ending else number(first.score("it", word))
        assert row == [score, number(first.weight("it", word))]
    taken, own = rows(part.locator(".qkv-coreference__vectors"))
    assert taken == [number(x) for x in first.output[it]]
    assert own == [number(x) for x in second.x[it]]


@pytest.mark.parametrize(("ending", "causal"), STATES)
def test_the_second_layer_compares_the_candidates(stand: Stand, ending: str, causal: bool) -> None:
    first, second = layers(ending, causal)
    part = story(opened(stand, ending, causal), ending)
    found = rows(part.locator(".qkv-coreference__candidates").nth(1))
    query = second.q[first.position("it")]
    for row, word in zip(found, ("animal", "street"), strict=True):
        key = second.k[second.position(word)]
        spelled = " + ".join(f"{number(a)} × {number(b)}" for a, b in zip(query, key, strict=True))
        assert row[0] == f"{spelled} ≈ {number(second.score('it', word))}"
        assert row[1] == number(second.weight("it", word))
        assert float(query @ key) == pytest.approx(second.score("it", word))


@pytest.mark.parametrize(("ending", "causal"), STATES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sentence_said_has_the_numbers_of_the_note(
    stand: Stand, ending: str, causal: bool, language: Language
) -> None:
    wanted = coreference("tired" if ending == "tired" else "wide", causal)
    said = status(opened(stand, ending, causal, language))
    numbers = [number(wanted.animal), number(wanted.street)]
    assert re.findall(r"\d+\.\d+", said) == numbers
    assert ending in said


def test_with_the_masks_both_sentences_have_the_same_weights(stand: Stand) -> None:
    page = opened(stand, "tired", causal=True)
    one = rows(story(page, "tired").locator(".qkv-coreference__every:visible"))
    page.locator("input[value=wide]").check(force=True)
    two = rows(story(page, "wide").locator(".qkv-coreference__every:visible"))
    seen = tired.position("it") + 1
    assert one[:seen] == two[:seen]
    assert all(row == ["unseen", "0.00"] * 2 for row in [*one[seen:-1], *two[seen:-1]])
    page.get_by_role("checkbox").click()
    again = rows(story(page, "wide").locator(".qkv-coreference__every:visible"))
    assert again != two


@pytest.mark.parametrize("causal", [False, True])
def test_words_that_are_not_seen_are_struck_out(stand: Stand, causal: bool) -> None:
    page = opened(stand, "wide", causal)
    struck = (
        story(page, "wide")
        .locator("[data-word]")
        .evaluate_all(
            "(words) => words.filter((word) =>"
            " getComputedStyle(word).textDecorationLine === 'line-through')"
            ".map((word) => word.textContent)"
        )
    )
    assert struck == (["was", "too", "wide"] if causal else [])


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_a_script_both_sentences_have_both_tables(stand: Stand, language: Language) -> None:
    labels = demos.load("coreference", language).labels
    page = stand("coreference", language=language, java_script_enabled=False)
    for ending, sentence in (("tired", tired), ("wide", wide)):
        whole, causal = story(page, ending).locator(".qkv-coreference__every:visible").all()
        assert rows(whole) == every_row(ending, False, labels["unseen"])
        assert rows(causal) == every_row(ending, True, labels["unseen"])
        words = " ".join(token.en for token in sentence.tokens)
        text = story(page, ending).locator(".qkv-coreference__sentence").inner_text()
        assert text == f"{words}."


def test_the_code_prints_every_number_on_the_screen(stand: Stand) -> None:
    output = snippet_of(*demos.snippet("coreference")).output
    printed = {float(x) for x in re.findall(r"\d+(?:\.\d+)?", output)}
    for ending, causal in STATES:
        cells = story(opened(stand, ending, causal), ending).locator("td:visible")
        text = " ".join(cells.all_inner_texts())
        assert {float(x) for x in re.findall(r"\d+(?:\.\d+)?", text)} - printed == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_keys_reach_all_states_and_each_is_said(stand: Stand, language: Language) -> None:
    page = opened(stand, language=language)
    page.locator("input[value=tired]").focus()
    said = [status(page)]
    page.keyboard.press("ArrowRight")
    assert story(page, "wide").is_visible() and not story(page, "tired").is_visible()
    said.append(status(page))
    page.keyboard.press("Tab")
    assert page.get_by_role("checkbox").evaluate("(one) => one === document.activeElement")
    page.keyboard.press("Space")
    said.append(status(page))
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("ArrowLeft")
    assert story(page, "tired").is_visible()
    said.append(status(page))
    assert len(set(said)) == 4


def test_the_address_holds_the_state_and_gives_it_back(stand: Stand) -> None:
    page = stand("coreference", language="en")
    wait_until_live(page)
    page.locator("label", has_text="too wide").click()
    page.get_by_role("checkbox").click()
    page.wait_for_function("location.hash === '#coreference?ending=wide&causal=1'")
    assert status(opened(stand, "wide", True)) == status(page)


@pytest.mark.parametrize("junk", ["ending=nosuch", "causal=2", "ending="])
def test_junk_leaves_the_first_state(stand: Stand, junk: str) -> None:
    page = stand("coreference", language="en", hash=f"#coreference?{junk}")
    wait_until_live(page)
    assert status(page) == "Ending in “tired”: “it” gives “animal” 0.93 and “street” 0.03."


def test_a_second_copy_and_a_moved_one_keep_their_own_state(stand: Stand) -> None:
    page = stand("coreference", "coreference", language="en")
    wait_until_live(page)
    second = page.locator("qkv-coreference").nth(1)
    second.locator("input[value=wide]").check(force=True)
    page.evaluate(
        "document.querySelector('section').append(document.querySelectorAll('qkv-coreference')[1])"
    )
    second.get_by_role("checkbox").click()
    assert "Ending in “wide”, with the causal mask" in second.locator("[role=status]").inner_text()
    first = page.locator("qkv-coreference").nth(0)
    assert first.locator("input[value=tired]").is_checked()
    assert not first.get_by_role("checkbox").is_checked()


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_says_that_it_is_built_by_hand(stand: Stand, language: Language) -> None:
    page = stand("coreference", language=language, java_script_enabled=False)
    provenance = page.locator(".qkv-demo__provenance")
    assert {"zh": "手工构造", "en": "Hand-built"}[language] in provenance.inner_text()
    assert "12" in provenance.inner_text()
    assert provenance.get_by_role("link").count() == 0


@pytest.mark.parametrize(("ending", "causal"), STATES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_narrow_page_does_not_scroll_sideways_in_any_state(
    stand: Stand, ending: str, causal: bool, language: Language
) -> None:
    page = stand(
        "coreference",
        language=language,
        width=320,
        hash=f"#coreference?ending={ending}&causal={causal:d}",
    )
    wait_until_live(page)
    assert page.evaluate("document.scrollingElement.scrollWidth") == 320
