"""Who may import whom: each room knows only the rooms below it."""

import ast
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "qkvdocs"

# A room may import the rooms named here and nothing else of the package.
MAY_IMPORT: dict[str, set[str]] = {
    "languages": set(),
    "attention": set(),
    "kept": set(),
    "entries": set(),
    "course": {"languages", "entries"},
    "glossary": {"languages", "entries"},
    "picture": set(),
    "running": set(),
    "runtime": set(),
    "examples": {"languages", "attention", "picture"},
    "training": {"languages", "attention", "kept", "examples"},
    "experiments": {"languages", "attention", "kept", "examples", "training"},
    "figures": {"languages", "attention", "examples", "training", "experiments"},
    "demos": {"languages", "attention", "examples", "training", "experiments"},
    "markdown": {
        "languages", "course", "glossary", "attention", "examples", "training", "experiments",
        "figures", "demos",
    },
    "site": {"languages", "entries", "course", "runtime", "figures", "demos", "markdown"},
}  # fmt: skip

# Third-party packages that only these rooms may import.
RESERVED = {"matplotlib": {"figures"}, "mkdocs": {"site"}}


def imported_modules(source: str, package: str) -> set[str]:
    """Return the full names of all modules that the source imports, at any depth."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package.rsplit(".", node.level - 1)[0] if node.level else ""
            module = ".".join(part for part in (base, node.module) if part)
            names |= {f"{module}.{alias.name}" for alias in node.names}
    return names


def faults(room: str, path: str, source: str) -> list[str]:
    """Return what a file of a room imports against the rule, one sentence each."""
    package = ".".join(["qkvdocs", *Path(path).parent.parts])
    found = []
    for name in sorted(imported_modules(source, package)):
        top, _, rest = name.partition(".")
        if top == "qkvdocs":
            other = rest.split(".")[0]
            if other in MAY_IMPORT and other != room and other not in MAY_IMPORT[room]:
                found.append(f"{path}: {room} may not import {other} ({name})")
            if room == "demos" and other == "demos":
                found += another_demo(path, rest)
        elif top in RESERVED and room not in RESERVED[top]:
            found.append(f"{path}: only {sorted(RESERVED[top])} may import {top}")
        elif room == "attention" and top not in {"numpy", *sys.stdlib_module_names}:
            found.append(f"{path}: attention imports NumPy alone, not {top}")
    return found


def another_demo(path: str, imported: str) -> list[str]:
    """Return a fault if a demo's file imports from the folder of another demo."""
    own, other = folder_of_a_demo(Path(path).parts), folder_of_a_demo(tuple(imported.split(".")))
    if own is None or other is None or own == other:
        return []
    return [f"{path}: the demo {own} may not import {imported}"]


def folder_of_a_demo(parts: tuple[str, ...]) -> str | None:
    """Return the name of the demo's folder among the parts of a path or of a module's name."""
    return parts[1] if len(parts) > 2 and (PACKAGE / "demos" / parts[1]).is_dir() else None


def package_files() -> list[tuple[str, str]]:
    return [
        (path.relative_to(PACKAGE).parts[0].removesuffix(".py"), str(path.relative_to(PACKAGE)))
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.name != "__init__.py" or path.parent != PACKAGE
    ]


@pytest.mark.parametrize(("room", "path"), package_files())
def test_a_room_imports_only_what_lies_below_it(room: str, path: str) -> None:
    assert room in MAY_IMPORT, f"{path}: a room that the rule does not know; add it to MAY_IMPORT"
    assert faults(room, path, (PACKAGE / path).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("room", "path", "source"),
    [
        ("attention", "attention.py", "import scipy"),
        ("attention", "attention.py", "from qkvdocs.examples import engineer"),
        ("examples", "examples.py", "import matplotlib.pyplot as plt"),
        ("figures", "figures/lookup.py", "from qkvdocs.demos import load"),
        ("figures", "figures/lookup.py", "from ..demos import load"),
        ("markdown", "markdown/figure.py", "def late():\n    from mkdocs import config"),
        ("experiments", "experiments/weights.py", "from qkvdocs import figures"),
        ("demos", "demos/roles/data.py", "from qkvdocs.demos.stepper import data"),
    ],
)
def test_the_rule_sees_a_forbidden_import(room: str, path: str, source: str) -> None:
    assert len(faults(room, path, source)) == 1


def test_every_room_of_the_rule_exists() -> None:
    rooms = {room for room, _ in package_files()}
    assert set(MAY_IMPORT) <= rooms
