"""Tables for those who hear them: what each one is of, and what each head is the head of."""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

import html5lib
import pytest

from qkvdocs.site.tables import improved_tables
from tests.site.build import Built

HTML = "{http://www.w3.org/1999/xhtml}"
SCOPES = ("row", "col", "rowgroup", "colgroup")


def text(element: Element | None) -> str:
    return "" if element is None else " ".join("".join(element.itertext()).split())


def faults(html: str) -> Iterator[str]:
    """Yield what is missing in the tables of a page that hold data."""
    tree = html5lib.parse(html)
    by_id = {element.get("id"): element for element in tree.iter()}
    for table in tree.iter(f"{HTML}table"):
        if table.get("role") == "presentation":
            continue
        names = [table.get("aria-label") or "", text(table.find(f"{HTML}caption"))]
        names += [text(by_id.get(each)) for each in table.get("aria-labelledby", "").split()]
        if not any(names):
            yield f"a table without a name: {text(table)[:60]}"
        for head in table.iter(f"{HTML}th"):
            if head.get("scope") not in SCOPES:
                yield f"a head without a scope: {text(head)}"


def test_every_table_has_a_name_and_its_heads_a_scope(built: Built) -> None:
    pages = [(path, (built.site / path).read_text(encoding="utf-8")) for path in built.pages()]
    assert [f"{path}: {fault}" for path, html in pages for fault in faults(html)] == []
    assert sum(html.count("<table") for _, html in pages) > 400


@pytest.mark.parametrize(
    ("html", "fault"),
    [
        ("<table><tr><td>1</table>", "a table without a name: 1"),
        ('<table aria-labelledby="gone"><tr><td>1</table>', "a table without a name: 1"),
        ("<table><caption></caption><tr><td>1</table>", "a table without a name: 1"),
        ('<table aria-label="a"><tr><th>b</table>', "a head without a scope: b"),
    ],
)
def test_what_is_missing_is_found(html: str, fault: str) -> None:
    assert list(faults(html)) == [fault]


def test_a_table_is_named_by_the_heading_above_it_without_its_link_and_the_tex() -> None:
    heading = (
        '<h2 id="d">Width <math><mi>d</mi><annotation>d</annotation></math> &amp; "depth"'
        '<a class="headerlink" href="#d">¶</a></h2>'
    )
    html = improved_tables(f"{heading}<table><tr><td>1</td></tr></table>")
    assert 'aria-label="Width d &amp; &quot;depth&quot;"' in html


def test_a_second_table_below_a_heading_and_one_below_a_title_have_names_of_their_own() -> None:
    table = "<table><tr><td>1</td></tr></table>"
    title = '<span class="doc-section-title">Returns:</span>'
    html = improved_tables(f"<h2>softmax</h2>{table}{table}{title}{table}<h2>mask</h2>{table}")
    tables = list(html5lib.parse(html).iter(f"{HTML}table"))
    names = [each.get("aria-label") for each in tables]
    assert names == ["softmax", "softmax · 2", "softmax · Returns", "mask"]


def test_the_scope_that_an_author_wrote_stays() -> None:
    html = improved_tables('<table><tr><th scope="row">a</th><th>b</th></tr></table>')
    assert re.findall(r'scope="\w+"', html) == ['scope="row"', 'scope="col"']


def test_each_cell_says_whether_its_column_has_single_words_or_whole_phrases() -> None:
    rows = [["词元", "A token that asks another", "n"], ["工程师", "x", "0.25"], ["加州", "y", ""]]
    assert sizes(rows) == [["words", "", "words"]] * 3
    assert sizes([["加州加州加州"], ["1"]]) == [[""], [""]]
    wide = [[*row, "1", "2"] for row in rows]
    assert sizes(wide) == [["words", "phrases", "words", "words", "words"]] * 3
    assert 'class="a"' in improved_tables('<table><tr><td class="a">1</td></tr></table>')
    assert "words" not in improved_tables('<table><tr><td class="a">1</td></tr></table>')


def sizes(rows: list[list[str]]) -> list[list[str]]:
    cells = ("".join(f"<td>{text}</td>" for text in row) for row in rows)
    html = improved_tables(f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>")
    found = html5lib.parse(html).iter(f"{HTML}tr")
    return [
        [(cell.get("class") or "").removeprefix("qkv-table__") for cell in row] for row in found
    ]
