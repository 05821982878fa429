"""Every snippet and every example of a docstring runs, alone, and prints what it shows."""

import doctest
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import qkvdocs
from qkvdocs.languages import LANGUAGES
from qkvdocs.markdown.errors import PageError
from qkvdocs.markdown.snippet import Snippet, check, snippet_of, snippets_in
from tests.content import page

ROOT = Path(__file__).parents[2]


def snippets_of_pages() -> Iterator[Snippet]:
    for language in LANGUAGES:
        for path in page.paths(language):
            if path.suffix == ".md":
                text = (page.DOCS / language / path).read_text(encoding="utf-8")
                yield from snippets_in(text, f"docs/{language}/{path.as_posix()}")


def snippets_of_demos() -> Iterator[Snippet]:
    for path in sorted((ROOT / "qkvdocs" / "demos").glob("*/snippet.pycon")):
        yield snippet_of(path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix())


def examples_of_docstrings() -> Iterator[tuple[doctest.DocTest, dict[str, object]]]:
    """Each docstring that has examples, with the public names of its module."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    for found in pkgutil.walk_packages(qkvdocs.__path__, "qkvdocs."):
        module = importlib.import_module(found.name)
        public = {name: value for name, value in vars(module).items() if name[0] != "_"}
        for test in finder.find(module, globs={}):
            if test.examples:
                yield test, public


SNIPPETS = [*snippets_of_pages(), *snippets_of_demos()]
DOCSTRINGS = list(examples_of_docstrings())


@pytest.mark.parametrize("snippet", SNIPPETS, ids=lambda s: f"{s.path}:{s.line}")
def test_a_snippet_prints_what_the_page_shows(snippet: Snippet) -> None:
    check(snippet)


@pytest.mark.parametrize(("test", "names"), DOCSTRINGS, ids=lambda t: getattr(t, "name", ""))
def test_an_example_of_a_docstring_prints_what_it_shows(
    test: doctest.DocTest, names: dict[str, object]
) -> None:
    test.globs = dict(names)
    doctest.DebugRunner(verbose=False).run(test)


def test_no_example_is_left_out() -> None:
    """Each prompt in the sources belongs to a snippet or a docstring that was run."""
    ran = sum(len(snippet.examples) for snippet in SNIPPETS)
    ran += sum(len(test.examples) for test, _ in DOCSTRINGS)
    files = [*ROOT.glob("docs/*/**/*.md"), *ROOT.glob("qkvdocs/demos/*/snippet.pycon")]
    files += [path for path in ROOT.glob("qkvdocs/**/*.py")]
    prompts = sum(
        len(re.findall(r"^\s*>>> ", path.read_text(encoding="utf-8"), re.MULTILINE))
        for path in files
    )
    assert ran == prompts
    assert ran > 200


def test_every_formula_has_a_snippet_in_its_section() -> None:
    """A display formula is followed by code that computes it, in the section it stands in."""
    for language in LANGUAGES:
        for path in page.paths(language):
            if path.parts[0] not in {"lessons", "notes"}:
                continue
            for section in page.load(language, path).sections:
                announced = section.anchor == "next"  # the next lesson computes it
                if not section.snippets and not announced:
                    assert not section.displayed, (
                        f"docs/{language}/{path}:{section.line}, {section.name}: wanted a snippet "
                        "that computes this formula; got none in its section"
                    )


@pytest.mark.parametrize("broken", [">>> 1 + 1\n3\n", ">>> 1 / 0\n", ">>> print(2 / 3)\n0.667\n"])
def test_a_wrong_output_is_found_with_its_line(broken: str) -> None:
    snippet = snippet_of(f">>> 1\n1\n{broken}", "docs/en/page.md", line=40)
    with pytest.raises(PageError, match=r"docs/en/page\.md:42: "):
        check(snippet)
