"""Copies of the project to measure in, so that the working tree is never touched."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from measurements.figures import CannotMeasure

LESSON = "lessons/02-qkv-lookup"
LANGUAGES = ("zh", "en")
ADDRESSES = {"zh": f"/{LESSON}/", "en": f"/en/{LESSON}/"}


def copy_of(root: Path, target: Path) -> Path:
    """Copy the sources of the project in ``root``, and nothing that was made from them."""

    def made(folder: str, names: list[str]) -> set[str]:
        at_top = Path(folder) == root
        return {
            name
            for name in names
            if name == "__pycache__"
            or (at_top and (name.startswith((".", "site.")) or name in ("site", "bench")))
        }

    shutil.copytree(root, target, ignore=made)
    return target


def take_runtime(root: Path, project: Path) -> None:
    """Give a copy the fetched Python for the browser, without which it has no Run buttons."""
    folder = Path(".cache") / "runtime"
    if not (root / folder).is_dir():
        raise CannotMeasure("there is no .cache/runtime; python3 scripts/dev.py build fetches it")
    shutil.copytree(root / folder, project / folder)


def build(project: Path) -> float:
    """Build both languages and return the seconds it took."""
    # Not strict: a copy may lack the labs that a page links, or have pages that no list names.
    return timed([sys.executable, "-m", "mkdocs", "build"], project)


def timed(command: Sequence[str], folder: Path) -> float:
    start = time.perf_counter()
    answer = subprocess.run(command, cwd=folder, env=variables(), capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if answer.returncode != 0:
        said = (answer.stderr.strip() or answer.stdout.strip() or "nothing").splitlines()
        raise CannotMeasure(f"{' '.join(command[1:4])} failed and said last: {said[-1]}")
    return seconds


def variables() -> dict[str, str]:
    return {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONUNBUFFERED": "1"}
