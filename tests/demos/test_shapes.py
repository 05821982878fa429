"""The shapes demo: it calls fitting what qkvdocs takes, and says why the rest doesn't fit."""

from itertools import product

import numpy as np
import pytest
from playwright.sync_api import Page

from qkvdocs import demos
from qkvdocs.attention import attention, attention_scores
from qkvdocs.demos.shapes.data import CASES, SIZES
from qkvdocs.languages import LANGUAGES, Language
from tests.demos.stand import Stand
from tests.demos.test_contract import wait_until_live

# Each of the two rules kept and broken, with sizes that differ wherever they may.
STATES = [
    (n_q, d_q, n_k, d_q + wide, n_k + many, d_v)
    for n_q, d_q, n_k, d_v in ((1, 3, 4, 5), (5, 2, 3, 1))
    for wide, many in product((0, 1), (0, 2))
]


def shape_of(sizes: tuple[int, ...], what: str) -> str:
    """The shape that qkvdocs gives, or a dash where it refuses."""
    n_q, d_q, n_k, d_k, n_v, d_v = sizes
    query, key, value = np.ones((n_q, d_q)), np.ones((n_k, d_k)), np.ones((n_v, d_v))
    try:
        scores, output = attention_scores(query, key).shape, attention(query, key, value).shape
    except ValueError as error:
        if what == "output" or "query and key" in str(error):
            return "—"
        return " × ".join(map(str, attention_scores(query, key).shape))
    return " × ".join(map(str, scores if what == "scores" else output))


def opened(stand: Stand, sizes: tuple[int, ...], language: Language = "en") -> Page:
    address = "&".join(f"{name}={size}" for name, size in zip(SIZES, sizes, strict=True))
    page = stand("shapes", language=language, hash=f"#shapes?{address}")
    wait_until_live(page)
    return page


def shown(page: Page, name: str) -> str:
    return page.locator(f"[data-at='shape.{name}']").inner_text()


@pytest.mark.parametrize("sizes", STATES, ids=str)
def test_what_fits_is_what_qkvdocs_takes(stand: Stand, sizes: tuple[int, ...]) -> None:
    page = opened(stand, sizes)
    n_q, d_q, n_k, d_k, n_v, d_v = sizes
    assert shown(page, "q") == f"{n_q} × {d_q}"
    assert shown(page, "k") == f"{d_k} × {n_k}"
    assert shown(page, "v") == f"{n_v} × {d_v}"
    assert shown(page, "scores") == shape_of(sizes, "scores")
    assert shown(page, "weights") == shown(page, "scores")
    assert shown(page, "output") == shape_of(sizes, "output")
    clashes = page.locator(".qkv-shapes__clash").evaluate_all(
        "(found) => found.map((one) => one.dataset.inner)"
    )
    assert clashes == ["scores"] * (d_q != d_k) + ["output"] * (n_k != n_v)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("sizes", STATES, ids=str)
def test_the_verdict_says_which_sizes_meet_or_clash(
    stand: Stand, sizes: tuple[int, ...], language: Language
) -> None:
    page = opened(stand, sizes, language)
    labels = demos.load("shapes", language).labels
    named = dict(zip(SIZES, sizes, strict=True))
    scores = shape_of(sizes, "scores") != "—"
    output = shape_of(sizes, "output") != "—"
    wanted = [
        labels["scores_fit" if scores else "scores_clash"].format(**named),
        labels["output_fit" if output else "output_clash" if scores else "output_none"].format(
            **named
        ),
    ]
    assert page.locator(".qkv-shapes__verdict").all_inner_texts() == wanted
    assert page.locator("[role=status]").inner_text() == " ".join(wanted)


def test_each_button_starts_from_its_case(stand: Stand) -> None:
    page = stand("shapes")
    wait_until_live(page)
    for index, sizes in enumerate(CASES.values()):
        page.locator(f"[data-case='{index}']").click()
        values = page.locator("input[type=range]").evaluate_all(
            "(sliders) => sliders.map((slider) => [slider.dataset.field, Number(slider.value)])"
        )
        assert dict(values) == dict(zip(SIZES, sizes, strict=True))
        assert shown(page, "output") == shape_of(sizes, "output")


def test_the_arrow_keys_change_one_size_at_a_time(stand: Stand) -> None:
    page = opened(stand, (2, 3, 4, 3, 4, 5))
    slider = page.locator("input[data-field='d_k']")
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert shown(page, "k") == "4 × 4"
    assert shown(page, "scores") == "—"
    page.keyboard.press("ArrowLeft")
    assert shown(page, "scores") == "2 × 4"
    page.keyboard.press("End")
    assert slider.input_value() == "6"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_holds_each_case_without_a_script(stand: Stand, language: Language) -> None:
    page = stand("shapes", language=language, java_script_enabled=False)
    none = demos.load("shapes", language).labels["none"]
    for row, sizes in zip(page.locator("tbody tr").all(), CASES.values(), strict=True):
        cells = row.locator("td").all_inner_texts()
        n_q, d_q, n_k, d_k, n_v, d_v = sizes
        assert cells[:3] == [f"{n_q} × {d_q}", f"{n_k} × {d_k}", f"{n_v} × {d_v}"]
        judged = [shape_of(sizes, "scores"), shape_of(sizes, "output")]
        assert cells[3:] == [none if shape == "—" else shape for shape in judged]
