"""The search: real counts, real dot products, words that are only ever text, and key ≠ value."""

import random
import re
from collections import Counter
from importlib.resources import files
from itertools import product
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from qkvdocs import demos
from qkvdocs.attention import softmax
from qkvdocs.demos import number
from qkvdocs.demos.lookup.data import search
from qkvdocs.demos.lookup.documents import DOCUMENTS, SEARCHES
from qkvdocs.demos.lookup.words import count, cut, read, vocabulary
from qkvdocs.languages import LANGUAGES, Language
from qkvdocs.markdown.snippet import snippet_of
from tests.demos.stand import ASSETS, Stand
from tests.demos.test_contract import wait_until_live

STATES = list(product(range(len(SEARCHES)), (False, True)))
SIDES = {False: "by_key", True: "by_text"}

each_language = pytest.mark.parametrize("language", LANGUAGES)


def opened(stand: Stand, language: Language, **state: object) -> Page:
    query = "&".join(f"{name}={value}" for name, value in state.items())
    page = stand("lookup", language=language, hash=f"#lookup?{query}")
    wait_until_live(page)
    return page


def go(page: Page, **state: object) -> None:
    query = "&".join(f"{name}={value}" for name, value in state.items())
    page.evaluate("(hash) => { location.hash = hash; }", f"#lookup?{query}")
    page.wait_for_function(
        """(state) => Object.entries(state).every(([name, value]) =>
            String(Number(document.querySelector('qkv-lookup').state[name])) === value)""",
        arg={name: str(value) for name, value in state.items()},
    )


def said(page: Page) -> str:
    return page.locator("[role=status]").first.inner_text()


def rows(page: Page) -> list[tuple[str, int, str, str]]:
    """Title, score, weight and passage of each document, in the order on the screen."""
    found = []
    for row in page.locator("[data-document]").all():
        score, weight, passage = (cell.text_content() or "" for cell in row.locator("td").all())
        title = row.locator(".qkv-lookup__name").text_content() or ""
        found.append((title, int(score.split()[-1]), weight.strip(), passage))
    return found


def wanted(found: Any, language: Language) -> list[tuple[str, int, str, str]]:
    return [
        (
            DOCUMENTS[j].title[language],
            found["scores"][j],
            number(found["weights"][j]),
            DOCUMENTS[j].text[language],
        )
        for j in found["order"]
    ]


# --- counts ---


def test_the_counts_are_those_of_the_words_in_the_documents() -> None:
    known = vocabulary("en")
    _, keys, texts = count("", "en")
    for document, key, text in zip(DOCUMENTS, keys, texts, strict=True):
        by_hand = Counter(re.findall("[a-z]+", f"{document.title.en} {document.tags.en}".lower()))
        assert {w: n for w, n in zip(known, key, strict=True) if n} == by_hand
        by_hand = Counter(re.findall("[a-z]+", document.text.en.lower()))
        assert {w: n for w, n in zip(known, text, strict=True) if n} == by_hand


@pytest.mark.filterwarnings("ignore")  # jieba's own code, when it is first compiled
def test_chinese_is_cut_as_the_search_of_the_site_cuts_it() -> None:
    import jieba

    tokenizer = jieba.Tokenizer()
    with (files("qkvdocs") / "site" / "search_words.txt").open("rb") as words:
        tokenizer.load_userdict(words)
    for document in DOCUMENTS:
        for text in (document.title.zh, document.tags.zh, document.text.zh):
            in_search = [w.lower() for w in tokenizer.cut(text) if re.match(r"\w", w)]
            assert cut(text, "zh") == in_search


@each_language
def test_the_rule_for_what_is_typed_cuts_the_documents_in_the_same_places(
    language: Language,
) -> None:
    known = vocabulary(language)
    for document in DOCUMENTS:
        for text in (document.title, document.tags, document.text):
            words = [(word, True) for word in cut(text[language], language)]
            assert read(text[language], known) == words


@each_language
@pytest.mark.parametrize("place", range(3))
def test_the_best_by_text_is_not_the_best_by_title(place: int, language: Language) -> None:
    query, keys, texts = count(SEARCHES[place][language], language)
    by_key, by_text = keys @ query, texts @ query
    best = by_key == by_key.max()
    assert not best[by_text.argmax()]
    assert (by_text[best] == 0).all()


def test_both_languages_find_the_same_so_that_one_snippet_serves_both() -> None:
    for label in SEARCHES:
        for zh, en in zip(count(label.zh, "zh")[1:], count(label.en, "en")[1:], strict=True):
            scores_zh, scores_en = zh @ count(label.zh, "zh")[0], en @ count(label.en, "en")[0]
            assert scores_zh.tolist() == scores_en.tolist()


@each_language
def test_the_code_prints_every_number_on_the_screen(language: Language) -> None:
    output = snippet_of(*demos.snippet("lookup")).output
    for label in SEARCHES:
        query, keys, texts = count(label[language], language)
        for scores in (keys @ query, texts @ query):
            assert str(scores.tolist()) in output
            assert str(softmax(scores).round(2).tolist()) in output


def test_a_word_that_is_not_known_is_kept_whole() -> None:
    known = ("注意力", "注意力机制", "key")
    assert read("注意力机制是啥，KEYS？key", known) == [
        ("注意力机制", True),
        ("是啥", False),
        ("keys", False),
        ("key", True),
    ]


# --- the browser counts as Python does ---


def typed(language: Language, seed: int) -> str:
    """Something a reader might type: known words, other words, signs, run together or not."""
    draw = random.Random(seed)
    known = list(vocabulary(language))
    if draw.random() < 0.3:
        return " ".join(draw.choices(known, k=draw.randrange(1, 3)))
    other = [
        "火星",
        "天",
        "Zebra",
        "naïve",
        "ΣΑΣ",
        "42",
        "_x",
        "don't",
        "ﬁ",
        "ａｂ",
        "😀",
        "豈",
        "é",
    ]
    other += ["梯", "度消", "注意", "gradient", "Adams"]
    signs = ["", "", " ", "，", "-", "_", "\t", "<b>", "&amp;", "{best}", "×"]
    words = draw.choices(known + other * 6, k=draw.randrange(9))
    return "".join(
        (word.upper() if draw.random() < 0.2 else word) + draw.choice(signs) for word in words
    )


@each_language
def test_the_browser_reads_words_and_computes_as_python_does(
    stand: Stand, language: Language
) -> None:
    page = opened(stand, language)
    texts = [typed(language, seed) for seed in range(500)]
    sides = (
        [f"{document.title[language]} {document.tags[language]}" for document in DOCUMENTS],
        [document.text[language] for document in DOCUMENTS],
    )
    found = page.evaluate(
        """async ([script, texts, keys, passages]) => {
            const { readWords, countWords, lookUp, placesOf } = await import(script);
            const places = placesOf(document.querySelector('qkv-lookup').data.vocabulary);
            const counts = (all) => all.map((text) => countWords(text, places));
            return texts.map((text) => ({
                read: readWords(text, places).map(({ word, place }) => [word, place !== undefined]),
                by_key: lookUp(text, places, counts(keys)),
                by_text: lookUp(text, places, counts(passages)),
            }));
        }""",
        [f"/{ASSETS}/demos/lookup/element.js", texts, *sides],
    )
    for text, in_browser in zip(texts, found, strict=True):
        pairs = [(word, is_known) for word, is_known in in_browser["read"]]
        assert pairs == read(text, vocabulary(language)), text
        in_python: Any = search(text, language)
        for side in SIDES.values():
            one, other = in_browser[side], in_python[side]
            assert np.allclose(one.pop("weights"), other.pop("weights"), rtol=0, atol=1e-12)
            assert one.pop("unknown") == in_python["unknown"]
            assert one == other, text
    assert sum(bool(one["by_key"]["rows"]) for one in found) > 10
    assert sum(one["by_key"]["scores"] == [0] * 8 for one in found) > 10


# --- what the page shows ---


@each_language
def test_every_given_search_shows_its_numbers_best_first(stand: Stand, language: Language) -> None:
    page = opened(stand, language)
    for place, by_text in STATES:
        go(page, search=place + 1, text=int(by_text))
        found: Any = search(SEARCHES[place][language], language)
        found = found[SIDES[by_text]]
        assert rows(page) == wanted(found, language)
        total = page.locator("tfoot").first.inner_text().split()
        assert total[-2:] == [found["weights_sign"], "1.00"]
        shown = sum(round(weight, 2) for weight in found["weights"])
        assert (found["weights_sign"] == "=") == (round(shown, 2) == 1)
        heats = page.locator("[data-document] .qkv-heat").evaluate_all(
            "(cells) => cells.map((cell) => Number(cell.style.getPropertyValue('--heat')))"
        )
        assert np.allclose(heats, np.array(found["weights"])[found["order"]], atol=1e-4)


@each_language
def test_the_products_above_a_score_add_up_to_it(stand: Stand, language: Language) -> None:
    page = opened(stand, language)
    for place, by_text in STATES:
        go(page, search=place + 1, text=int(by_text))
        spelled = page.locator("[data-document] .qkv-demo__work").all_inner_texts()
        for work, (_, score, _, _) in zip(spelled, rows(page), strict=True):
            factors = [part.split("×") for part in work.split(" + ") if part]
            several = len(count(SEARCHES[place][language], language)[0].nonzero()[0]) > 1
            assert bool(factors) == (several and score > 0)
            assert not factors or sum(int(a) * int(b) for a, b in factors) == score


@each_language
def test_only_the_words_that_count_are_marked(stand: Stand, language: Language) -> None:
    page = opened(stand, language)
    for place, by_text in STATES:
        go(page, search=place + 1, text=int(by_text))
        side = "text" if by_text else "key"
        marked = page.locator(".qkv-lookup__hit").evaluate_all(
            "(words) => words.map((word) => word.closest('th') ? 'key' : 'text')"
        )
        query, keys, texts = count(SEARCHES[place][language], language)
        assert marked == [side] * int(((texts if by_text else keys) * (query > 0)).sum())
        assert page.locator("[data-key]:visible").get_attribute("data-key") == side


@each_language
def test_without_a_script_all_searches_and_scenes_are_there(
    stand: Stand, language: Language
) -> None:
    page = stand("lookup", language=language, java_script_enabled=False)
    labels = demos.load("lookup", language).labels
    tables = page.locator(".qkv-lookup__all table").all()
    for label, table in zip(SEARCHES, tables, strict=True):
        found: Any = search(label[language], language)
        assert label[language] in table.locator("caption").inner_text()
        cells = [row.locator("td").all_inner_texts() for row in table.locator("tbody tr").all()]
        assert cells[:-1] == [
            [
                text
                for side in SIDES.values()
                for text in (str(found[side]["scores"][j]), number(found[side]["weights"][j]))
            ]
            for j in range(8)
        ]
    text = page.locator("qkv-lookup").inner_text()
    for document in DOCUMENTS:
        assert document.text[language] in text
    for scene in ("library", "engine", "database", "notes"):
        for part in ("query", "key", "value", "differs"):
            assert labels[f"{scene}_{part}"] in text


# --- the reader ---


@each_language
def test_the_arrow_keys_walk_the_searches_and_each_is_said(
    stand: Stand, language: Language
) -> None:
    page = opened(stand, language)
    page.get_by_role("radio", name=SEARCHES[0][language]).focus()
    heard = []
    for label in SEARCHES:
        assert page.get_by_role("radio", name=label[language]).is_checked()
        assert page.get_by_role("textbox").input_value() == label[language]
        heard.append(said(page))
        page.keyboard.press("ArrowDown")
    assert len(set(heard)) == 4
    first: Any = search(SEARCHES[0][language], language)
    assert number(first["by_key"]["weights"][0]) in heard[0]
    assert all(DOCUMENTS[j].title[language] in heard[1] for j in (0, 3))
    assert "0.125" in heard[3]
    page.get_by_role("checkbox").focus()
    page.keyboard.press("Space")
    assert DOCUMENTS[1].title[language] in said(page)
    assert DOCUMENTS[0].title[language] in said(page)


@each_language
def test_the_scene_names_the_parts(stand: Stand, language: Language) -> None:
    labels = demos.load("lookup", language).labels
    page = opened(stand, language)
    page.get_by_role("radio", name=labels["library"]).focus()
    for scene in ("library", "engine", "database", "notes"):
        table = page.locator(".qkv-lookup__found").inner_text()
        for part in ("query", "key", "value"):
            assert labels[f"{scene}_{part}"] in table
        shown = page.locator("[data-scene]:visible")
        assert [part.get_attribute("data-scene") for part in shown.all()] == [scene]
        assert labels[f"{scene}_differs"] in shown.inner_text()
        page.keyboard.press("ArrowRight")


@each_language
def test_an_exact_match_returns_rows_or_none(stand: Stand, language: Language) -> None:
    for place, count_of_rows in enumerate((1, 2, 1, 0)):
        page = opened(stand, language, search=place + 1, scene="database")
        assert page.locator("[data-scene=database] strong").inner_text() == str(count_of_rows)


@each_language
def test_own_words_are_searched_as_they_are_typed(stand: Stand, language: Language) -> None:
    own = {"zh": "训练时的步长", "en": "step size in Training"}[language]
    page = opened(stand, language, search=2)
    page.get_by_role("textbox").fill("")
    assert "0.125" in said(page)
    page.get_by_role("textbox").press_sequentially(own)
    found: Any = search(own, language)
    assert found["by_key"]["scores"][4] == max(found["by_key"]["scores"]) > 1
    assert rows(page) == wanted(found["by_key"], language)
    assert page.locator("[data-field=search]:checked").count() == 0
    again = opened(stand, language, search="own", words=own.replace(" ", "+"))
    assert again.get_by_role("textbox").input_value() == own
    assert rows(again) == rows(page)


@each_language
def test_unknown_words_score_nothing_and_it_says_so(stand: Stand, language: Language) -> None:
    own = {"zh": "梯度和火星", "en": "gradients or Zebras"}[language]
    page = opened(stand, language)
    page.get_by_role("textbox").fill(own)
    found: Any = search(own, language)
    assert found["unknown"] and max(found["by_key"]["scores"]) > 0
    assert demos.load("lookup", language).labels["say_unknown"].format(
        words=" ".join(found["unknown"])
    ) in said(page)


def test_half_a_word_of_an_input_method_is_not_searched(stand: Stand) -> None:
    page = opened(stand, "zh")
    before = said(page)
    page.get_by_role("textbox").evaluate(
        """(box) => {
            box.value = "zhu'yi";
            box.dispatchEvent(new InputEvent('input', { bubbles: true, isComposing: true }));
        }"""
    )
    assert said(page) == before
    page.get_by_role("textbox").evaluate(
        """(box) => {
            box.value = '注意力';
            box.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
        }"""
    )
    assert DOCUMENTS[6].title.zh in said(page)


@pytest.mark.parametrize(
    "words",
    [
        "<img src=x onerror=document.title='broken'>",
        "</caption><script>document.title='broken'</script>",
        "{best} {words} {0} $& $1",
        "&lt;b&gt; \"quoted\" 'and' `so`",
    ],
)
def test_what_is_typed_stays_text(stand: Stand, words: str) -> None:
    page = opened(stand, "en")
    other = "qkv-lookup :not(.qkv-lookup__hit)"
    elements = page.locator(other).count()
    page.get_by_role("textbox").fill(words)
    again = opened(stand, "en", search="own", words=page.evaluate("encodeURIComponent", words))
    for shown in (page, again):
        shown.wait_for_timeout(50)
        assert words in (shown.locator("caption").first.text_content() or "")
        assert shown.locator(other).count() == elements
        assert shown.locator("qkv-lookup :is(img, b)").count() == 0
        assert shown.title() == "Demos"


def test_the_address_keeps_the_state_for_the_other_language(stand: Stand) -> None:
    page = opened(stand, "zh")
    page.get_by_text(SEARCHES[2].zh, exact=True).first.click()
    page.get_by_role("checkbox").click()
    page.get_by_role("radio", name="数据库").check(force=True)
    page.wait_for_timeout(400)
    end = page.url.split("#")[1]
    assert end == "lookup?search=3&words=&text=1&scene=database"
    english = stand("lookup", language="en", hash=f"#{end}")
    wait_until_live(english)
    assert english.get_by_role("radio", name=SEARCHES[2].en).is_checked()
    assert english.get_by_role("radio", name="Database").is_checked()
    assert rows(english) == wanted(search(SEARCHES[2].en, "en")["by_text"], "en")


@pytest.mark.parametrize("junk", ["search=5", "search=0", "text=2", "scene=%3Cb%3E", "words=only"])
def test_junk_in_the_address_leaves_the_first_search(stand: Stand, junk: str) -> None:
    page = stand("lookup", language="en", hash=f"#lookup?{junk}")
    wait_until_live(page)
    assert page.get_by_role("radio", name=SEARCHES[0].en).is_checked()
    assert rows(page) == wanted(search(SEARCHES[0].en, "en")["by_key"], "en")


def test_words_in_the_address_are_cut_to_what_the_box_holds(stand: Stand) -> None:
    page = opened(stand, "en", search="own", words="attention+" * 50)
    assert len(page.get_by_role("textbox").input_value()) == 80


def test_two_copies_on_a_page_search_apart(stand: Stand) -> None:
    page = stand("lookup", "lookup", language="en")
    wait_until_live(page)
    first, second = page.locator("qkv-lookup").all()
    second.get_by_role("textbox").fill("exams")
    assert first.get_by_role("radio", name=SEARCHES[0].en).is_checked()
    assert DOCUMENTS[0].title.en in first.locator("[role=status]").inner_text()
    assert DOCUMENTS[7].title.en in second.locator("[role=status]").inner_text()
    page.evaluate("document.querySelector('h1').before(document.querySelectorAll('.qkv-demo')[1])")
    moved = page.locator("qkv-lookup").first
    moved.get_by_role("textbox").fill("momentum")
    assert DOCUMENTS[1].title.en in moved.locator("[role=status]").inner_text()


@each_language
def test_long_words_stay_inside_a_narrow_page(stand: Stand, language: Language) -> None:
    page = stand("lookup", language=language, width=320)
    wait_until_live(page)
    page.get_by_role("textbox").fill("w" * 80)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
