"""What holds for every text of the repository."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = (".ci", ".github", "docs", "qkvdocs", "scripts", "tests")
SUFFIXES = {
    "",
    ".css",
    ".html",
    ".js",
    ".json",
    ".lock",
    ".md",
    ".pycon",
    ".py",
    ".toml",
    ".txt",
    ".yml",
}

# What git writes around two versions that it could not join.
MARKS = ("<" * 7 + " ", ">" * 7 + " ", "|" * 7 + " ")


def texts() -> list[Path]:
    """Return the files that people write: those at the top, and all of the folders."""
    folders = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*")]
    return [
        path
        for path in sorted([*ROOT.iterdir(), *folders])
        if path.is_file() and path.suffix in SUFFIXES and "__pycache__" not in path.parts
    ]


def marks_of_a_merge(text: str) -> list[int]:
    """Return the lines on which a merge was left unfinished, counted from 1."""
    lines = text.splitlines()
    return [number for number, line in enumerate(lines, start=1) if line.startswith(MARKS)]


def test_no_merge_was_left_unfinished() -> None:
    found = {
        path.relative_to(ROOT).as_posix(): lines
        for path in texts()
        if (lines := marks_of_a_merge(path.read_text(encoding="utf-8")))
    }
    assert found == {}


@pytest.mark.parametrize("mark", MARKS)
def test_an_unfinished_merge_is_seen(mark: str) -> None:
    assert marks_of_a_merge(f"One line\n{mark}main\nanother\n") == [2]


def test_the_texts_are_those_of_the_repository() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in texts()}
    assert {"CONTRIBUTING.md", "README.zh.md", "mkdocs.yml", "docs/zh/index.md"} <= names
    assert ".ci/run" in names
