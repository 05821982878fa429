"""The page for authors shows the project's own code, and the messages that authors really get."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from qkvdocs.course import lessons
from qkvdocs.languages import LANGUAGES, Language
from qkvdocs.markdown import PageError
from qkvdocs.markdown.cache import Cache
from qkvdocs.site.encoding import not_utf8
from qkvdocs.site.front_matter import unread_front_matter
from qkvdocs.site.lab_run import run_lab
from qkvdocs.site.lab_source import LabError, lab_of
from tests.content import page, parity, prose
from tests.content.test_lessons import missing_neighbours, unlisted_questions, unwritten
from tests.markdown.convert import convert

ROOT = Path(__file__).parents[2]

CODE = re.compile(r"^```python\n# (?P<path>\S+)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| `(?P<message>[^`]+)` \|", re.MULTILINE)
OMISSION = "...\n"


def source(language: Language) -> str:
    return (page.DOCS / language / "authors.md").read_text(encoding="utf-8")


def parsed(language: Language, text: str, name: str = "lessons/02-qkv-lookup.md") -> page.Page:
    return page.parse(language, Path(name), text)


def refusal(text: str) -> list[str]:
    with pytest.raises(PageError) as caught:
        convert(text)
    return [str(caught.value)]


def lab_refusal(text: str) -> list[str]:
    with pytest.raises(LabError) as caught:
        run_lab(lab_of(text, "one", "docs/en/labs/one.py"), Cache(None))
    return [str(caught.value)]


def difference(en: str) -> list[str]:
    return parity.differences(parsed("zh", "## 节 { #one }\n\n$q$"), parsed("en", en))


def unlisted() -> list[str]:
    return unlisted_questions(parsed("en", "## Why? { #q-why }"), parsed("en", "", "questions.md"))


def encoding_refusal() -> list[str]:
    with TemporaryDirectory() as folder:
        (Path(folder) / "a.md").write_bytes(b"\xe9")
        return [str(not_utf8([Path(folder)], Path(folder)))]


FAULTS: dict[str, Callable[[], list[str]]] = {
    "encoding": encoding_refusal,
    "front matter": lambda: [str(unread_front_matter("---\na: b: c\n---\n"))],
    "figure": partial(refusal, "/// figure | lookup-flw\nc\n///"),
    "caption": partial(refusal, "/// figure | lookup-flow\n///"),
    "demo": partial(refusal, "/// demo | steper\n///"),
    "block": partial(refusal, "/// figur | x\n///"),
    "slashes": partial(refusal, "// figure | lookup-flow\nc\n//"),
    "unclosed block": partial(refusal, "/// figure | lookup-flow\nc"),
    "TeX": partial(refusal, r"$\fracc{1}{2}$"),
    "unclosed formula": partial(refusal, "the $x"),
    "unclosed display formula": partial(refusal, "$$\nx"),
    "display formula within a line": partial(refusal, "the $$x$$"),
    "value": partial(refusal, "{value: enginer.d_k}"),
    "output": partial(refusal, "```pycon\n>>> 1 + 1\n3\n```"),
    "no prompt": partial(refusal, "```pycon\nx = 1\n```"),
    "unclosed fence": partial(refusal, "```pycon\n>>> 1\n1"),
    "doctest option": partial(refusal, "```pycon\n>>> 1  # doctest: +SKIP\n1\n```"),
    "import": partial(refusal, "```pycon\n>>> import matplotlib\n```"),
    "NumPy's text": partial(refusal, "```pycon\n>>> print('array([1])')\narray([1])\n```"),
    "lost words": partial(refusal, "```pycon\nwords\n>>> 1\n1\n```"),
    "prompts that nobody runs": partial(refusal, "```python\n>>> 1\n1\n```"),
    "mistyped value": partial(refusal, "{Value: engineer.name}"),
    "cell that fails": partial(lab_refusal, "# %%\n1 / 0\n"),
    "no cell": partial(lab_refusal, "print(1)\n\n# %%\n"),
    "no comment": partial(lab_refusal, "# %% [markdown]\n# A\nprint(1)\n"),
    "not for Jupyter": partial(lab_refusal, "# %% [markdown]\n# {value: x}\n"),
    "heading": partial(difference, "## S { #two }\n\n$q$"),
    "formula in one language": partial(difference, "## S { #one }"),
    "typed number": lambda: prose.typed_numbers(parsed("zh", "权重是 0.70。")),
    "term": lambda: prose.forbidden_terms(parsed("zh", "每个令牌")),
    "space": lambda: prose.typography(parsed("zh", "有3 个")),
    "quotation mark": lambda: prose.typography(parsed("zh", "“查询")),
    "unwritten": lambda: unwritten("docs/en/page.md", "TODO: a"),
    "neighbour": lambda: missing_neighbours(parsed("en", ""), "02", lessons())[:1],
    "question": unlisted,
}

# Said by an assertion of a test that goes through all pages.
FORMULA = "wanted a snippet that computes this formula; got none in its section"


def pattern(message: str) -> re.Pattern[str]:
    """Return what a row of the table stands for; … is whatever comes between."""
    parts = [re.escape(part.strip()) for part in message.split("…")]
    return re.compile(r"\s*.*?\s*".join(parts), re.DOTALL)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("fault", FAULTS)
def test_each_message_has_one_row(language: Language, fault: str) -> None:
    (message,) = FAULTS[fault]()
    rows = ROW.findall(source(language))
    assert len([row for row in rows if pattern(row).search(message)]) == 1, message


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_row_is_a_message_that_is_given(language: Language) -> None:
    messages = [message for fault in FAULTS.values() for message in fault()] + [FORMULA]
    rows = ROW.findall(source(language))
    assert len(rows) == len(messages)
    for row in rows:
        assert any(pattern(row).search(message) for message in messages), row


def test_a_row_with_other_words_is_found() -> None:
    (message,) = FAULTS["figure"]()
    assert pattern("wanted a figure, one of …; got 'lookup-flw'").search(message)
    assert not pattern("wanted a picture, one of …; got 'lookup-flw'").search(message)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_code_of_the_example_is_that_of_the_project(language: Language) -> None:
    shown = CODE.findall(source(language))
    assert len(shown) == source(language).count("```python") == 4
    for path, code in shown:
        kept = (ROOT / path).read_text(encoding="utf-8")
        for part in code.split(OMISSION):
            assert part in kept, f"docs/{language}/authors.md: not in {path} as it stands:\n{part}"
