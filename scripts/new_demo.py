"""A new demo: its folder and its test, copied from one that works.

The files of `demo/` are a demo by the name of skeleton; whoever writes a demo replaces them piece
by piece while the tests pass. Nothing else is edited: a demo is found by its folder.
"""

from __future__ import annotations

import re
from pathlib import Path

from console import Stop

SKELETON = Path(__file__).parent / "demo"
# Behind the names of Python files, which tools would take for parts of the project.
ENDING = ".txt"
TEST = "test.py"

NAME = re.compile(r"[a-z]+(-[a-z]+)*")


def write_demo(root: Path, name: str) -> list[Path]:
    """Write the demo ``name`` and its test; return the files written.

    Raises Stop, with nothing written, if a demo can't have the name.
    """
    _check_name(name)
    folder = root / "qkvdocs" / "demos" / name
    test = root / "tests" / "demos" / f"test_{name.replace('-', '_')}.py"
    for path in (folder, folder.with_suffix(".py"), test):
        if path.exists():
            raise Stop(
                f"{path.relative_to(root).as_posix()} is there already: choose another name."
            )
    folder.mkdir()
    written = []
    for source in sorted(SKELETON.glob("*.*")):
        file = source.name.removesuffix(ENDING)
        target = test if file == TEST else folder / file
        target.write_text(_named(source.read_text(encoding="utf-8"), name), encoding="utf-8")
        written.append(target)
    return written


def _check_name(name: str) -> None:
    if not NAME.fullmatch(name):
        raise Stop(
            f"{name!r} can't be the name of a demo: wanted lower-case words of the letters a to z "
            "with hyphens between them, such as self-attention."
        )


def _named(text: str, name: str) -> str:
    in_javascript = "".join(word.capitalize() for word in name.split("-"))
    return text.replace("Skeleton", in_javascript).replace("skeleton", name)
