"""The glossary: its list, and the links from the first use of each term."""

from collections.abc import Iterator

import pytest

from qkvdocs import glossary
from qkvdocs.entries import EntryError
from qkvdocs.markdown import glossary as links
from tests.markdown.convert import convert

TERMS = """
[[terms]]
id = "key"
zh = "键"
en = "key"
definition_zh = "用来找。"
definition_en = "Found *by* $k$."
also_en = ["keys"]
not_in_zh = ["关键"]

[[terms]]
id = "key-cache"
zh = "键缓存"
en = "key cache"
definition_zh = "存着。"
definition_en = "Kept."
"""


@pytest.fixture(autouse=True)
def two_terms(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(links, "terms", lambda: glossary.read(TERMS))
    links._forms.cache_clear()
    yield
    links._forms.cache_clear()


def link(form: str, term: str = "key", title: str = "Found by k.") -> str:
    return f'<a class="qkv-term" href="../glossary.md#{term}" title="{title}">{form}</a>'


def linked(text: str, **options: str) -> str:
    return convert(text, terms=True, **options)


def test_the_first_use_of_a_term_is_a_link() -> None:
    assert linked("a key, a key") == f"<p>a {link('key')}, a key</p>"
    assert linked("a\n\nb *key* key") == f"<p>a</p>\n<p>b <em>{link('key')}</em> key</p>"


def test_text_around_several_links_stays_in_order() -> None:
    cache = link("key cache", "key-cache", "Kept.")
    assert linked("*a* b key c key cache d") == (f"<p><em>a</em> b {link('key')} c {cache} d</p>")


def test_a_chinese_word_that_only_holds_a_form_is_no_use_of_the_term() -> None:
    assert linked("关键是键") == f"<p>关键是{link('键')}</p>"


@pytest.mark.parametrize("form", ["Key", "KEYS", "键"])
def test_all_forms_mean_the_term(form: str) -> None:
    assert linked(f"a {form}.") == f"<p>a {link(form)}.</p>"


@pytest.mark.parametrize("word", ["monkey", "keyboard", "key_1", "keyed"])
def test_a_part_of_a_word_is_no_term(word: str) -> None:
    assert linked(word) == f"<p>{word}</p>"


def test_a_chinese_term_needs_no_boundaries() -> None:
    assert linked("用key和键", language="zh") == f"<p>用{link('key', title='用来找。')}和键</p>"
    assert linked("每个键都", language="zh") == f"<p>每个{link('键', title='用来找。')}都</p>"


def test_the_longest_term_wins() -> None:
    assert linked("a key cache") == f"<p>a {link('key cache', 'key-cache', 'Kept.')}</p>"


@pytest.mark.parametrize(
    "text",
    ["# A key", "[a key](x.md)", "`key`", "```text\nkey\n```", r"$\text{key}$",
     "/// strip | 02\n///", "| key |\n|---|\n| a |", '??? hint "a key"\n    text',
     "text **a**{ .key }"],
)  # fmt: skip
def test_some_places_are_left_alone(text: str) -> None:
    assert "qkv-term" not in linked(text)


def test_a_use_that_is_left_alone_does_not_count_as_the_first() -> None:
    assert link("key") in linked("# A key\n\na key")


def test_a_link_finds_the_glossary_from_any_folder() -> None:
    assert 'href="glossary.md#key"' in linked("key", source="docs/en/index.md")
    assert 'href="../../glossary.md#key"' in linked("key", source="docs/en/a/b/c.md")


def test_the_glossary_does_not_link_to_itself() -> None:
    assert linked("a key", source="docs/en/glossary.md") == "<p>a key</p>"


def test_the_links_can_be_turned_off() -> None:
    assert convert("a key", terms=False) == "<p>a key</p>"


def test_the_list_has_an_anchor_both_names_and_the_definition() -> None:
    html = convert("/// glossary\n///", source="docs/en/glossary.md")
    assert html.startswith('<dl class="qkv-glossary">\n<div id="key">\n<dt>key <span lang="zh">键')
    assert '<dd>Found <em>by</em> <span class="qkv-unbroken"><math>' in html
    assert '<dt>键 <span lang="en">key' in convert("/// glossary\n///", language="zh")


@pytest.mark.parametrize(
    "change, line, words",
    [
        (('definition_en = "Kept."', ""), 11, "missing .*definition_en"),
        (('definition_en = "Kept."', 'definition_en = " "'), 11, "en missing"),
        (('en = "key cache"', 'en = "key cache"\nfr = "x"'), 11, "unknown .*fr"),
        (('id = "key-cache"', 'id = "key"'), 11, "'#key' for 'key' and 'key'"),
        (('en = "key cache"', 'en = "Keys"'), 11, "'keys' for 'key' and 'key-cache'"),
        (('also_en = ["keys"]', 'also_en = "keys"'), 2, "wanted a list"),
        (('also_en = ["keys"]', "also_en ="), 8, "wanted TOML"),
        ((TERMS, ""), 1, "wanted terms"),
    ],
)
def test_a_broken_term_is_refused_on_its_line(
    change: tuple[str, str], line: int, words: str
) -> None:
    assert change[0] in TERMS
    with pytest.raises(EntryError, match=rf"^qkvdocs/glossary\.toml:{line}: .*{words}"):
        glossary.read(TERMS.replace(*change))


def test_the_glossary_of_the_course_is_whole() -> None:
    assert {"query", "key", "value"} <= {term.id for term in glossary.terms()}
