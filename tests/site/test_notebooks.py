"""mkdocs-jupyter takes the labs for notebooks and runs them; without it there is no lab."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort

from tests.conftest import ROOT

CONFIG = """
site_name: one lab
docs_dir: docs/zh
theme: {{name: material, font: false, custom_dir: {theme}}}
nav: [index.md, labs/one.py]
plugins:
{plugins}
markdown_extensions:
  attr_list: {{}}
  md_in_html: {{}}
  qkvdocs: {{terms: false}}
"""

OURS = "  qkvdocs: {language: zh, offline: false}"
THEIRS = """  mkdocs-jupyter:
    include: ["labs/*.py"]
    execute: true
    allow_errors: false
    kernel_name: python3
    cache: false"""

INDEX = "---\ndescription: x\n---\n\n# Index { #run-the-code }\n"
LAB = """# ---
# description: x
# ---

# %% [markdown]
# # A sum $x$ { #sum }

# %%
1 + 1

# %%
print(6 * 7)
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one lab."""
    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")
    for language in ("zh", "en"):
        docs = tmp_path / "docs" / language
        (docs / "labs").mkdir(parents=True)
        (docs / "index.md").write_text(INDEX, encoding="utf-8")
        (docs / "labs/one.py").write_text(LAB, encoding="utf-8")
    return tmp_path


def built(project: Path, plugins: str) -> Path:
    """Build the project and return the folder of its lab."""
    text = CONFIG.format(theme=ROOT / "qkvdocs/theme", plugins=plugins)
    (project / "mkdocs.yml").write_text(text, encoding="utf-8")
    config = load_config(config_file=str(project / "mkdocs.yml"), strict=True)
    config.plugins.on_startup(command="build", dirty=False)
    build(config)
    return project / "site/labs/one"


@pytest.mark.parametrize("plugins", [f"{OURS}\n{THEIRS}", f"{THEIRS}\n{OURS}"])
def test_a_lab_is_a_page_in_either_order_of_the_plugins(project: Path, plugins: str) -> None:
    folder = built(project, plugins)
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert re.findall(r"<samp>(.*?)</samp>", page, re.DOTALL) == ["2\n", "42\n"]
    assert '<h1 id="sum">' in page
    assert "<math" in page
    assert "jp-" not in page, "this is the page of mkdocs-jupyter"
    assert sorted(path.name for path in folder.iterdir()) == ["index.html", "one.ipynb", "one.py"]


def told(project: Path, plugins: str, caplog: pytest.LogCaptureFixture) -> str:
    """Return with which message a build stops."""
    with pytest.raises(Abort):
        built(project, plugins)
    assert not (project / "site").exists()
    (message,) = [record.message for record in caplog.records if record.levelname == "ERROR"]
    return message


@pytest.mark.parametrize(
    "plugins", [OURS, f"{OURS}\n{THEIRS.replace('labs/*.py', 'labs/*.ipynb')}"]
)
def test_a_lab_that_mkdocs_jupyter_does_not_take_stops_the_build(
    project: Path, plugins: str, caplog: pytest.LogCaptureFixture
) -> None:
    message = told(project, plugins, caplog)
    assert message.startswith("docs/zh/labs/one.py: wanted a notebook of mkdocs-jupyter; got a")


@pytest.mark.parametrize(
    ("wanted", "given"),
    [
        ("execute: true", "execute: false"),
        ("allow_errors: false", "allow_errors: true"),
        ("kernel_name: python3", "kernel_name: other"),
    ],
)
def test_mkdocs_jupyter_that_would_not_run_labs_as_wanted_stops_the_build(
    project: Path, wanted: str, given: str, caplog: pytest.LogCaptureFixture
) -> None:
    message = told(project, f"{OURS}\n{THEIRS.replace(wanted, given)}", caplog)
    assert message.replace('"', "").startswith(
        f"mkdocs.yml: wanted mkdocs-jupyter with {wanted}; got {given.split()[1]}: "
    )


def test_a_cell_that_fails_stops_the_build_with_its_line(
    project: Path, caplog: pytest.LogCaptureFixture
) -> None:
    lab = project / "docs/zh/labs/one.py"
    lab.write_text(LAB.replace("6 * 7", "6 / 0"), encoding="utf-8")
    message = told(project, f"{OURS}\n{THEIRS}", caplog)
    assert message.startswith("docs/zh/labs/one.py:11: wanted a cell that runs; cell 2 of code got")
    assert "ZeroDivisionError" in message


def test_what_only_runs_labs_is_not_imported_before_one_is_run() -> None:
    program = (
        "import sys; from mkdocs.config import load_config; load_config('mkdocs.yml');"
        "print(*sorted({'mkdocs_jupyter.plugin', 'nbconvert', 'nbclient'} & {*sys.modules}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "mkdocs_jupyter.plugin\n"
