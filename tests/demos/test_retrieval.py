"""Soft and hard: what the page shows at each temperature is what qkvdocs computes and measures."""

import math
import re

import numpy as np
import pytest
from playwright.sync_api import Page

from qkvdocs import demos
from qkvdocs.attention import FloatArray, attention, softmax
from qkvdocs.demos import number
from qkvdocs.demos.retrieval.data import TEMPERATURES, weights_at
from qkvdocs.examples import engineer
from qkvdocs.experiments import (
    dilution,
    measured_gradient,
    nudge,
    retrieval_gradients,
    temperature,
    tie,
)
from qkvdocs.languages import LANGUAGES, Language
from qkvdocs.markdown.snippet import snippet_of
from tests.demos.stand import Stand
from tests.demos.test_contract import wait_until_live

PARTS = ("once", "nudge", "tie", "gradient", "distractors")
WAYS = ("soft", "hard")
TIE_SCORES = np.array([8.0, 0.0, 8.0])
TIE_VALUES = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]])

each_language = pytest.mark.parametrize("language", LANGUAGES)


def temperature_at(place: int) -> float:
    """The temperature at a place of the slider: four steps for a doubling, 1 in the middle."""
    return {0: 0.0, 40: math.inf}.get(place, 2 ** ((place - 20) / 4))


def opened(stand: Stand, language: Language = "en", **state: object) -> Page:
    query = "&".join(f"{name}={value}" for name, value in state.items())
    page = stand("retrieval", language=language, hash=f"#retrieval?{query}")
    wait_until_live(page)
    return page


def go(page: Page, **state: object) -> None:
    """Change the state through the address, as a link would."""
    query = "&".join(f"{name}={value}" for name, value in state.items())
    page.evaluate("(hash) => { location.hash = hash; }", f"#retrieval?{query}")
    page.wait_for_function(
        """(state) => Object.entries(state).every(([name, value]) =>
            String(document.querySelector('qkv-retrieval').state[name]) === value)""",
        arg={name: str(value) for name, value in state.items()},
    )


def said(page: Page) -> str:
    return page.locator("[role=status]").first.inner_text()


def cells(page: Page, part: str, table: int = 0, row: str = "") -> list[list[str]]:
    """The numbers in the rows of a part's table, without the heads."""
    body = page.locator(f"[data-panel={part}] table").nth(table).locator(f"tbody tr{row}")
    return [line.locator("td").all_text_contents() for line in body.all()]


def short(x: float) -> str:
    return number(x, 0 if x == round(x) else 1 if x == round(x, 1) else 2)


def numbers(xs: FloatArray, digits: int = 2) -> list[str]:
    return [number(float(x), digits) for x in xs]


def vector(xs: FloatArray, digits: int) -> str:
    return f"({', '.join(numbers(xs, digits))})"


# --- the numbers, at the temperatures of the slider ---


def test_the_limits_of_the_temperature_are_what_softmax_goes_to() -> None:
    for scores in (engineer.scores[0], TIE_SCORES, nudge().scores_before):
        assert np.allclose(weights_at(scores, 0.0), softmax(scores / 1e-5), atol=1e-12)
        assert np.allclose(weights_at(scores, math.inf), softmax(scores / 1e14), atol=1e-12)


def test_one_query_and_a_tie_show_both_lookups_at_every_temperature(stand: Stand) -> None:
    page = opened(stand)
    for place in (0, 1, 7, 12, 16, 20, 21, 28, 35, 39, 40):
        go(page, t=place)
        t = temperature_at(place)
        for part, scores, values, hard in (
            ("once", engineer.scores[0], engineer.v, temperature().hard),
            ("tie", TIE_SCORES, TIE_VALUES, tie().hard),
        ):
            weights = weights_at(scores, t)
            found = cells(page, part)
            assert found[0] == [short(score) for score in scores]
            assert found[1] == numbers(weights)
            assert found[2] == [str(int(j == scores.argmax())) for j in range(len(scores))]
            output = weights @ values
            assert cells(page, part, 1) == [numbers(output), numbers(hard, 0)]
            heats = page.locator(f"[data-panel={part}] [data-way=soft] .qkv-heat").evaluate_all(
                "(cells) => cells.map((cell) => Number(cell.style.getPropertyValue('--heat')))"
            )
            assert np.allclose(heats, weights, atol=1e-4)
            go(page, t=place, part=part)
            assert vector(output, 2) in said(page)
        distance = np.linalg.norm(
            weights_at(engineer.scores[0], t) @ engineer.v - temperature().hard
        )
        go(page, t=place, part="once")
        assert number(float(distance)) in said(page)


def test_at_a_temperature_of_one_it_is_the_lookup_of_the_lesson(stand: Stand) -> None:
    page = opened(stand)
    assert cells(page, "once")[1] == numbers(engineer.weights[0])
    assert cells(page, "once", 1)[0] == numbers(engineer.output[0])
    assert cells(page, "tie", 1) == [numbers(tie().soft), numbers(tie().hard, 0)]
    found = retrieval_gradients()
    assert cells(page, "gradient")[0] == numbers(np.array([*found.soft, *found.soft_measured]), 3)


def test_the_nudge_moves_soft_a_little_and_hard_from_end_to_end(stand: Stand) -> None:
    page = opened(stand, part="nudge")
    found = nudge()
    scores = found.scores_before, found.scores_after
    for place in (0, 4, 16, 20, 28, 40):
        go(page, part="nudge", t=place)
        t = temperature_at(place)
        before, after = (float(weights_at(s, t)[1] * 10) for s in scores)
        assert cells(page, "nudge") == [
            numbers(np.array([scores[0][j], scores[1][j], scores[1][j] - scores[0][j]]), 3)
            for j in range(2)
        ] + [numbers(np.array([before, after, after - before]), 4), ["0", "10", "10"]]
        for raised, output in enumerate((before, after)):
            page.get_by_role("checkbox").set_checked(bool(raised), force=True)
            assert number(output, 4) in said(page)
            places = page.locator(".qkv-retrieval__marker").evaluate_all(
                "(all) => all.map((one) => Number(one.style.getPropertyValue('--place')))"
            )
            assert np.allclose(places, [output / 10, raised], atol=1e-4)
    go(page, part="nudge", t=20)
    assert cells(page, "nudge")[2] == numbers(
        np.array([found.soft_before, found.soft_after, found.soft_change]), 4
    )


def test_the_gradient_is_that_of_the_formula_and_of_differences(stand: Stand) -> None:
    page = opened(stand, part="gradient")
    for place in (0, 8, 12, 20, 25, 32, 39, 40):
        go(page, part="gradient", t=place)
        t = temperature_at(place)
        measured = measured_gradient(
            lambda q, t=t: float(weights_at(engineer.k @ q, t) @ engineer.v[:, 1]), engineer.q[0]
        )
        shown = cells(page, "gradient")
        assert shown[0][:2] == shown[0][2:] == numbers(measured, 3)
        assert shown[1] == ["0"] * 4
        assert vector(measured, 3) in said(page)
    assert numbers(measured, 3) == ["0.000", "0.000"]


def test_the_number_of_distractors_thins_the_soft_weight(stand: Stand) -> None:
    page = opened(stand, part="distractors")
    for n, size in enumerate(dilution().sizes):
        at = dilution().at(size)
        go(page, part="distractors", n=n, way="soft")
        current = page.locator("tr.qkv-retrieval__current[data-size]")
        assert current.locator("th").inner_text() == str(size - 1)
        assert current.locator("td").all_inner_texts() == numbers(
            np.array([at.top_weight, at.soft_error, at.hard_error])
        )
        for value in (at.top_weight, at.soft_error):
            assert number(value) in said(page)
        shares = page.locator(".qkv-retrieval__shares").inner_text()
        assert number(at.top_weight) in shares and number(1 - at.top_weight) in shares
        go(page, part="distractors", n=n, way="hard")
        assert number(at.hard_error) in said(page) and number(at.soft_error) in said(page)


# --- without a script, and in the code ---


@each_language
def test_without_a_script_each_part_has_its_rows_by_temperature(
    stand: Stand, language: Language
) -> None:
    page = stand("retrieval", language=language, java_script_enabled=False)
    assert page.locator("[data-panel]:visible").count() == len(PARTS)
    for part, scores, values, hard in (
        ("once", engineer.scores[0], engineer.v, temperature().hard),
        ("tie", TIE_SCORES, TIE_VALUES, tie().hard),
    ):
        weights = [weights_at(scores, t) for t in TEMPERATURES]
        shown = cells(page, part, 2)
        assert [row[:-1] for row in shown] == [numbers(w) for w in weights]
        signs = [row[-1] for row in shown]
        assert signs == ["= 1" if round(sum(w.round(2)), 2) == 1 else "≈ 1" for w in weights]
        outputs = [w @ values for w in weights]
        assert cells(page, part, 3) == [
            [*numbers(output), number(float(np.linalg.norm(output - hard)))] for output in outputs
        ]
    for t, row in zip(TEMPERATURES, cells(page, "nudge", 1), strict=True):
        before, after = (
            weights_at(s, t)[1] * 10 for s in (nudge().scores_before, nudge().scores_after)
        )
        assert row == numbers(np.array([before, after, after - before]), 4)
    assert cells(page, "gradient", 1)[TEMPERATURES.index(1)] == numbers(
        retrieval_gradients().soft, 3
    )
    assert len(cells(page, "distractors")) == len(dilution().sizes)


def test_the_code_prints_every_number_of_the_tables(stand: Stand) -> None:
    output = snippet_of(*demos.snippet("retrieval")).output
    printed = {abs(float(x)) for x in re.findall(r"\d+(?:\.\d+)?", output)}
    # What is not the result of a step of the code: the limit T → 0, which is argmax, and 1.
    printed |= {0.0, 1.0}
    page = stand("retrieval", language="en", java_script_enabled=False)
    for table in page.locator("qkv-retrieval table").all():
        for row in table.locator("tbody tr").all():
            if row.locator("th").inner_text() == "→ 0":
                continue
            for text in row.locator("td").all_inner_texts():
                shown = {float(x) for x in re.findall(r"\d+(?:\.\d+)?", text)}
                assert shown <= printed, text


def test_soft_retrieval_of_the_lesson_is_that_of_attention() -> None:
    for t in TEMPERATURES[1:-1]:
        weights = weights_at(engineer.scores[0], t)
        output = attention(engineer.q[:1], engineer.k, engineer.v, scale=1 / t)[0]
        assert np.allclose(weights @ engineer.v, output, atol=1e-12)


# --- the reader ---


@each_language
def test_keys_walk_the_parts_and_each_says_its_own(stand: Stand, language: Language) -> None:
    labels = demos.load("retrieval", language).labels
    page = opened(stand, language)
    page.get_by_role("tab").first.focus()
    page.keyboard.press("Home")
    heard = []
    for part in PARTS:
        tab = page.get_by_role("tab", selected=True)
        assert tab.inner_text() == labels[part]
        assert tab.evaluate("(tab) => tab === document.activeElement")
        assert page.get_by_role("tabpanel").get_attribute("data-panel") == part
        for way in WAYS:
            page.get_by_role("radio", name=labels[way]).check(force=True)
            heard.append(said(page))
            assert heard[-1].startswith(labels[way])
            looked_at = page.locator(f"[data-panel={part}] .qkv-retrieval__looked-at")
            assert {one.get_attribute("data-way") for one in looked_at.all()} == {way}
        tab.focus()
        page.keyboard.press("ArrowRight")
    assert len(set(heard)) == 10
    assert page.get_by_role("tab", selected=True).inner_text() == labels["once"]


@each_language
def test_the_slider_goes_from_argmax_to_uniform_by_keys(stand: Stand, language: Language) -> None:
    page = opened(stand, language)
    slider = page.get_by_role("slider")
    slider.focus()
    heard = []
    for key, text in (
        ("Home", "T → 0"),
        ("ArrowRight", "T = 0.04"),
        ("End", "T → ∞"),
        ("ArrowLeft", "T = 26.91"),
    ):
        page.keyboard.press(key)
        assert slider.get_attribute("aria-valuetext") == text
        assert text in said(page)
        heard.append(cells(page, "once")[1])
    assert heard[0] == ["0.00", "0.00", "1.00", "0.00"]
    assert heard[2] == ["0.25"] * 4
    for _ in range(18):
        page.keyboard.press("ArrowLeft")
    assert slider.get_attribute("aria-valuetext") == "T = 1.19"


@each_language
def test_the_slider_of_distractors_goes_by_keys(stand: Stand, language: Language) -> None:
    page = opened(stand, language, part="distractors")
    slider = page.get_by_role("slider")
    slider.focus()
    heard = [said(page)]
    for size in dilution().sizes[1:]:
        page.keyboard.press("ArrowRight")
        assert slider.get_attribute("aria-valuetext") == str(size - 1)
        heard.append(said(page))
    assert len(set(heard)) == len(dilution().sizes)
    page.keyboard.press("Home")
    assert said(page) == heard[0]


def test_the_pointer_and_the_address_and_back(stand: Stand) -> None:
    page = opened(stand, "zh")
    page.get_by_role("tab").nth(1).click()
    page.get_by_text("抬高第二个分数").click()
    page.get_by_text("硬检索", exact=True).first.click()
    page.wait_for_timeout(400)
    end = page.url.split("#")[1]
    assert end == "retrieval?part=nudge&way=hard&t=20&n=0&raised=1"
    english = stand("retrieval", language="en", hash=f"#{end}")
    wait_until_live(english)
    assert english.get_by_role("tab", selected=True).inner_text() == "Nudge"
    assert said(english) == "Hard: after the nudge the output is 10, a jump of 10."


@pytest.mark.parametrize(
    "junk", ["part=all", "t=41", "t=-1", "t=1.5", "n=10", "way=both", "raised="]
)
def test_junk_in_the_address_leaves_the_start(stand: Stand, junk: str) -> None:
    start = said(opened(stand))
    page = stand("retrieval", language="en", hash=f"#retrieval?{junk}")
    wait_until_live(page)
    assert said(page) == start


def test_two_copies_on_a_page_keep_apart(stand: Stand) -> None:
    page = stand("retrieval", "retrieval", language="en")
    wait_until_live(page)
    first, second = page.locator("qkv-retrieval").all()
    start = first.inner_text()
    second.get_by_role("slider").press("End")
    second.get_by_role("radio", name="Hard").check(force=True)
    assert first.inner_text() == start
    page.evaluate("document.querySelector('h1').before(document.querySelectorAll('.qkv-demo')[1])")
    moved = page.locator("qkv-retrieval").first
    moved.get_by_role("tab", name="Tie").click()
    assert "fish" in moved.locator("[role=status]").inner_text()
    assert "fish" not in page.locator("qkv-retrieval").nth(1).locator("[role=status]").inner_text()


@each_language
def test_every_part_fits_a_narrow_page(stand: Stand, language: Language) -> None:
    page = stand("retrieval", language=language, width=320)
    wait_until_live(page)
    for part in PARTS:
        go(page, part=part, t=40, n=9)
        for table in page.locator("table:visible").all():
            assert table.bounding_box()["width"] <= 288.5
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
