"""Self-attention: rows, pairs, matrix and outputs are those of qkvdocs, masked or not."""

import re
from itertools import product

import numpy as np
import pytest
from playwright.sync_api import Locator, Page

from qkvdocs import demos
from qkvdocs.demos import number
from qkvdocs.examples import Sentence, engineer_ten_years
from qkvdocs.languages import LANGUAGES, Language
from qkvdocs.markdown.snippet import snippet_of
from tests.demos.stand import Stand
from tests.demos.test_contract import wait_until_live

N = len(engineer_ten_years.tokens)
LIVE = ".qkv-demo--live"
STATES = list(product(range(N), (False, True)))


def sentence_for(causal: bool) -> Sentence:
    return engineer_ten_years.causal if causal else engineer_ten_years


def opened(
    stand: Stand, asking: int = 0, asked: int = 2, causal: bool = False, language: Language = "en"
) -> Page:
    state = f"asking={asking}&asked={asked}&causal={causal:d}"
    page = stand("self-attention", language=language, hash=f"#self-attention?{state}")
    wait_until_live(page)
    return page


def cells(table: Locator, selector: str = "td") -> list[str]:
    return [" ".join(text.split()) for text in table.locator(selector).all_text_contents()]


def heats(parts: Locator) -> list[float]:
    found: list[float] = parts.evaluate_all(
        "(parts) => parts.map((part) => Number(part.style.getPropertyValue('--heat')))"
    )
    return found


def status(page: Page) -> str:
    return page.locator("[role=status]").inner_text()


def matrix_shows(table: Locator, sentence: Sentence) -> None:
    weights = sentence.weights.flatten()
    assert cells(table, ".qkv-heat") == [number(w) for w in weights]
    # As built, a colour is that of the number which is shown.
    live = table.locator("[data-cells]").count() > 0 and table.page.locator(LIVE).count() > 0
    shown = heats(table.locator(".qkv-heat"))
    assert np.allclose(shown, weights if live else weights.round(2), atol=1e-4)
    sums = [round(sum(round(w, 2) for w in row), 2) for row in sentence.weights]
    signs = [f"{'=' if total == 1 else '≈'} 1.00" for total in sums]
    assert cells(table, "tbody td:last-child") == signs


@pytest.mark.parametrize(("asking", "causal"), STATES)
def test_the_row_its_bars_and_its_arcs(stand: Stand, asking: int, causal: bool) -> None:
    row = sentence_for(causal).weights[asking]
    page = opened(stand, asking, causal=causal)
    assert cells(page.locator(".qkv-self-attention__bars"), "td") == [number(w) for w in row]
    assert np.allclose(heats(page.locator(".qkv-self-attention__bars td")), row, atol=1e-4)
    assert np.allclose(heats(page.locator(".qkv-self-attention__arcs path")), row, atol=1e-4)
    rows = page.locator(".qkv-self-attention__bars tbody tr")
    middles = rows.evaluate_all(
        "(rows) => rows.map((row) => { const box = row.getBoundingClientRect();"
        " return box.y + box.height / 2; })"
    )
    ends = page.locator(".qkv-self-attention__arcs path").evaluate_all(
        "(arcs) => arcs.map((arc) => { const box = arc.ownerSVGElement.getBoundingClientRect();"
        " return [arc.getPointAtLength(0).y, arc.getPointAtLength(arc.getTotalLength()).y]"
        " .map((y) => box.y + y * box.height / arc.ownerSVGElement.viewBox.baseVal.height); })"
    )
    for asked, (start, end) in enumerate(ends):
        # An arc to itself leaves a little above the middle and comes back a little below.
        assert start == pytest.approx(middles[asking], abs=8)
        assert end == pytest.approx(middles[asked], abs=8)
    cut = page.locator(".qkv-self-attention__arcs path").evaluate_all(
        "(arcs) => arcs.map((arc) => getComputedStyle(arc).stroke === 'none')"
    )
    assert cut == [causal and asked > asking for asked in range(N)]


@pytest.mark.parametrize("causal", [False, True])
def test_the_whole_matrix(stand: Stand, causal: bool) -> None:
    page = opened(stand, asking=2, causal=causal)
    table = page.locator(".qkv-self-attention__matrix:visible")
    matrix_shows(table, sentence_for(causal))
    masked = table.locator(".qkv-self-attention__masked")
    assert masked.count() == (N * (N - 1) // 2 if causal else 0)
    assert set(masked.all_inner_texts()) <= {"0.00"}


@pytest.mark.parametrize("causal", [False, True])
def test_both_directions_of_each_pair(stand: Stand, causal: bool) -> None:
    weights = sentence_for(causal).weights
    page = opened(stand, causal=causal)
    words = [label.en for label in engineer_ten_years.tokens]
    for asking, asked in product(range(N), range(N)):
        page.locator(f"[data-field=asking][value='{asking}']").check(force=True)
        page.locator(f"[data-field=asked][value='{asked}']").check(force=True)
        there, back = number(weights[asking, asked]), number(weights[asked, asking])
        assert cells(page.locator(".qkv-self-attention__pair"), "td") == [there, back]
        if asking == asked:
            assert status(page).endswith(f"It gives itself {there}.")
        else:
            wanted = f"It gives “{words[asked]}” {there}, and “{words[asked]}” gives it {back}."
            assert status(page).endswith(wanted)
        marked = page.locator(".qkv-self-attention__in-pair").all_inner_texts()
        assert sorted(marked) == sorted({(asking, asked): there, (asked, asking): back}.values())


@pytest.mark.parametrize(("asking", "causal"), STATES)
def test_before_and_after(stand: Stand, asking: int, causal: bool) -> None:
    sentence = sentence_for(causal)
    page = opened(stand, asking, causal=causal)
    before, after = page.locator(".qkv-self-attention__change tbody tr").all()
    assert cells(before) == [number(x) for x in sentence.v[asking]]
    assert cells(after) == [number(x) for x in sentence.output[asking]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_readings_of_the_lesson_can_be_seen(stand: Stand, language: Language) -> None:
    sentence = engineer_ten_years
    for asker, found in (("engineer", "California"), ("works", "engineer")):
        asking, best = sentence.position(asker), sentence.position(found)
        page = opened(stand, asking, language=language)
        assert sentence.tokens[best][language] in status(page)
        assert number(sentence.weights[asking].max()) in status(page)
    page = opened(stand, sentence.position("California"), language=language)
    row = cells(page.locator(".qkv-self-attention__bars"), "td")
    assert row[3] == number(sentence.weight("California", "works"))
    assert row[5] == number(sentence.weight("California", "ten years"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_a_script_both_matrices_and_all_outputs_are_there(
    stand: Stand, language: Language
) -> None:
    page = stand("self-attention", language=language, java_script_enabled=False)
    whole, causal = page.locator(".qkv-self-attention__matrix:visible").all()
    matrix_shows(whole, engineer_ten_years)
    matrix_shows(causal, engineer_ten_years.causal)
    table = page.locator(".qkv-self-attention__rest table").last
    shown = [[float(x) for x in re.findall(r"\d+(?:\.\d+)?", cell)] for cell in cells(table)]
    for token in range(N):
        before, after, after_causal = shown[3 * token : 3 * token + 3]
        assert before == engineer_ten_years.v[token].tolist()
        assert after == engineer_ten_years.output[token].round(2).tolist()
        assert after_causal == engineer_ten_years.causal.output[token].round(2).tolist()


def test_the_code_prints_every_number_on_the_screen(stand: Stand) -> None:
    output = snippet_of(*demos.snippet("self-attention")).output
    printed = {float(x) for x in re.findall(r"\d+(?:\.\d+)?", output)}
    for asking, causal in STATES:
        page = opened(stand, asking, causal=causal)
        text = " ".join(cells(page.locator("qkv-self-attention"), "td"))
        assert {float(x) for x in re.findall(r"\d+(?:\.\d+)?", text)} - printed == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_arrow_keys_walk_the_askers_and_space_turns_the_mask(
    stand: Stand, language: Language
) -> None:
    page = opened(stand, language=language)
    page.locator("[data-field=asking][value='0']").focus()
    words = [label[language] for label in engineer_ten_years.tokens]
    said = []
    for word in [*words, words[0]]:
        assert page.locator("[data-field=asking]:checked").evaluate(
            "(one) => one === document.activeElement"
        )
        assert word in status(page)
        assert word in page.locator(".qkv-self-attention__row strong").inner_text()
        said.append(status(page))
        page.keyboard.press("ArrowRight")
    assert len(set(said)) == N
    page.get_by_role("checkbox").focus()
    page.keyboard.press("Space")
    assert page.get_by_role("checkbox").is_checked()
    assert status(page) not in said
    page.locator("[data-field=asked]:checked").focus()
    page.keyboard.press("ArrowRight")
    assert words[3] in page.locator(".qkv-self-attention__pair").inner_text()


def test_the_address_holds_the_state_and_gives_it_back(stand: Stand) -> None:
    page = stand("self-attention", language="en")
    wait_until_live(page)
    page.locator("label", has_text="ten years").first.click()
    page.get_by_role("checkbox").click()
    page.wait_for_function("location.hash === '#self-attention?asking=5&asked=2&causal=1'")
    again = opened(stand, 5, 2, True)
    assert status(again) == status(page)
    assert again.get_by_role("checkbox").is_checked()


@pytest.mark.parametrize("junk", ["asking=6", "asked=-1", "causal=yes", "asking=1.5"])
def test_junk_leaves_the_first_state(stand: Stand, junk: str) -> None:
    page = stand("self-attention", language="en", hash=f"#self-attention?{junk}")
    wait_until_live(page)
    assert status(page).startswith("“engineer” looks most at “California”, weight 0.60.")


def test_a_second_copy_and_a_moved_one_keep_their_own_state(stand: Stand) -> None:
    page = stand("self-attention", "self-attention", language="en")
    wait_until_live(page)
    second = page.locator("qkv-self-attention").nth(1)
    second.get_by_role("checkbox").click()
    page.evaluate(
        "document.querySelector('section').append(document.querySelectorAll('qkv-self-attention')[1])"
    )
    assert second.get_by_role("checkbox").is_checked()
    matrix_shows(second.locator(".qkv-self-attention__matrix:visible"), engineer_ten_years.causal)
    second.get_by_role("checkbox").click()
    matrix_shows(second.locator(".qkv-self-attention__matrix:visible"), engineer_ten_years)
    first = page.locator("qkv-self-attention").nth(0)
    assert not first.get_by_role("checkbox").is_checked()


@pytest.mark.parametrize("language", LANGUAGES)
def test_on_a_narrow_page_the_matrix_scrolls_in_a_box_that_takes_the_focus(
    stand: Stand, language: Language
) -> None:
    page = stand("self-attention", language=language, width=320)
    wait_until_live(page)
    assert page.evaluate("document.scrollingElement.scrollWidth") == 320
    box = page.locator(".qkv-scroll:visible")
    box.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.activeElement.scrollLeft > 0")
