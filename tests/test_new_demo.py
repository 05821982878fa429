"""A new demo works at once, in both languages, and nothing else is touched for it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import dev
from console import Stop
from new_demo import write_demo

ROOT = Path(__file__).parents[1]
# Long, so that no line of what is written depends on a short name.
NAME = "attention-from-one-token-to-others"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The package and the tests of its demos, to write into."""
    made = shutil.ignore_patterns("__pycache__", ".cache")
    for folder in ("qkvdocs", "tests"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=made)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def files_in(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def run(copy: Path, *module_and_arguments: str) -> str:
    """Run a module of this Python among the files of the copy; it has to succeed."""
    command = [sys.executable, "-m", *module_and_arguments]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_new_demo_has_all_its_files_and_passes_all_tests(copy: Path) -> None:
    before = files_in(copy)
    written = write_demo(copy, NAME)
    after = files_in(copy)
    assert {name: after[name] for name in before} == before
    assert {name for name in after if name not in before} == {
        path.relative_to(copy).as_posix() for path in written
    }
    own = next(path for path in written if path.parent.name == "demos")
    files = [path.as_posix() for path in written if path.suffix == ".py"]
    run(copy, "ruff", "check", *files)
    run(copy, "ruff", "format", "--check", *files)
    tests = [f"tests/demos/test_{part}.py" for part in ("contract", "use")]
    tests += [own.as_posix(), "tests/markdown/test_demo.py"]
    chosen = f"{NAME} or {own.stem}"
    said = run(copy, "pytest", "-q", "-p", "no:cacheprovider", "-k", chosen, *tests)
    assert int(said.split(" passed")[0].split()[-1]) > 30


@pytest.mark.parametrize("name", ["", "Heads", "two_words", "two words", "4heads", "../out", "a-"])
def test_a_bad_name_is_refused_with_one_that_would_do(copy: Path, name: str) -> None:
    before = files_in(copy)
    with pytest.raises(
        Stop, match=r"can't be the name of a demo: wanted .* such as self-attention"
    ):
        write_demo(copy, name)
    assert files_in(copy) == before


@pytest.mark.parametrize(
    ("name", "there"),
    [
        ("stepper", "qkvdocs/demos/stepper"),
        ("parts", "qkvdocs/demos/parts.py"),
        ("contract", "tests/demos/test_contract.py"),
    ],
)
def test_a_taken_name_is_refused_with_what_is_there(copy: Path, name: str, there: str) -> None:
    before = files_in(copy)
    with pytest.raises(Stop, match=f"{there} is there already: choose another name"):
        write_demo(copy, name)
    assert files_in(copy) == before


def test_the_command_says_what_it_wrote_and_how_a_page_shows_it(
    copy: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(dev, "ROOT", copy)
    assert dev.main(["new-demo", "heads"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert "Written: qkvdocs/demos/heads/template.html" in said
    assert "Written: tests/demos/test_heads.py" in said
    assert said[-1] == "A page shows it with /// demo | heads and, on the next line, ///."


def test_the_command_ends_with_one_sentence_if_it_cannot(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert dev.main(["new-demo", "stepper"]) == 1
    assert capsys.readouterr().out == (
        "dev.py: qkvdocs/demos/stepper is there already: choose another name.\n"
    )
