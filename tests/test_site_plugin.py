"""The plugin, on a site of two pages in each language."""

import json
import logging
import posixpath
import re
import subprocess
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort, PluginError
from mkdocs.utils import DuplicateFilter

from qkvdocs import course
from qkvdocs.glossary import read as read_glossary
from qkvdocs.site.api_pages import is_api_page
from qkvdocs.site.encoding import not_utf8
from qkvdocs.site.live import LiveBuilder, pass_over_drafts
from qkvdocs.site.maths_font import has_high_roots, maths_characters, maths_font
from qkvdocs.site.plugin import PACKAGE
from qkvdocs.site.twins import absolute_addresses, twin_of

PAGE = "---\ndescription: a page\n---\n\n# {title} {{ #top }}\n\n{text}\n"

CONFIG = """
site_name: zh
site_url: https://example.org/base/
docs_dir: docs/zh
theme: {{name: material, font: false, language: zh, custom_dir: {theme}}}
nav: [index.md, notes/a.md]
plugins:
  qkvdocs: {{language: zh, also_build: mkdocs.en.yml, offline: false}}
markdown_extensions:
  attr_list: {{}}
  tables: {{}}
  qkvdocs: {{terms: false}}
extra: {{alternate: true}}
validation: {{anchors: warn}}
"""

ENGLISH = """
INHERIT: mkdocs.yml
site_name: en
docs_dir: docs/en
theme: {language: en}
plugins:
  qkvdocs: {language: en, also_build: ""}
"""

THEME = Path(__file__).parents[1] / "qkvdocs" / "theme"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose pages differ between the languages in their text alone."""
    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")
    (tmp_path / "mkdocs.yml").write_text(CONFIG.format(theme=THEME), encoding="utf-8")
    (tmp_path / "mkdocs.en.yml").write_text(ENGLISH, encoding="utf-8")
    for language in ("zh", "en"):
        write(tmp_path, language, "index.md", "index", "[a](notes/a.md)")
        write(tmp_path, language, "notes/a.md", "a", f"text in {language}")
    return tmp_path


def write(project: Path, language: str, name: str, title: str, text: str) -> None:
    path = project / "docs" / language / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(PAGE.format(title=title, text=text), encoding="utf-8")


def built(project: Path, configuration: str = "mkdocs.yml", *, strict: bool = True) -> Path:
    config = load_config(config_file=str(project / configuration), strict=strict)
    config.plugins.on_startup(command="build", dirty=False)
    build(config)
    return project / "site"


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def leftovers(project: Path) -> list[str]:
    return sorted(path.name for path in project.glob("site*") if path.name != "site")


def test_one_build_writes_both_languages(project: Path) -> None:
    site = built(project)
    assert "text in zh" in read(site / "notes/a/index.html")
    assert "text in en" in read(site / "en/notes/a/index.html")
    assert leftovers(project) == []


def test_a_build_may_be_started_in_another_folder(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project / "docs")
    config = load_config(config_file="../mkdocs.yml", strict=True)
    config.plugins.on_startup(command="build", dirty=False)
    build(config)
    assert "text in en" in read(project / "site/en/notes/a/index.html")


def test_search_keeps_its_words_whole_from_whatever_folder_the_build_is_started(
    project: Path,
) -> None:
    # In no other list of words: unless ours is read, it is cut.
    word = "书山词海"
    (project / "words.txt").write_text(f"{word}\n", encoding="utf-8")
    config = project / "mkdocs.yml"
    search = "plugins:\n  search: {lang: zh, jieba_dict_user: words.txt}\n"
    config.write_text(read(config).replace("plugins:\n", search), encoding="utf-8")
    write(project, "zh", "notes/a.md", "a", f"我们{word}两次")
    # A process of its own: what jieba has read once holds for all builds of a process.
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", "../mkdocs.yml"]
    subprocess.run(command, cwd=project / "docs", check=True)
    index = json.loads(read(project / "site/search/search_index.json"))
    (text,) = [entry["text"] for entry in index["docs"] if "两次" in entry["text"]]
    assert word in text.split("\u200b")


def test_a_page_links_the_same_page_in_the_other_language(project: Path) -> None:
    site = built(project)
    for page in ("index.html", "notes/a/index.html"):
        for here, there in ((site / page, site / "en" / page), (site / "en" / page, site / page)):
            (href,) = re.findall(r'qkv-twin" href="([^"]*)"', read(here))
            # A relative path between the two files is right wherever the site is put.
            assert not href.startswith(("/", "http"))
            assert (here.parent / href / "index.html").resolve() == there.resolve()


def test_a_page_names_its_addresses_in_both_languages(project: Path) -> None:
    site = built(project)
    for page in (site / "notes/a/index.html", site / "en/notes/a/index.html"):
        found = dict(re.findall(r'rel=" alternate" hreflang="([^"]*)" href="([^"]*)"', read(page)))
        assert found == {
            "zh": "https://example.org/base/notes/a/",
            "en": "https://example.org/base/en/notes/a/",
            "x-default": "https://example.org/base/en/notes/a/",
        }


def test_no_link_has_the_selector_for_which_the_theme_fetches_sitemaps(project: Path) -> None:
    assert 'rel="alternate"' not in read(built(project) / "index.html")


def test_search_waits_behind_our_worker(project: Path) -> None:
    site = built(project)
    for page, folder in ((site / "index.html", ""), (site / "en/index.html", "en/")):
        settings = json.loads(re.findall(r'"__config"[^>]*>(.*?)</script>', read(page))[0])
        assert f"/assets/qkvdocs/search.js?{folder}&" in settings["search"]
        assert 'name="search"' not in read(page)


def test_every_address_of_a_page_leads_to_a_file(project: Path) -> None:
    site = built(project)
    for page in (*site.glob("**/index.html"),):
        for address in re.findall(r'<(?:link|script|a)\b[^>]*(?:href|src)="([^"#]+)', read(page)):
            if not address.startswith("http"):
                target = (page.parent / address.split("?")[0]).resolve()
                assert target.is_file() or (target / "index.html").is_file(), (page, address)


def test_the_page_for_unknown_addresses_is_in_both_languages(project: Path) -> None:
    site = built(project)
    for page in (site / "404.html", site / "en/404.html"):
        assert '<h1 lang="zh">' in read(page)
        assert '<h1 lang="en">' in read(page)
        addresses = re.findall(r'(?:href|src)="(/[^"]*)"', read(page))
        for address in {posixpath.normpath(address) for address in addresses}:
            target = site / address.removeprefix("/base").lstrip("/")
            assert target.exists(), address
        assert "/base/en" in {posixpath.normpath(address) for address in addresses}


def test_a_draft_is_kept_out_of_the_published_site(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qkvdocs.site.plugin.drafts", lambda: ["notes/draft.md"])
    for language in ("zh", "en"):
        write(project, language, "notes/draft.md", "draft", "text")
    site = built(project)
    assert (site / "en/notes/a/index.html").exists()
    assert list(site.rglob("draft")) == []


def test_a_course_that_is_not_whole_stops_the_build_with_its_line(
    project: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("qkvdocs.site.plugin.drafts", lambda: course.read("[[lessons]]"))
    with pytest.raises(Abort):
        built(project)
    assert "qkvdocs/course.toml:1: wanted a lesson with the fields" in caplog.text


def break_chinese(project: Path) -> None:
    write(project, "zh", "notes/a.md", "a", "/// figure | no-such-figure\ntext\n///")


def break_english(project: Path) -> None:
    write(project, "en", "notes/a.md", "a", "/// figure | no-such-figure\ntext\n///")


def warn_in_chinese(project: Path) -> None:
    write(project, "zh", "notes/a.md", "a", "[nowhere](b.md)")


def warn_in_english(project: Path) -> None:
    write(project, "en", "notes/a.md", "a", "[nowhere](b.md)")


@pytest.mark.parametrize("damage", [break_chinese, break_english, warn_in_chinese, warn_in_english])
def test_a_build_that_fails_leaves_the_old_site(
    project: Path, damage: Callable[[Path], None]
) -> None:
    site = built(project)
    before = {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}
    for language in ("zh", "en"):
        write(project, language, "index.md", "new", "[a](notes/a.md)")
    damage(project)
    with pytest.raises(Abort):
        built(project)
    assert {path: path.read_bytes() for path in site.rglob("*") if path.is_file()} == before
    assert leftovers(project) == []


def test_a_mistake_that_is_made_again_is_said_again(
    project: Path, caplog: pytest.LogCaptureFixture
) -> None:
    # As the program mkdocs does it.
    said_once = DuplicateFilter()
    logging.getLogger("mkdocs.commands.build").addFilter(said_once)
    for _ in range(2):
        write(project, "zh", "notes/a.md", "a", "/// figure | no-such\nA caption\n///")
        caplog.clear()
        with pytest.raises(Abort):
            built(project)
        assert "docs/zh/notes/a.md:7: wanted a figure" in caplog.text
        write(project, "zh", "notes/a.md", "a", "text")
        built(project)
    logging.getLogger("mkdocs.commands.build").removeFilter(said_once)


def test_a_build_that_fails_says_where(project: Path, caplog: pytest.LogCaptureFixture) -> None:
    break_english(project)
    with pytest.raises(Abort):
        built(project)
    assert "docs/en/notes/a.md:7: wanted a figure" in caplog.text


def test_a_broken_glossary_says_where(
    project: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qkvdocs.markdown.glossary.terms", lambda: read_glossary("[[terms]]"))
    write(project, "zh", "index.md", "index", "/// glossary\n///")
    with pytest.raises(Abort):
        built(project)
    assert "qkvdocs/glossary.toml:1: " in caplog.text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("---\ndescription: [x\n---\n\n# a", "docs/en/notes/a.md:3: wanted front matter that"),
        ("---\ndescription: x: y\n---\n\n# a", "docs/en/notes/a.md:2: wanted front matter that"),
        ("---\nday: 2026-13-45\n---\n\n# a", "docs/en/notes/a.md:1: wanted front matter that"),
        ("---\ndescription: \b\n---\n\n# a", "docs/en/notes/a.md:1: wanted front matter that"),
        ("---\ndescription\n---\n\n# a", "docs/en/notes/a.md:1: wanted front matter with a line"),
        ("---\ndescription: x\n\n# a", "docs/en/notes/a.md:1: wanted front matter between two"),
    ],
)
def test_front_matter_that_cannot_be_read_stops_the_build(
    project: Path, text: str, message: str, caplog: pytest.LogCaptureFixture
) -> None:
    (project / "docs/en/notes/a.md").write_text(text, encoding="utf-8")
    with pytest.raises(Abort):
        built(project)
    assert message in caplog.text
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_page_that_is_not_utf8_is_named_with_the_line(
    project: Path, language: str, caplog: pytest.LogCaptureFixture
) -> None:
    with (project / f"docs/{language}/notes/a.md").open("ab") as page:
        page.write("\n\ncafé".encode("latin-1"))
    with pytest.raises(Abort):
        built(project)
    assert f"docs/{language}/notes/a.md:10: wanted UTF-8; got the byte 0xe9" in caplog.text
    assert leftovers(project) == []


def test_texts_of_the_package_are_looked_at_as_well(tmp_path: Path) -> None:
    (tmp_path / "labels.toml").write_bytes(b"[a]\n\xff")
    (tmp_path / "picture.png").write_bytes(b"\xff")
    assert (not_utf8([tmp_path], tmp_path) or "").startswith("labels.toml:2: wanted UTF-8")
    assert not_utf8([PACKAGE], PACKAGE) is None


def test_a_folder_that_cannot_be_made_is_named(
    project: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (project / "site.building").write_text("in the way", encoding="utf-8")
    with pytest.raises(Abort):
        built(project)
    assert "wanted a folder to build in" in caplog.text
    assert "site.building" in caplog.text


@pytest.mark.parametrize(("language", "other"), [("zh", "en"), ("en", "zh")])
def test_a_page_without_its_twin_stops_the_build(
    project: Path, language: str, other: str, caplog: pytest.LogCaptureFixture
) -> None:
    write(project, language, "notes/alone.md", "alone", "text")
    with pytest.raises(Abort):
        built(project)
    messages = [record.message for record in caplog.records if record.levelname == "ERROR"]
    assert len(messages) == 1
    assert messages[0].startswith(f"docs/{other}/notes/alone.md: wanted this page in both")


def test_a_configuration_that_would_build_itself_is_refused(project: Path) -> None:
    english = project / "mkdocs.en.yml"
    english.write_text(read(english).replace('""', "mkdocs.en.yml"), encoding="utf-8")
    with pytest.raises((Abort, PluginError)):
        built(project)
    assert not (project / "site").exists()
    assert leftovers(project) == []


def test_english_builds_alone_as_well(project: Path) -> None:
    site = built(project, "mkdocs.en.yml")
    assert "text in en" in read(site / "notes/a/index.html")


def test_a_formula_brings_its_font_and_the_licence(project: Path) -> None:
    for language in ("zh", "en"):
        write(project, language, "notes/a.md", "a", r"$\frac{x}{2}$")
    fonts = built(project) / "assets/qkvdocs/fonts"
    assert (fonts / "maths.woff2").read_bytes()[:4] == b"wOF2"
    assert "SIL OPEN FONT LICENSE" in read(fonts / "OFL.txt")


def test_the_font_has_what_formulas_show_and_stretches_parentheses() -> None:
    formula = "<math><mi>q</mi><mo>⋅</mo><mi>softmax</mi><annotation>\\cdot Z</annotation></math>"
    shown = maths_characters([formula])
    assert shown == set("𝑞⋅softmax")
    font = TTFont(BytesIO(maths_font(shown | {"("})))
    assert {ord(each) for each in shown} <= set(font.getBestCmap())
    assert ord("Z") not in font.getBestCmap()
    stretched = font["MATH"].table.MathVariants.VertGlyphCoverage.glyphs
    assert font.getBestCmap()[ord("(")] in stretched


def test_roots_that_need_not_grow_have_no_form_wider_than_the_lowest() -> None:
    def widths(*, high_roots: bool) -> list[int]:
        font = TTFont(BytesIO(maths_font("√x", high_roots=high_roots)))
        variants = font["MATH"].table.MathVariants
        place = variants.VertGlyphCoverage.glyphs.index(font.getBestCmap()[ord("√")])
        forms = variants.VertGlyphConstruction[place]
        assert (forms.GlyphAssembly is not None) == high_roots
        return [font["hmtx"][form.VariantGlyph][0] for form in forms.MathGlyphVariantRecord]

    assert len(widths(high_roots=False)) == 1
    assert max(widths(high_roots=True)) > widths(high_roots=False)[0]
    assert not has_high_roots(["<math><msqrt><mn>2</mn></msqrt></math>"])
    assert has_high_roots(["<math><msqrt><mn>2</mn></msqrt><msqrt><mfrac /></msqrt></math>"])
    assert has_high_roots(["<math><msqrt><msqrt><mn>2</mn></msqrt></msqrt></math>"])


@pytest.mark.parametrize(
    ("url", "language", "href"),
    [
        ("./", "zh", "en/"),
        ("./", "en", ".."),
        ("lessons/02/", "zh", "../../en/lessons/02/"),
        ("lessons/02/", "en", "../../../lessons/02/"),
    ],
)
def test_the_way_to_a_twin(url: str, language: str, href: str) -> None:
    assert twin_of(url, language).href == href  # type: ignore[arg-type]


def test_the_addresses_of_the_index_end_at_the_language() -> None:
    found = absolute_addresses("./", "zh", "https://example.org/base/")
    assert found["zh"] == "https://example.org/base/"
    assert found["en"] == "https://example.org/base/en/"


def test_prose_about_colons_is_no_api_page() -> None:
    assert not is_api_page("Slices like `a[::2]` and `::: x` in a line")


class Rebuilds:
    """Notes which way was taken to rebuild a project."""

    def __init__(self, project: Path) -> None:
        self.project = project
        self.taken: list[str] = []
        self.fail = False
        self.build = LiveBuilder(
            chinese=project / "docs/zh",
            english=project / "docs/en",
            shared=(project / "mkdocs.yml", project / "package"),
            everything=lambda: self._take("everything"),
            only_chinese=lambda: self._take("chinese"),
            only_english=lambda: self._take("english"),
            renew=lambda: self.taken.append("renew"),
        )

    def _take(self, way: str) -> None:
        self.taken.append(way)
        if self.fail:
            raise RuntimeError(way)

    def after(self, *changes: str) -> list[str]:
        self.taken.clear()
        for change in changes:
            path = self.project / change
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{read(path) if path.exists() else ''}more\n", encoding="utf-8")
        self.build()
        return self.taken


@pytest.fixture
def rebuilds(project: Path) -> Rebuilds:
    (project / "package").mkdir()
    (project / "package/maths.py").write_text("", encoding="utf-8")
    return Rebuilds(project)


@pytest.mark.parametrize(
    ("changes", "ways"),
    [
        (["docs/en/index.md"], ["english"]),
        (["docs/zh/index.md"], ["chinese"]),
        (["docs/zh/index.md", "docs/en/index.md"], ["everything"]),
        (["docs/en/notes/new.md"], ["everything"]),
        (["mkdocs.yml"], ["everything"]),
        (["package/style.css"], ["everything"]),
        (["package/maths.py"], ["renew", "everything"]),
        (["package/course.toml"], ["renew", "everything"]),
        (["docs/en/labs/lab.py"], ["everything"]),
    ],
)
def test_serving_rebuilds_what_an_edit_can_change(
    rebuilds: Rebuilds, changes: list[str], ways: list[str]
) -> None:
    assert rebuilds.after(*changes) == ways


def test_serving_is_silent_about_drafts_that_a_build_leaves_out(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    log = logging.getLogger("mkdocs.structure.pages")
    pass_over_drafts()
    log.info("Doc file 'index.md' contains a link to 'a.md' which is excluded from the built site.")
    log.info("Doc file 'index.md' contains a link to 'b.md', but there is no such file.")
    assert "b.md" in caplog.text
    assert "a.md" not in caplog.text


def test_serving_makes_up_for_a_build_that_failed(rebuilds: Rebuilds) -> None:
    rebuilds.fail = True
    with pytest.raises(RuntimeError):
        rebuilds.after("docs/zh/index.md")
    rebuilds.fail = False
    assert rebuilds.after("docs/en/index.md") == ["everything"]


def test_serving_forgets_an_edit_once_it_is_built(rebuilds: Rebuilds) -> None:
    assert rebuilds.after("docs/zh/index.md") == ["chinese"]
    assert rebuilds.after("docs/en/index.md") == ["english"]
