"""Both languages agree, no number is typed by hand, terms and typography are right."""

from collections.abc import Callable
from pathlib import Path

import pytest

from qkvdocs.languages import LANGUAGES, Language
from tests.content import page, parity, prose
from tests.content.page import Page

PAGES = [path for path in page.paths("zh") if path.suffix in {".md", ".py"}]
IN_BOTH = [pytest.param(path, id=path.as_posix()) for path in PAGES]


def parsed(language: Language, text: str) -> Page:
    return page.parse(language, Path("page.md"), text)


def test_both_languages_have_the_same_files() -> None:
    zh, en = (set(page.paths(language)) for language in LANGUAGES)
    assert not zh ^ en, f"only in docs/zh: {sorted(zh - en)}; only in docs/en: {sorted(en - zh)}"


@pytest.mark.parametrize("path", IN_BOTH)
def test_a_page_and_its_twin_agree(path: Path) -> None:
    found = parity.differences(page.load("zh", path), page.load("en", path))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("path", [path for path in PAGES if path.suffix == ".py"], ids=str)
def test_a_notebook_has_the_same_code_in_both_languages(path: Path) -> None:
    zh, en = (
        page.code_of_notebook((page.DOCS / language / path).read_text(encoding="utf-8"))
        for language in LANGUAGES
    )
    assert zh == en


@pytest.mark.parametrize("path", IN_BOTH)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rule", [prose.typed_numbers, prose.forbidden_terms, prose.typography])
def test_the_prose_keeps_the_rules(
    rule: Callable[[Page], list[str]], language: Language, path: Path
) -> None:
    found = rule(page.load(language, path))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("path", IN_BOTH)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_heading_has_an_anchor_of_its_own(language: Language, path: Path) -> None:
    headings = page.load(language, path).sections[1:]
    anchors = [section.anchor for section in headings if section.level > 1]
    assert None not in anchors, [h.line for h in headings if h.level > 1 and not h.anchor]
    assert len(set(anchors)) == len(anchors)
    # A demo's element has the demo's name as its id.
    demos = {name for one in headings for kind, name in one.asks if kind == "demo"}
    assert not demos & set(anchors), "give the heading another anchor than the demo's name"


TWIN = """---
description: x
---
# 题 { #title }

/// figure | lookup-flow
图。
///

## 节 { #one }

用 $q$ 和 {value: engineer.d_k | d} 共 3 步，见[这里](other.md)。

```pycon
>>> 1
1
```

| a | b |
|---|---|
| c | d |

??? hint "提示"

    看。
"""


@pytest.mark.parametrize(
    ("wanted", "was", "becomes"),
    [
        ("heading", "{ #one }", "{ #two }"),
        ("heading", "## 节", "### 节"),
        ("snippet", ">>> 1", ">>> 2"),
        ("formula", "$q$", "$k$"),
        ("figure", "lookup-flow", "training"),
        ("inline value", "d_k | d", "d_v | d"),
        ("table", "| c | d |", "| c | d |\n| e | f |"),
        ("link", "other.md", "index.md"),
        ("numeral", "3 步", "4 步"),
        ("folded", "??? hint", "??? answer"),
    ],
)
def test_a_page_that_differs_from_its_twin_is_found(wanted: str, was: str, becomes: str) -> None:
    assert parity.differences(parsed("zh", TWIN), parsed("en", TWIN)) == []
    found = parity.differences(parsed("zh", TWIN), parsed("en", TWIN.replace(was, becomes)))
    assert len(found) == 1
    assert wanted in found[0]
    assert "page.md:" in found[0]


@pytest.mark.parametrize(
    "text",
    [
        "权重是 0.70。",
        "It is 72% of all.",
        "占 72 % 的情况",
        "| 0.5 | x |",
        "It rises to 1.25, then falls.",
        "It has a weight of 0.70.",
        "It is −0.70.",
    ],
)
def test_a_typed_number_is_found(text: str) -> None:
    assert len(prose.typed_numbers(parsed("zh", text))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "{value: engineer.weight('engineer', 'in') | .2f}",
        "$0.5 x$",
        "`0.5`",
        "2017 年的论文有 3 节",
        "见 arXiv:1706.03762",
        "https://example.org/1.5/x",
        "see section 3.2.3",
    ],
)
def test_a_number_with_a_source_passes(text: str) -> None:
    assert prose.typed_numbers(parsed("zh", text)) == []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("zh", "每个令牌"),
        ("zh", "它的键值是"),
        ("zh", "注意力概率"),
        ("zh", "点乘之后"),
        ("en", "the attention probabilities sum to 1"),
        ("en", "self attention"),
    ],
)
def test_a_forbidden_term_is_found_with_page_and_line(language: Language, text: str) -> None:
    (found,) = prose.forbidden_terms(parsed(language, f"\n{text}"))
    assert found.startswith(f"docs/{language}/page.md:2: ")


@pytest.mark.parametrize(
    "text", ["键值缓存（KV cache）", "注意力权重", "self-attention", "缩放点积注意力"]
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_proper_term_passes(language: Language, text: str) -> None:
    assert prose.forbidden_terms(parsed(language, text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "查询query 是",
        "有3 个",
        "得到$q$ 之后",
        "查询,键",
        "查询(query)",
        '他说"查询"',
        "「查询」",
        "查询 ，键",
        "“查询",
        "查 询",
        "您看",
    ],
)
def test_a_breach_of_chinese_typography_is_found(text: str) -> None:
    assert prose.typography(parsed("zh", text))


@pytest.mark.parametrize(
    "text",
    [
        "查询（query）是“问题”，键（key）是 3 个。",
        "得到 $q$ 之后，用 `softmax` 归一。",
        "**查询**{ .query }：你在找什么？",
        "| 查询 | key | 值 |",
        "- 查询：见[第 2 节](a.md#b)。",
        "## 一座图书馆 { #library }",
    ],
)
def test_good_chinese_typography_passes(text: str) -> None:
    assert prose.typography(parsed("zh", text)) == []
