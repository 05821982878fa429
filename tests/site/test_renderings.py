"""What builds keep of rendered pages: the same page, and never one that has become wrong."""

from collections.abc import Callable
from pathlib import Path

import pytest
from material.plugins.search.plugin import SearchIndex
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort
from mkdocs.structure.pages import Page

from qkvdocs.site import renderings

CONFIG = """
site_name: zh
docs_dir: docs/zh
theme: {name: material, font: false}
nav: [index.md, note.md]
plugins:
  search: {lang: zh}
  autorefs: {link_titles: false}
  mkdocstrings:
    enable_inventory: false
    handlers: {python: {options: {docstring_style: numpy, heading_level: 3}}}
  qkvdocs: {language: zh, also_build: "", offline: false}
markdown_extensions:
  attr_list: {}
  toc: {permalink: true}
  qkvdocs: {terms: false}
validation: {anchors: warn}
"""
LINKS = "[a part](note.md#part), [softmax][qkvdocs.attention.softmax]"
INDEX = f"# Index\n\n注意力看查询，$x^2$ and {LINKS}\n"
NOTE = "# Note\n\n## A part {{ #{anchor} }}\n\n::: qkvdocs.attention.softmax\n"
# All four pages; English is there for its twins alone.
PAGES = {"index.md": INDEX, "note.md": NOTE.format(anchor="part")}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")
    (tmp_path / "mkdocs.yml").write_text(CONFIG, encoding="utf-8")
    for language in ("zh", "en"):
        for name, text in PAGES.items():
            write(tmp_path, language, name, text)
    return tmp_path


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pages that MkDocs has rendered, in their order."""
    names: list[str] = []
    render = Page.render

    def noted(page: Page, *arguments: object) -> None:
        names.append(page.file.src_uri)
        render(page, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Page, "render", noted)
    return names


@pytest.fixture
def indexed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pages that Material has read for its search index, in their order."""
    names: list[str] = []
    add = SearchIndex.add_entry_from_context

    def noted(index: SearchIndex, page: Page) -> None:
        names.append(page.file.src_uri)
        add(index, page)

    monkeypatch.setattr(SearchIndex, "add_entry_from_context", noted)
    return names


def write(project: Path, language: str, name: str, text: str) -> None:
    path = project / "docs" / language / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"---\ndescription: a page\n---\n\n{text}", encoding="utf-8")


def built(project: Path, *, strict: bool = True) -> dict[str, bytes]:
    """Build, and return the contents of all files."""
    config = load_config(config_file=str(project / "mkdocs.yml"), strict=strict)
    config.plugins.on_startup(command="build", dirty=False)
    build(config)
    site = project / "site"
    return {
        path.relative_to(site).as_posix(): path.read_bytes()
        for path in site.rglob("*")
        if path.is_file()
    }


def test_a_build_that_recalls_its_pages_writes_the_same_site(
    project: Path, rendered: list[str], indexed: list[str]
) -> None:
    first = built(project)
    assert rendered == indexed == ["index.md", "note.md"]
    assert built(project) == first
    assert rendered == indexed == ["index.md", "note.md"]
    assert b"\\u200b" in first["search/search_index.json"]
    assert b'href="note/#qkvdocs.attention.softmax"' in first["index.html"]


def test_search_finds_what_was_edited(project: Path, indexed: list[str]) -> None:
    built(project)
    indexed.clear()
    write(project, "zh", "index.md", f"{INDEX}\nnovelty\n")
    assert b"novelty" in built(project)["search/search_index.json"]
    assert indexed == ["index.md"]


def edit_the_note(project: Path, _: pytest.MonkeyPatch) -> None:
    write(project, "zh", "note.md", f"{PAGES['note.md']}\nMore.\n")


def add_a_page(project: Path, _: pytest.MonkeyPatch) -> None:
    for language in ("zh", "en"):
        write(project, language, "more.md", "# More\n")
    config = project / "mkdocs.yml"
    config.write_text(CONFIG.replace("note.md]", "note.md, more.md]"), encoding="utf-8")


def set_an_extension(project: Path, _: pytest.MonkeyPatch) -> None:
    text = CONFIG.replace("permalink: true", 'permalink: "#"')
    (project / "mkdocs.yml").write_text(text, encoding="utf-8")


def edit_the_package(project: Path, patch: pytest.MonkeyPatch) -> None:
    package = project / "package"
    package.mkdir()
    (package / "labels.toml").write_text("[label]\n", encoding="utf-8")
    patch.setattr(renderings, "_PACKAGE", package)


def install_a_package(project: Path, patch: pytest.MonkeyPatch) -> None:
    (project / "packages" / "math_core-9.9.9.dist-info").mkdir(parents=True)
    patch.syspath_prepend(str(project / "packages"))


@pytest.mark.parametrize(
    ("change", "again"),
    [
        (edit_the_note, ["note.md"]),
        (add_a_page, ["index.md", "note.md", "more.md"]),
        (set_an_extension, ["index.md", "note.md"]),
        (edit_the_package, ["index.md", "note.md"]),
        (install_a_package, ["index.md", "note.md"]),
    ],
)
def test_a_page_is_rendered_again_when_what_it_is_made_from_changes(
    project: Path,
    rendered: list[str],
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[Path, pytest.MonkeyPatch], None],
    again: list[str],
) -> None:
    built(project)
    change(project, monkeypatch)
    rendered.clear()
    built(project)
    assert sorted(rendered) == sorted(again)


def test_a_recalled_page_misses_the_anchor_that_another_page_has_lost(project: Path) -> None:
    built(project)
    write(project, "zh", "note.md", NOTE.format(anchor="other"))
    with pytest.raises(Abort, match="1 warnings"):
        built(project)


def test_a_page_with_a_warning_warns_in_each_build(
    project: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write(project, "zh", "index.md", "# Index\n\n[nowhere](nowhere.md)\n")
    for _ in range(2):
        caplog.clear()
        built(project, strict=False)
        assert "nowhere.md" in caplog.text
