"""Formulas: TeX in, MathML out, and everything that only looks like a formula left alone."""

import pytest
from markdown import Markdown

from tests.markdown.convert import COMPANY, PAGE, convert, converter, refused

Q = (
    "<math><semantics><mi>q</mi>"
    '<annotation encoding="application/x-tex" data-search-exclude="">q</annotation>'
    "</semantics></math>"
)


def test_an_inline_formula_is_mathml_with_its_source() -> None:
    assert convert("the $q$ asks") == f"<p>the {Q} asks</p>"


def test_a_paragraph_of_one_formula_is_a_paragraph() -> None:
    assert convert("$q$") == f"<p>{Q}</p>"


@pytest.mark.parametrize(
    ("source", "kept", "rest"),
    [
        ("问 $q$，答", f"{Q}，", "答"),
        ("“$q$”。答", f"“{Q}”。", "答"),
        ("（$q$）答", f"（{Q}）", "答"),
        ("is ($q$), so", f"({Q}),", " so"),
        ("of $q$: so", f"{Q}:", " so"),
    ],
)
def test_a_formula_stays_on_the_line_of_its_punctuation(source: str, kept: str, rest: str) -> None:
    assert f'<span class="qkv-unbroken">{kept}</span>{rest}' in convert(source)


def test_a_display_formula_is_a_named_box_that_can_be_focused() -> None:
    display = Q.replace("<math>", '<math display="block">')
    box = '<div aria-label="{}" class="qkv-math" role="group" tabindex="0">' + display + "</div>"
    assert convert("$$\nq\n$$") == box.format("Formula")
    assert convert("$$q$$", language="zh") == box.format("公式")


def test_a_display_formula_parts_the_text_around_it() -> None:
    html = convert("before\n$$\nq\n$$\nafter")
    assert html.startswith("<p>before</p>\n<div")
    assert html.endswith("</div>\n<p>after</p>")


@pytest.mark.parametrize("macro, css", [("query", "query"), ("key", "key"), ("val", "value")])
def test_a_role_colours_its_part_of_the_formula_by_class(macro: str, css: str) -> None:
    html = convert(rf"$\{macro}{{x}}_i$")
    assert f'<msub><mrow class="{css}"><mi>x</mi></mrow><mi>i</mi></msub>' in html
    assert "style" not in html
    assert rf"\{macro}{{x}}_i</annotation>" in html


def test_chinese_text_stands_in_a_formula() -> None:
    assert "<mtext>查询</mtext>" in convert(r"$\text{查询}$")


def test_alignment_and_comparison_survive_the_html_parser() -> None:
    html = convert("$$\n\\begin{aligned}\na &= b \\\\\nc &<d>e\n\\end{aligned}\n$$")
    assert html.count("<mtr>") == 2
    assert "<mo>&lt;</mo><mi>d</mi><mo>&gt;</mo>" in html
    assert "c &amp;&lt;d&gt;e\n\\end{aligned}</annotation>" in html


def test_a_line_of_a_formula_that_looks_like_a_tag_is_none() -> None:
    assert "<mo>&gt;</mo><mi>b</mi>" in convert("$$\na\n<p>b\n$$")
    assert "a\n<p>b" in convert("<div>\n$$\na\n<p>b\n$$\n</div>")


def test_a_bar_in_a_formula_does_not_part_a_cell() -> None:
    html = convert("| a | b |\n|---|---|\n| $p(q|k)$ | $x$ |")
    assert html.count("<td>") == 2
    assert "p(q|k)</annotation>" in html


@pytest.mark.parametrize(
    "text",
    ["# Title $q$", "*a $q$ b*", "**$q$**", "- item $q$", "> $q$", '??? hint "$q$"\n    text',
     "[a $q$](x.md)", "term\n:   $q$", '<div markdown="1">\n$q$\n</div>', "a[^1]\n\n[^1]: $q$"],
)  # fmt: skip
def test_a_formula_stands_anywhere(text: str) -> None:
    assert Q in convert(text)


def test_underscores_and_stars_in_formulas_are_no_emphasis() -> None:
    html = convert("$a_i$ and $b_i * c * d$")
    assert "<em>" not in html
    assert "b_i * c * d</annotation>" in html


@pytest.mark.parametrize(
    "text, html",
    [
        ("$5 and $6", "<p>$5 and $6</p>"),
        ("$5 in the $ sign", "<p>$5 in the $ sign</p>"),
        ("a $ or b$ or", "<p>a $ or b$ or</p>"),
        ("$5/$6", "<p>$5/$6</p>"),
        (r"\$q\$", "<p>$q$</p>"),
        (r"\$q", "<p>$q</p>"),
        ("`$q$`", "<p><code>$q$</code></p>"),
        ("`$a|b<c&d$`", "<p><code>$a|b&lt;c&amp;d$</code></p>"),
        ("costs $6, see `x$`", "<p>costs $6, see <code>x$</code></p>"),
    ],
)
def test_what_is_no_formula_is_left_alone(text: str, html: str) -> None:
    assert convert(text) == html


@pytest.mark.parametrize("text", ["```text\n$a|b$\n$$c<d$$\n```", "para\n\n    $a|b$\n    $$c<d$$"])
def test_code_blocks_keep_their_dollars(text: str) -> None:
    html = convert(text)
    assert "$a|b$\n$$c&lt;d$$" in html
    assert "<math" not in html


def test_an_html_comment_keeps_its_characters() -> None:
    assert convert("<!-- $a|b<c$ -->") == "<!-- $a|b<c$ -->"


def test_a_heading_with_a_formula_has_a_plain_entry_in_the_contents() -> None:
    md = converter()
    html = md.convert("## Why $W^Q$ { #why }")
    assert md.toc_tokens[0]["name"] == "Why WQ"
    assert md.toc_tokens[0]["id"] == "why"
    assert "<msup><mi>W</mi><mi>Q</mi></msup>" in html


def test_an_explicit_entry_in_the_contents_stays() -> None:
    md = converter()
    md.convert('## Why $W^Q$ { #why data-toc-label="The projection" }')
    assert md.toc_tokens[0]["name"] == "The projection"


def test_a_formula_can_hold_a_computed_number() -> None:
    html = convert('$x = {value: engineer.score("engineer", "engineer") | .1f}$')
    assert "x = -2.0</annotation>" in html
    assert "<mn>2.0</mn>" in html


def test_tex_that_does_not_parse_stops_the_build() -> None:
    refused("fine $q$\n\nbad $\\frac{a$", 3, "wanted TeX", r"got \frac{a: ", "reached end of input")


def test_a_bad_display_formula_names_the_line_inside_it() -> None:
    text = "first\n\n$$\na = b\n\\text{查询} \\nosuch\n$$"
    refused(text, 5, r"Unknown command", "nosuch")


def test_a_bad_formula_is_found_in_indented_text_and_not_in_code() -> None:
    text = '```text\n$\\nosuch$\n```\n\n??? answer "A"\n    text\n\n    $$\n    \\nosuch\n    $$'
    refused(text, 9, "nosuch")


@pytest.mark.parametrize("bad", ["$}$", "$$\n}\n$$"])
def test_a_bad_formula_is_not_sought_in_other_text(bad: str) -> None:
    refused(f"a }} b\n\n`$}}$`\n\n{bad}", 5 + bad.count("\n") // 2, "Unmatched")


def test_a_bad_formula_counts_the_front_matter() -> None:
    refused(r"$\nosuch$", 5, "nosuch", first_line=4)


def test_a_display_formula_that_does_not_close_stops_the_build() -> None:
    refused("text\n\n$$\na\n\nb\n$$", 3, "no second $$")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("the $x", "$x"),
        ("the $x $", "$x $"),
        ("the $\\frac{1}{2}", "$\\frac{1}{2}"),
        ("the $(a + b)", "$(a + b)"),
        ("$q$ and **the $x**\n\nthe end$", "$x**"),
        ("- `$x$` and $x of {value: engineer.name}", "$x of"),
        ("| a | b |\n|---|---|\n| $q$ | $z |", "$z"),
        ("## The $x", "$x"),
    ],
)
def test_a_formula_within_a_line_that_does_not_close_stops_the_build(
    text: str, written: str
) -> None:
    line = 3 + next(i for i, each in enumerate(text.split("\n")) if written in each)
    refused(f"first $x$\n\n{text}", line, f"no second $ in the paragraph of {written!r}: close it")


def test_the_extension_runs_alone_and_by_its_name() -> None:
    md = Markdown(extensions=["qkvdocs"], extension_configs={"qkvdocs": {"language": "en"}})
    assert md.convert("$q$") == f"<p>{Q}</p>"


def test_the_order_of_extensions_makes_no_difference() -> None:
    text = '| a |\n|---|\n| $p(q|k)$ |\n\n??? hint "h"\n    ```pycon\n    >>> 1\n    1\n    ```\n'
    first = Markdown(extensions=["qkvdocs", *COMPANY], extension_configs={"qkvdocs": PAGE})
    assert first.convert(text) == convert(text)
