"""A new lesson is a draft that passes all checks and that no reader sees."""

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

import dev
from console import Stop
from new_lesson import write_lesson
from qkvdocs.course import lessons
from qkvdocs.languages import LANGUAGES, Language
from qkvdocs.markdown.snippet import check, snippets_in
from qkvdocs.site.navigation import REFERENCE_PAGES
from tests.content import page, parity, prose

ROOT = Path(__file__).parents[1]
COURSE = "qkvdocs/course.toml"
ROOMS = [
    "answers",
    "whole-picture",
    "three-sentences",
    "why-it-matters",
    "think-about-it",
    "next",
]

CONFIG = """
site_name: course
site_url: https://example.org/
docs_dir: docs/{language}
theme: {{name: material, font: false, language: {language}, custom_dir: qkvdocs/theme}}
plugins:
  search: {{lang: en}}
  qkvdocs: {{language: {language}, offline: false}}
markdown_extensions:
  attr_list: {{}}
  tables: {{}}
  pymdownx.details: {{}}
  pymdownx.superfences: {{}}
  qkvdocs: {{terms: false}}
validation:
  omitted_files: warn
  links: {{anchors: warn}}
"""

BUILD = """
import logging, sys
logging.basicConfig(level=logging.WARNING)
from mkdocs.commands.build import build
from mkdocs.config import load_config
config = load_config(config_file="mkdocs.yml", strict=True)
config.plugins.on_startup(command=sys.argv[1], dirty=False)
build(config, serve_url="http://127.0.0.1/" if sys.argv[1] == "serve" else None)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The course with lesson 03 published and 04 to come, and a line for each published page."""
    root = tmp_path / "project"
    compiled = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "qkvdocs", root / "qkvdocs", ignore=compiled)
    course = root / COURSE
    for lesson in lessons():
        if lesson.state == "draft":
            set_state(course, lesson.number, "coming")
    set_state(course, "03", "published")
    set_state(course, "04", "coming")
    for language in LANGUAGES:
        write(root / "docs" / language / "index.md", "/// course\n///")
        for name in REFERENCE_PAGES:
            text = "/// glossary\n///" if name == "glossary.md" else "text"
            write(root / "docs" / language / name, text)
        for slug in published(root):
            write(root / "docs" / language / "lessons" / f"{slug}.md", "text")
    return root


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"---\ndescription: a page\n---\n# Page {{ #page }}\n\n{text}\n", "utf-8")


def listed(root: Path, number: str) -> dict[str, str]:
    entries = tomllib.loads((root / COURSE).read_text(encoding="utf-8"))["lessons"]
    return next(entry for entry in entries if entry["number"] == number)


def published(root: Path) -> list[str]:
    entries = tomllib.loads((root / COURSE).read_text(encoding="utf-8"))["lessons"]
    return [entry["slug"] for entry in entries if entry["state"] == "published"]


def set_state(course: Path, number: str, state: str) -> None:
    head, mark, tail = course.read_text(encoding="utf-8").partition(f'number = "{number}"')
    lines = tail.split("\n")
    index = next(index for index, line in enumerate(lines) if line.startswith("state"))
    lines[index] = f'state = "{state}"'
    course.write_text(head + mark + "\n".join(lines), encoding="utf-8")


def source(root: Path, language: Language, name: str = "04-scaling-softmax") -> Path:
    return root / "docs" / language / "lessons" / f"{name}.md"


def draft(root: Path, language: Language) -> page.Page:
    text = source(root, language).read_text(encoding="utf-8")
    return page.parse(language, Path("lessons/04-scaling-softmax.md"), text)


def files(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_it_has_all_rooms_in_order_and_five_questions(project: Path) -> None:
    write_lesson(project, "04", "scaling-softmax")
    for language in LANGUAGES:
        sections = draft(project, language).sections
        anchors = [section.anchor for section in sections if section.level == 2]
        assert [anchor for anchor in anchors if anchor in ROOMS] == ROOMS
        questions = [each for each in sections if (each.anchor or "").startswith("think-")]
        asked = [each for each in questions if each.level == 3]
        assert [each.folds for each in asked] == [["hint", "answer"]] * 5
        assert all(len(each.snippets) == 1 for each in asked)


def test_both_languages_of_it_agree_and_the_prose_keeps_the_rules(project: Path) -> None:
    write_lesson(project, "04", "scaling-softmax")
    zh, en = (draft(project, language) for language in LANGUAGES)
    assert parity.differences(zh, en) == []
    for rule in (prose.typed_numbers, prose.forbidden_terms, prose.typography):
        assert rule(zh) + rule(en) == []


def test_each_snippet_of_it_prints_what_it_shows(project: Path) -> None:
    write_lesson(project, "04", "scaling-softmax")
    for language in LANGUAGES:
        path = source(project, language)
        snippets = list(snippets_in(path.read_text(encoding="utf-8"), path.name))
        assert len(snippets) == 6
        for snippet in snippets:
            check(snippet)
        for section in draft(project, language).sections:
            assert section.snippets or not section.displayed


def test_its_state_becomes_draft_and_all_else_of_the_course_stays(project: Path) -> None:
    before = (project / COURSE).read_text(encoding="utf-8")
    write_lesson(project, "04", "another-name")
    after = (project / COURSE).read_text(encoding="utf-8")
    assert (listed(project, "04")["slug"], listed(project, "04")["state"]) == (
        "04-another-name",
        "draft",
    )
    changed = [
        (old, new)
        for old, new in zip(before.splitlines(), after.splitlines(), strict=True)
        if old != new
    ]
    assert changed == [
        ('slug = "04-scaling-softmax"', 'slug = "04-another-name"'),
        ('state = "coming"', 'state = "draft"'),
    ]


def test_it_links_a_neighbour_that_can_be_read_and_names_one_that_cannot(project: Path) -> None:
    write_lesson(project, "04", "scaling-softmax")
    links = draft(project, "en").sections[1].links
    assert links[:2] == ["../index.md", "03-formula.md"]
    following = {
        "zh": "下一课：05 掩码：因果与填充（待写）。",
        "en": "Next: 05 Masks: causal and padding (coming).",
    }
    for language in LANGUAGES:
        assert following[language] in source(project, language).read_text(encoding="utf-8")


@pytest.mark.parametrize(("number", "sentence"), [("01", "the first"), ("12", "the last")])
def test_the_ends_of_the_course_have_one_neighbour(
    project: Path, number: str, sentence: str
) -> None:
    set_state(project / COURSE, number, "coming")
    for language in LANGUAGES:
        for path in (project / "docs" / language / "lessons").glob(f"{number}-*.md"):
            path.unlink()
    write_lesson(project, number, "an-end")
    text = source(project, "en", f"{number}-an-end").read_text(encoding="utf-8")
    assert f"This is {sentence} lesson." in text


def a_draft_already(project: Path) -> None:
    set_state(project / COURSE, "04", "draft")


def a_file_of_this_name(project: Path) -> None:
    write(source(project, "en"), "text")


def a_file_of_this_number(project: Path) -> None:
    write(source(project, "zh", "04-older-name"), "text")


def nothing(project: Path) -> None:
    return


@pytest.mark.parametrize(
    ("arrange", "number", "slug", "said"),
    [
        (nothing, "13", "more", "There is no lesson '13': use one of 01, 02"),
        (nothing, "4", "scaling-softmax", "There is no lesson '4'"),
        (nothing, "04", "Scaling", "'Scaling' can't be the name of a page"),
        (nothing, "04", "scaling_softmax", "lower-case words with hyphens"),
        (nothing, "04", "04-scaling-softmax", "without the number"),
        (nothing, "04", "../04", "can't be the name"),
        (nothing, "03", "formula", "Lesson 03 is published already"),
        (a_draft_already, "04", "scaling-softmax", "Lesson 04 is draft already"),
        (a_file_of_this_name, "04", "scaling-softmax", "docs/en/lessons/04-scaling-softmax.md is"),
        (a_file_of_this_number, "04", "scaling-softmax", "docs/zh/lessons/04-older-name.md is"),
    ],
)
def test_what_cannot_be_begun_ends_in_one_sentence_with_nothing_written(
    project: Path, arrange: Callable[[Path], None], number: str, slug: str, said: str
) -> None:
    arrange(project)
    before = files(project)
    with pytest.raises(Stop) as caught:
        write_lesson(project, number, slug)
    assert said in str(caught.value)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)
    assert files(project) == before


def test_the_command_says_what_it_wrote(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(dev, "ROOT", project)
    assert dev.main(["new-lesson", "04", "scaling-softmax"]) == 0
    said = capsys.readouterr().out
    for language in LANGUAGES:
        assert f"Written: docs/{language}/lessons/04-scaling-softmax.md" in said
    assert dev.main(["new-lesson", "04"]) == 1
    assert capsys.readouterr().out.startswith("dev.py: Lesson 04 is draft already")


def test_without_a_name_the_page_has_the_planned_one(project: Path) -> None:
    course = tomllib.loads((project / "qkvdocs/course.toml").read_text(encoding="utf-8"))
    (planned,) = [each["slug"] for each in course["lessons"] if each["number"] == "05"]
    written = {path.name for path in write_lesson(project, "05")}
    assert written == {f"{planned}.md", "course.toml"}


def site(root: Path, language: Language, command: str) -> Path:
    """Build the project in a process of its own, which reads the course of the project."""
    (root / "mkdocs.yml").write_text(CONFIG.format(language=language), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(root), "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(
        [sys.executable, "-c", BUILD, command],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return root / "site"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_strict_build_leaves_the_draft_out_and_serving_shows_it(
    project: Path, language: Language
) -> None:
    write_lesson(project, "04", "scaling-softmax")
    name = "04-scaling-softmax"
    published_site = site(project, language, "build")
    assert (published_site / "lessons/03-formula/index.html").exists()
    for path in published_site.rglob("*"):
        assert name not in path.as_posix()
        if path.suffix in {".html", ".xml", ".json"}:
            assert name not in path.read_text(encoding="utf-8"), path
    served = site(project, language, "serve")
    html = (served / "lessons" / name / "index.html").read_text(encoding="utf-8")
    assert "mkdocs-draft-marker" in html
    assert 'id="figure-weight-heatmap"' in html
    assert 'data-demo="stepper"' in html
    word = {"zh": "草稿", "en": "draft"}[language]
    index = (served / "index.html").read_text(encoding="utf-8")
    assert f'qkv-lesson__state">{word}<' in index
    title = listed(project, "04")[language]
    sidebar = index[index.index('class="md-nav md-nav--primary') : index.index("<article")]
    assert f"{title} · {word}" in sidebar
