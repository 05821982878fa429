"""Snippets: a doctest in, code and output out; what it promises must be what it prints."""

from pathlib import Path

import pytest

from qkvdocs.markdown import PageError, snippet
from qkvdocs.markdown.snippet import check, snippet_of, snippets_in
from tests.markdown.convert import convert, refused

FENCE = "```pycon\n>>> x = 1\n>>> x + 1\n2\n```"

HTML = (
    '<div class="qkv-snippet"><div class="highlight"><pre><span></span><code>'
    'x = <span class="m">1</span>\n'
    'x + <span class="m">1</span>\n'
    "</code></pre></div>\n"
    '<div class="qkv-snippet__label" aria-hidden="true" data-search-exclude>Output</div>\n'
    '<pre class="qkv-snippet__output" role="group" aria-label="Output" tabindex="0">'
    "<samp>2\n</samp></pre></div>"
)


def indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.split("\n"))


def test_a_snippet_is_code_without_prompts_and_its_output() -> None:
    assert convert(FENCE) == HTML


def test_the_output_is_named_in_the_language_of_the_page() -> None:
    assert 'aria-label="输出"' in convert(FENCE, language="zh")


def test_a_snippet_without_output_is_code_alone() -> None:
    html = convert("```pycon\n>>> x = 1\n```")
    assert "qkv-snippet__output" not in html
    assert html.startswith('<div class="qkv-snippet">')


@pytest.mark.parametrize("mark", ["```", "~~~", "````"])
@pytest.mark.parametrize("info", ["pycon", " pycon", "{ .pycon }"])
def test_a_snippet_opens_like_any_fence(mark: str, info: str) -> None:
    assert convert(f"{mark}{info}\n>>> x = 1\n>>> x + 1\n2\n{mark}") == HTML


@pytest.mark.parametrize(
    "before", ['??? answer "A"\n\n', '!!! note "N"\n', "- item\n\n", "1. item\n\n"]
)
def test_a_snippet_stands_in_indented_text(before: str) -> None:
    html = convert(f"{before}{indented(FENCE)}\n")
    assert HTML in html
    assert "<p></p>" not in html


def test_a_snippet_stands_in_a_quote() -> None:
    quoted = "\n".join(f"> {line}" for line in FENCE.split("\n"))
    assert HTML in convert(f"> text\n>\n{quoted}")


def test_code_and_output_are_escaped() -> None:
    html = convert("```pycon\n>>> print('<b>&')\n<b>&\n```")
    assert "<samp>&lt;b&gt;&amp;\n</samp>" in html
    assert "<b>" not in html


def test_dollars_and_values_in_a_snippet_are_code() -> None:
    html = convert("```pycon\n>>> print('$q$ {value: x}')\n$q$ {value: x}\n```")
    assert "<samp>$q$ {value: x}\n</samp>" in html


def test_a_blank_line_of_output_is_blank() -> None:
    html = convert("```pycon\n>>> print('a\\n\\nb')\na\n<BLANKLINE>\nb\n```")
    assert "<samp>a\n\nb\n</samp>" in html


def test_each_snippet_has_a_namespace_of_its_own() -> None:
    refused(f"{FENCE}\n\n```pycon\n>>> x\n1\n```", 8, "NameError", "'x'")


def test_other_output_stops_the_build_on_the_line_of_the_example() -> None:
    text = "text\n\n```pycon\n>>> 1 + 1\n2\n>>> round(2 / 3, 3)\n0.667\n>>> 3\n4\n```"
    refused(text, 8, "wanted this from '3':\n4\n", "got:\n3\n", first_line=0)
    refused(text, 11, "wanted", first_line=3)


@pytest.mark.parametrize(
    "promised", ["0.66", "0.6666666666666667", "0.667 ", " 0.667", "...", "", "'0.667'"]
)
def test_output_is_compared_to_the_letter(promised: str) -> None:
    refused(f"```pycon\n>>> round(2 / 3, 3)\n{promised}\n```", 2, "got:\n0.667")


def test_one_is_not_true() -> None:
    refused("```pycon\n>>> 1 == 1\n1\n```", 2, "got:\nTrue")


def test_a_doctest_option_is_refused() -> None:
    refused("```pycon\n>>> 1  # doctest: +ELLIPSIS\n...\n```", 2, "to the letter")


def test_an_expected_error_is_output() -> None:
    text = (
        "```pycon\n>>> 1 / 0\nTraceback (most recent call last):\n"
        "ZeroDivisionError: division by zero\n```"
    )
    assert "ZeroDivisionError: division by zero" in convert(text)


def test_an_error_in_indented_text_names_its_line() -> None:
    refused(f'??? answer "A"\n\n{indented(FENCE.replace("2", "3"))}', 5, "got:\n2")


def test_a_fence_without_a_prompt_is_refused() -> None:
    refused("a\n\n```pycon\n1 + 1\n```", 4, ">>>")


def test_a_prompt_without_a_blank_is_refused() -> None:
    refused("```pycon\n>>> 1\n1\n>>>1\n1\n```", 4, "wanted a doctest", "lacks blank")


@pytest.mark.parametrize(
    "text",
    ["```pycon\n>>> 1\n1", "- ```pycon\n  >>> 1\n  1\n  ```", "    ```pycon\n  >>> 1\n    ```"],
)
def test_a_fence_that_would_not_be_run_is_refused(text: str) -> None:
    refused(f"text\n\n{text}", 3, "wanted a pycon fence")


@pytest.mark.parametrize(
    "text",
    ["```\n>>> 1\n2\n```", "```python\n\n>>> 1\n2\n```", "> ```PyCon\n> >>> 1\n> 2\n> ```",
     "    >>> 1\n    2"],
)  # fmt: skip
def test_prompts_that_nobody_would_run_are_refused(text: str) -> None:
    refused(f"text\n\n{text}", 3, "wanted", "pycon")


@pytest.mark.parametrize("source", ["import matplotlib.pyplot as plt", "from scipy import linalg"])
def test_an_import_that_the_reader_lacks_is_refused(source: str) -> None:
    refused(f"```pycon\n>>> import numpy, math\n>>> {source}\n```", 3, "reader's browser", "got")


@pytest.mark.parametrize(
    "printed", ["np.float64(0.5)", "array([0.5, 1. ])", "[0.5 1. ]", "[np.int64(1)]", "np.True_"]
)
def test_the_text_of_numpy_is_no_output(printed: str) -> None:
    refused(f"```pycon\n>>> 1\n1\n>>> print('x\\n{printed}')\nx\n{printed}\n```", 6, "NumPy's text")


@pytest.mark.parametrize("text", ["words\n>>> 1\n1", ">>> 1\n1\n\nwords"])
def test_words_that_nobody_would_see_are_refused(text: str) -> None:
    line = 2 + text.split("\n").index("words")
    refused(f"```pycon\n{text}\n```", line, "wanted code", "'words'")


@pytest.mark.parametrize("loop", ["while True: pass", "import time; time.sleep(1000)"])
def test_a_snippet_without_an_end_is_stopped(loop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snippet, "SECONDS", 0.1)
    refused(f"```pycon\n>>> x = 1\n>>> {loop}\n```", 3, "no end within 0.1 s")


def test_a_fence_with_options_is_refused() -> None:
    refused('```pycon title="x"\n>>> 1\n1\n```', 1, "no options")


def test_a_snippet_shown_inside_another_fence_is_not_run() -> None:
    html = convert("````markdown\n```pycon\n>>> 1\n2\n```\n````")
    assert "qkv-snippet" not in html
    assert "pycon" in html


def test_tests_can_collect_the_snippets_of_a_page() -> None:
    found = snippets_in(f'text\n\n{FENCE}\n\n??? answer "A"\n{indented(FENCE)}\n', "a.md", 4)
    assert [(each.path, each.line) for each in found] == [("a.md", 8), ("a.md", 15)]
    assert [example.source for example in found[1].examples] == ["x = 1\n", "x + 1\n"]
    for each in found:
        check(each)


def test_a_collected_snippet_fails_with_its_file_and_line() -> None:
    with pytest.raises(PageError, match=r"^snippet\.pycon:2: "):
        check(snippet_of(">>> x = 1\n>>> 2\n3\n", "snippet.pycon"))


def test_a_snippet_runs_once_for_all_builds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[str] = []
    checked = snippet.check
    monkeypatch.setattr(snippet, "check", lambda it: (runs.append(it.text), checked(it)))
    for _ in range(2):
        assert convert(FENCE, cache=str(tmp_path)) == HTML
    assert len(runs) == 1
    convert(FENCE.replace("x", "y"), cache=str(tmp_path))
    assert len(runs) == 2


def test_a_changed_package_runs_all_snippets_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from qkvdocs.markdown import cache

    runs: list[str] = []
    monkeypatch.setattr(snippet, "check", lambda it: runs.append(it.text))
    convert(FENCE, cache=str(tmp_path))
    monkeypatch.setattr(cache, "code_hash", lambda: "another")
    convert(FENCE, cache=str(tmp_path))
    assert len(runs) == 2


def test_a_failing_snippet_is_not_kept(tmp_path: Path) -> None:
    for _ in range(2):
        refused("```pycon\n>>> 1\n2\n```", 2, "got:\n1", cache=str(tmp_path))


def test_a_block_ends_with_an_empty_line_so_that_it_can_be_pasted_at_a_prompt() -> None:
    text = ">>> def double(x):\n...     return 2 * x\n>>> double(2)\n4\n"
    code = snippet_of(text, "page.md").code
    assert code == "def double(x):\n    return 2 * x\n\ndouble(2)\n"
