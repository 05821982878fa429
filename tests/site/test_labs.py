"""Labs: what a page shows is what its code prints, here, in Jupyter and at a prompt alike."""

import json
import re
from concurrent.futures import ProcessPoolExecutor
from html import unescape
from multiprocessing import get_context
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from traitlets.config import Config

from qkvdocs.languages import LANGUAGES, Language
from qkvdocs.markdown import cache as caches
from qkvdocs.markdown.cache import Cache
from qkvdocs.running import run
from qkvdocs.site import lab_run
from qkvdocs.site.lab_downloads import notebook, script
from qkvdocs.site.lab_run import run_lab
from qkvdocs.site.lab_source import Lab, LabError, lab_of, read_lab
from qkvdocs.site.labs import lab_markdown
from tests.conftest import SITE_URL
from tests.content import page
from tests.content.page import DOCS
from tests.site.build import Built, url

LABS = sorted(path.stem for path in (DOCS / "zh" / "labs").glob("*.py"))

MOST_BYTES = 60_000

ONE = r"""# ---
# description: x
# ---

# %% [markdown]
# # A sum { #sum }
#
# See [there](../index.md#here) and [below](#below), and $\query{q_{i}} \cdot \key{k}$.

# %%
price = "$1"
print("```")
print(f"<{price}>")

# %% [markdown]
# ## Below { #below }

# %%
price
"""


def lab(name: str, language: Language = "zh") -> Lab:
    path = DOCS / language / "labs" / f"{name}.py"
    return read_lab(path, f"docs/{language}/labs/{name}.py")


def given(text: str) -> Lab:
    return lab_of(text, "one", "docs/en/labs/one.py")


def address_of(link: str) -> str:
    return f"{SITE_URL}{link}"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Cache:
    """A cache that the tests of this file fill."""
    return Cache(tmp_path_factory.mktemp("cache"))


# --- the source ---


@pytest.mark.parametrize("name", LABS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_cell_is_said_to_be_where_the_file_has_it(name: str, language: Language) -> None:
    written = (DOCS / language / "labs" / f"{name}.py").read_text(encoding="utf-8").split("\n")
    marked = [number for number, text in enumerate(written, 1) if text.startswith("# %%")]
    cells = lab(name, language).cells
    assert [cell.line for cell in cells] == marked
    for cell in cells:
        mark, *body = written[cell.line - 1 : cell.line + len(cell.text.split("\n"))]
        if cell.kind == "markdown":
            body = [text.removeprefix("#").removeprefix(" ") for text in body]
        assert "\n".join(body) == cell.text
        assert mark == ("# %%" if cell.kind == "code" else "# %% [markdown]")


def test_what_looks_like_a_mark_in_a_text_of_the_code_begins_no_cell() -> None:
    cells = given("# %%\ntext = '''\n# %% [markdown]\n'''\n\n# %%\n1\n").cells
    assert [(cell.kind, cell.line) for cell in cells] == [("code", 1), ("code", 6)]


@pytest.mark.parametrize(
    ("text", "line", "got"),
    [
        ("print(1)\n\n# %%\n", 1, "print(1)"),
        ("# %%\n1\n\n#%%\n2\n", 4, "#%%"),
        ("# %%\n1\n\n# %% [raw]\n# x\n", 4, "# %% [raw]"),
        ("# %% [markdown]\n# A\nprint(1)\n", 3, "print(1)"),
        ('# %% [markdown]\n"""\nA\n"""\n', 2, '"""'),
        ("# %%\n1\n\n# %% [markdown]\n# A\n# {value: x}\n", 6, "{value:"),
        ("# nothing else\n", 1, "# nothing else"),
        ("# ---\n# description: x\n# ---\n", 1, "no cell"),
    ],
)
def test_what_is_no_lab_is_refused_with_file_and_line(text: str, line: int, got: str) -> None:
    with pytest.raises(LabError, match=rf"^docs/en/labs/one\.py:{line}: wanted .*") as error:
        given(text)
    assert got in str(error.value) or got in repr(str(error.value))


# --- running ---


def test_a_cell_that_fails_stops_the_build_with_file_line_and_cell() -> None:
    failing = ONE.replace("price\n", "price / 2\n")
    with pytest.raises(LabError) as error:
        run_lab(given(failing), Cache(None))
    assert str(error.value).startswith("docs/en/labs/one.py:18: wanted a cell that runs; cell 2 of")
    assert "TypeError: unsupported operand" in str(error.value)


def test_a_cell_that_warns_stops_the_build() -> None:
    with pytest.raises(LabError, match=r"one\.py:1: .* cell 1 of code got a warning: .*hidden"):
        run_lab(given("# %%\nimport warnings\n\nwarnings.warn('hidden')\n"), Cache(None))


def test_a_cell_without_end_stops_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab_run, "SECONDS", 1)
    with pytest.raises(LabError, match=r"one\.py:1: .* cell 1 of code got no end within 1 s"):
        run_lab(given("# %%\nwhile True:\n    pass\n"), Cache(None))


def test_a_lab_is_run_once_for_all_builds_and_languages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outputs = run_lab(given(ONE), Cache(tmp_path))

    def never(*_: object) -> list[dict[str, str]]:
        raise AssertionError("run again")

    monkeypatch.setattr(lab_run, "_run", never)
    assert run_lab(given(ONE), Cache(tmp_path)) == outputs
    # Other prose, same code.
    assert run_lab(given(ONE.replace("A sum", "和")), Cache(tmp_path)) == outputs
    with pytest.raises(AssertionError, match="run again"):
        run_lab(given(ONE.replace("$1", "$2")), Cache(tmp_path))
    monkeypatch.setattr(caches, "code_hash", lambda: "the package after an edit")
    with pytest.raises(AssertionError, match="run again"):
        run_lab(given(ONE), Cache(tmp_path))


def test_an_edit_of_the_package_changes_what_the_cache_goes_by(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "rooms" / "attention.py"
    module.parent.mkdir()
    module.write_text("scale = 1\n", encoding="utf-8")
    monkeypatch.setattr(caches, "files", lambda package: tmp_path)
    before = caches.code_hash.__wrapped__()
    assert caches.code_hash.__wrapped__() == before
    module.write_text("scale = 2\n", encoding="utf-8")
    assert caches.code_hash.__wrapped__() != before


@pytest.mark.parametrize("name", LABS)
def test_a_prompt_shows_what_jupyter_shows(name: str, cache: Cache) -> None:
    shown: list[tuple[str, str]] = []
    code = "\n".join(cell.text for cell in lab(name).code)
    assert run(code, lambda kind, text: shown.append((kind, text))), shown[-1]
    outputs = run_lab(lab(name), cache)
    texts = "".join(text for kind, text in shown if kind == "out")
    assert texts == "".join(output.text for output in outputs)
    pictures = [text for kind, text in shown if kind == "picture"]
    assert pictures == [output.picture for output in outputs if output.picture]


def printed(number: int) -> str:
    text = f"# %%\nimport time\n\nnumber = {number}\ntime.sleep(1)\n\n# %%\nprint(number)\n"
    return run_lab(given(text), Cache(None))[1].printed


def test_builds_that_run_labs_at_the_same_time_do_not_meet() -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert list(pool.map(printed, range(2))) == ["0\n", "1\n"]


# --- the files to take home ---


@pytest.mark.parametrize("name", LABS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_notebook_is_valid(name: str, language: Language, cache: Cache) -> None:
    text = notebook(lab(name, language), run_lab(lab(name, language), cache), address_of)
    nbformat.validate(nbformat.reads(text, as_version=4))


@pytest.mark.parametrize("name", LABS)
def test_the_notebook_gives_the_outputs_it_came_with(
    name: str, cache: Cache, tmp_path: Path
) -> None:
    text = notebook(lab(name), run_lab(lab(name), cache), address_of)
    came, rerun = (nbformat.reads(text, as_version=4) for _ in range(2))
    for cell in rerun.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    config = Config(KernelManager={"transport": "ipc", "ip": str(tmp_path / "kernel")})
    NotebookClient(rerun, config=config, kernel_name="python3", coalesce_streams=True).execute()
    assert [cell.get("outputs") for cell in rerun.cells] == [
        cell.get("outputs") for cell in came.cells
    ]
    assert [cell.get("execution_count") for cell in rerun.cells] == [
        cell.get("execution_count") for cell in came.cells
    ]


@pytest.mark.parametrize("name", LABS)
def test_the_notebook_is_the_same_from_each_build_and_each_machine(
    name: str, cache: Cache, tmp_path: Path
) -> None:
    text = notebook(lab(name), run_lab(lab(name), cache), address_of)
    assert text == notebook(lab(name), run_lab(lab(name), Cache(tmp_path)), address_of)
    assert str(Path.home()) not in text
    assert str(DOCS.parent) not in text
    assert not re.search(r"/tmp|ipykernel|\d{4}-\d\d-\d\d|\"execution\"", text)


def test_files_to_take_home_have_what_jupyter_reads_and_whole_addresses() -> None:
    text = script(given(ONE), address_of)
    assert text.startswith("# %% [markdown]\n# # A sum\n#\n# See [there](")
    assert f"[there]({SITE_URL}../index.md#here) and [below]({SITE_URL}#below), and" in text
    assert r"and ${q_{i}} \cdot {k}$." in text
    assert "{ #" not in text
    cells = [(cell.kind, cell.line) for cell in lab_of(text, "one", "one.py").cells]
    assert cells == [("markdown", 1), ("code", 6), ("markdown", 11), ("code", 14)]
    book = json.loads(notebook(given(ONE), run_lab(given(ONE), Cache(None)), address_of))
    sources = ["".join(cell["source"]) for cell in book["cells"]]
    assert sources == [cell.text for cell in lab_of(text, "one", "one.py").cells]


# --- the page ---


def test_the_page_has_each_line_of_prose_where_the_lab_has_it() -> None:
    shown = lab_markdown(given(ONE), "en", Cache(None)).split("\n")
    written = ONE.split("\n")
    assert len(shown) == len(written)
    for number in (0, 1, 2, 5, 7, 15):
        assert shown[number] == written[number].removeprefix("#").removeprefix(" ")


def shown_text(html: str, pattern: str) -> list[str]:
    found = re.findall(pattern, html, flags=re.DOTALL)
    return [unescape(re.sub(r"<[^>]+>", "", text)) for text in found]


def built_page(built: Built, language: Language, name: str) -> str:
    path = built.site / url(language, Path(f"labs/{name}.py")) / "index.html"
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", LABS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_shows_the_code_and_what_it_gives(
    built: Built, language: Language, name: str, cache: Cache
) -> None:
    html = built_page(built, language, name)
    code = shown_text(html, r'<div class="highlight"><pre><span></span><code>(.*?)</code>')
    assert code == [f"{cell.text}\n" for cell in lab(name, language).code]
    outputs = run_lab(lab(name, language), cache)
    printed = shown_text(html, r"<samp>(.+?)</samp>")
    assert printed == [output.text for output in outputs if output.text]
    pictures = [output.picture for output in outputs if output.picture]
    assert html.count('<div class="qkv-snippet__picture"><svg') == len(pictures)
    assert html.count(f'data-notebook="{name}"') == len(code)


@pytest.mark.parametrize("name", LABS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_has_its_formulas_as_mathml(built: Built, language: Language, name: str) -> None:
    sections = page.load(language, Path(f"labs/{name}.py")).sections
    formulas = [formula for section in sections for formula in section.formulas]
    article = re.findall(r"<article.*</article>", built_page(built, language, name), re.DOTALL)[0]
    written = [" ".join(t.split()) for t in shown_text(article, r"<annotation[^>]*>(.*?)</annot")]
    assert sorted(written) == sorted(formulas)
    assert formulas


@pytest.mark.parametrize("name", LABS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_small_and_names_no_other_site(
    built: Built, language: Language, name: str
) -> None:
    html = built_page(built, language, name)
    assert len(html.encode()) <= MOST_BYTES
    addresses = set(re.findall(r"https?://[^\s\"'<>)]+", html))
    # The name of a language of tags, which nothing fetches.
    others = {a for a in addresses if not a.startswith((SITE_URL, "http://www.w3.org/2000/svg"))}
    assert others == set()


@pytest.mark.parametrize("name", LABS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_links_to_the_files_lead_to_the_files(
    built: Built, language: Language, name: str
) -> None:
    folder = built.site / url(language, Path(f"labs/{name}.py"))
    html = built_page(built, language, name)
    links = re.findall(r'<a download="([^"]+)" href="([^"]+)"', html)
    assert links == [(f"{name}.ipynb", f"{name}.ipynb"), (f"{name}.py", f"{name}.py")]
    book = nbformat.reads((folder / links[0][1]).read_text(encoding="utf-8"), as_version=4)
    source = (folder / links[1][1]).read_text(encoding="utf-8")
    code = [cell.source for cell in book.cells if cell.cell_type == "code"]
    assert code == [cell.text for cell in lab_of(source, name, name).code]
    root = url(language, Path("index.md"))
    targets = re.findall(r"\]\(([^)\s]+)\)", source)
    assert targets
    for target in targets:
        assert target.startswith(f"{SITE_URL}{root}"), target
        path = target.removeprefix(SITE_URL).split("#")[0]
        assert (built.site / path / "index.html").is_file(), target
