"""Demos: a folder in, an element with its content and its data out."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from qkvdocs import demos
from tests.markdown.convert import convert, refused

FILES = {
    "element.js": "",
    "data.py": "def data(language):\n    return {'x': [-0.001, -0.5], 's': '</script><!-- <b>'}\n",
    "labels.toml": (
        '[title]\nzh = "标题 {n}"\nen = "Title {n}"\n\n[live.more]\nzh = "多"\nen = "More"\n'
    ),
    "template.html": (
        '<p id="{{ id }}-title">{{ labels.title.format(n=2) }} {{ language }} {{ name }}</p>\n'
        "{% for x in data.x %}<b>{{ x | number }}</b>{% endfor %}\n"
        "<i>{{ data.s }} {{ [0.126, 0.874] | rounded_row }}</i>{{ code }}\n"
    ),
    "snippet.pycon": ">>> 1 + 1\n2\n",
}

DEMO = "/// demo | tiny\n///"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A place for demos that has one, `tiny`."""
    tiny = tmp_path / "tiny"
    tiny.mkdir()
    for name, text in FILES.items():
        (tiny / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(demos, "FOLDER", tmp_path)
    monkeypatch.setattr(demos, "__path__", [str(tmp_path)])
    demos._environment.cache_clear()
    yield tiny
    demos._environment.cache_clear()
    for module in [name for name in sys.modules if name.startswith("qkvdocs.demos.tiny")]:
        del sys.modules[module]


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_demo_is_an_element_around_its_template(folder: Path) -> None:
    html = convert(DEMO)
    assert html.startswith(
        '<qkv-tiny class="qkv-demo" data-demo="tiny" id="tiny" lang="en">\n'
        '<p id="tiny-title">Title 2 en tiny</p>\n'
        "<b>0.00</b><b>−0.50</b>"
        "<i>&lt;/script&gt;&lt;!-- &lt;b&gt; [0.13, 0.87]</i>"
        '<div class="qkv-snippet">'
    )
    assert html.endswith("</script>\n</qkv-tiny>")


def test_a_demo_speaks_the_language_of_the_page(folder: Path) -> None:
    html = convert(DEMO, language="zh")
    assert 'lang="zh"' in html
    assert "标题 2 zh" in html


def json_of(html: str) -> str:
    found = re.search(r'<script type="application/json">(.*?)</script>', html)
    assert found is not None
    return found[1]


def test_the_script_holds_data_in_full_and_its_labels_and_cannot_break_out(folder: Path) -> None:
    text = json_of(convert(DEMO))
    assert "<" not in text
    assert json.loads(text) == {
        "data": {"x": [-0.001, -0.5], "s": "</script><!-- <b>"},
        "labels": {"more": "More"},
    }


def test_the_script_holds_of_the_data_what_is_live_if_the_demo_says_so(folder: Path) -> None:
    with (folder / "data.py").open("a", encoding="utf-8") as file:
        file.write("\n\ndef live(data):\n    return {'x': data['x']}\n")
    html = convert(DEMO)
    assert json.loads(json_of(html))["data"] == {"x": [-0.001, -0.5]}
    assert "&lt;/script&gt;" in html


def test_a_label_of_the_script_is_one_of_the_template_too(folder: Path) -> None:
    change(folder / "template.html", "<i>", "<i>{{ labels.more }} ")
    assert "<i>More " in convert(DEMO)


def test_twice_on_a_page_no_id_stands_twice(folder: Path) -> None:
    ids = re.findall(r' id="([^"]*)"', convert(f"{DEMO}\n\n{DEMO}"))
    assert ids == ["tiny", "tiny-title", "tiny-2", "tiny-2-title"]


def test_an_unknown_demo_names_the_known_ones(folder: Path) -> None:
    refused("text\n\n/// demo | nosuch\n///", 3, "one of tiny", "'nosuch'")


def test_a_missing_label_names_its_file_and_line(folder: Path) -> None:
    change(folder / "labels.toml", 'en = "More"', 'en = " "')
    refused(DEMO, 1, "qkvdocs/demos/tiny/labels.toml:5: ", "'live.more' in en", language="zh")


@pytest.mark.parametrize(
    ("changed", "came"), [("Title {m}", "{m}"), ("Title", "none"), ("{n} {m}", "{m} {n}")]
)
def test_a_placeholder_in_one_language_alone_names_its_label_and_line(
    folder: Path, changed: str, came: str
) -> None:
    change(folder / "labels.toml", "Title {n}", changed)
    place = "qkvdocs/demos/tiny/labels.toml:1: wanted the same placeholders"
    refused(DEMO, 1, place, f"got {{n}} for 'title' in zh and {came} in en: make them equal")


def test_a_placeholder_may_stand_elsewhere_and_twice(folder: Path) -> None:
    change(folder / "labels.toml", "Title {n}", "{n} times Title {n}")
    assert "2 times Title 2" in convert(DEMO)


@pytest.mark.parametrize(
    "file, text, place",
    [
        ("labels.toml", '[title]\nzh = "a"\nen =\n', "labels.toml:3: wanted TOML"),
        ("data.py", "def data(language):\n    x = 1\n    return x / 0\n", "data.py:3: wanted data"),
        ("data.py", "x = 1\ndef data(language)\n", "data.py:2: wanted data"),
        ("data.py", "import nosuch\n", "data.py:1: wanted data"),
        (
            "data.py",
            "def data(language):\n    return {}\n\n\ndef live(data):\n    return data['x']\n",
            "data.py:6: wanted data",
        ),
        ("data.py", "x = 1\n", "data.py: wanted data"),
    ],
)
def test_a_part_that_cannot_be_read_names_its_line(
    folder: Path, file: str, text: str, place: str
) -> None:
    (folder / file).write_text(text, encoding="utf-8")
    refused(f"text\n\n{DEMO}", 3, f"qkvdocs/demos/tiny/{place}")


@pytest.mark.parametrize("file", ["data.py", "labels.toml", "snippet.pycon"])
def test_a_part_that_is_missing_is_named(folder: Path, file: str) -> None:
    (folder / file).unlink()
    refused(f"text\n\n{DEMO}", 3, f"qkvdocs/demos/tiny/{file}: wanted this part")


@pytest.mark.parametrize("asked", ["data.nosuch", "labels.nosuch", "nosuch", "data.x.y.z"])
def test_a_template_that_asks_for_too_much_names_its_line(folder: Path, asked: str) -> None:
    change(folder / "template.html", "data.s", asked)
    refused(DEMO, 1, "qkvdocs/demos/tiny/template.html:3: ", "UndefinedError")


def test_a_template_that_is_none_names_its_line(folder: Path) -> None:
    change(folder / "template.html", "endfor", "nosuch")
    refused(DEMO, 1, "qkvdocs/demos/tiny/template.html:2: ", "TemplateSyntaxError")


def test_an_id_that_would_stand_twice_is_refused(folder: Path) -> None:
    change(folder / "template.html", "{{ id }}-title", "title")
    refused(DEMO, 1, "template.html", "got 'title'")


@pytest.mark.parametrize("value", ["{1, 2}", "float('nan')", "__import__('numpy').ones(2)"])
def test_data_that_json_cannot_hold_is_refused(folder: Path, value: str) -> None:
    change(folder / "data.py", "'</script><!-- <b>'", value)
    refused(DEMO, 1, "qkvdocs/demos/tiny/data.py", "JSON")


def test_a_snippet_that_prints_something_else_names_its_own_line(folder: Path) -> None:
    from qkvdocs.markdown import PageError

    change(folder / "snippet.pycon", "2", "3")
    with pytest.raises(PageError, match=r"^qkvdocs/demos/tiny/snippet\.pycon:1: "):
        convert(DEMO)


def test_a_changed_template_is_shown_though_the_rest_is_kept(folder: Path, tmp_path: Path) -> None:
    first = convert(DEMO, cache=str(tmp_path / "cache"))
    assert convert(DEMO, cache=str(tmp_path / "cache")) == first
    change(folder / "template.html", "<i>", "<i>new ")
    assert "<i>new " in convert(DEMO, cache=str(tmp_path / "cache"))


@pytest.mark.parametrize("name", demos.names())
@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_demo_of_the_course_is_whole(name: str, language: str) -> None:
    html = convert(f"/// demo | {name}\n///", language=language)
    assert f"<qkv-{name} " in html
