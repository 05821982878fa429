"""The project's own ``.venv``: made once, brought up to date when what it is made from changes."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from console import Stop, say

OLDEST_PYTHON = (3, 11)
NEWEST_PYTHON = (3, 13)

# In whatever way pip gets hold of a pinned package, it says which line of the lock asked for it.
_PIP_MENTIONS = re.compile(r".*\(from -r requirements\.lock \(line (\d+)\)\)")
_PIN = re.compile(r"([A-Za-z0-9._-]+)==")
_SECONDS_BETWEEN_LINES = 3.0

# What packages are built with, and the packages.
_BUILD_LOCK, _LOCK = _LOCKS = ("requirements.build.lock", "requirements.lock")


def check_python(version: tuple[int, int], other_pythons: Sequence[str] = ()) -> None:
    """Raise Stop unless Python ``version`` is one that the pinned packages exist for."""
    if OLDEST_PYTHON <= version <= NEWEST_PYTHON:
        return
    wanted = f"Python {_dotted(OLDEST_PYTHON)} to {_dotted(NEWEST_PYTHON)}"
    remedy = (
        f"start this command with {other_pythons[0]}, which is on this machine"
        if other_pythons
        else "install one of these and start this command with it"
    )
    raise Stop(f"qkvdocs needs {wanted}, and this is Python {_dotted(version)}: {remedy}.")


def fitting_pythons() -> list[str]:
    """Commands on PATH that should start a Python of a fitting version, newest first."""
    minors = range(NEWEST_PYTHON[1], OLDEST_PYTHON[1] - 1, -1)
    return [name for minor in minors if shutil.which(name := f"python3.{minor}")]


@dataclass(frozen=True)
class Environment:
    """The virtual environment of the project in ``root``."""

    root: Path
    uv: str | None

    @classmethod
    def of(cls, root: Path) -> Environment:
        return cls(root, shutil.which("uv"))

    @property
    def folder(self) -> Path:
        return self.root / ".venv"

    @property
    def python(self) -> Path:
        if os.name == "nt":
            return self.folder / "Scripts" / "python.exe"
        return self.folder / "bin" / "python"

    @property
    def stamp(self) -> Path:
        return self.folder / "qkvdocs-stamp.txt"

    def ensure(self) -> None:
        """Make the environment, or bring it up to date, unless its stamp says that it is."""
        wanted = self.wanted_stamp()
        if self._is_stamped(wanted):
            return
        # A broken or moved one can't be mended in place: its scripts name the old interpreter.
        if not self._is_usable():
            self._create()
        self._install()
        # Written last, so that an installation that broke off is done again.
        self.stamp.write_text(wanted, encoding="utf-8")

    def wanted_stamp(self) -> str:
        """Everything that the environment is made from, one line each."""
        lines = [f"python {_dotted(sys.version_info[:3])}", f"folder {self.root}"]
        for name in (*_LOCKS, "pyproject.toml"):
            digest = hashlib.sha256(self._input(name).read_bytes()).hexdigest()
            lines.append(f"{name} {digest}")
        return "\n".join(lines) + "\n"

    def create_commands(self) -> list[list[str]]:
        if self.uv:
            return [[self.uv, "venv", "--quiet", "--python", sys.executable, str(self.folder)]]
        return [[sys.executable, "-m", "venv", str(self.folder)]]

    def install_commands(self) -> list[list[str]]:
        """The pinned build tools, the packages, then the project, which asks for nothing else."""
        # Isolated, a package that comes as source would be built with whatever tools are newest.
        pinned = ["--require-hashes", "--no-build-isolation"]
        project = ["--no-deps", "--no-build-isolation", "--editable", "."]
        if self.uv:
            chosen = ["--python", str(self.python)]
            install = [self.uv, "pip", "install", "--quiet", *chosen]
            return [
                [*install, *pinned, "--requirement", _BUILD_LOCK],
                [self.uv, "pip", "sync", *chosen, *pinned, *_LOCKS],
                [*install, *project],
            ]
        pip = [str(self.python), "-m", "pip", "install", "--disable-pip-version-check"]
        return [
            [*pip, "--quiet", "--no-input", *pinned, "--requirement", _BUILD_LOCK],
            [*pip, "--no-input", *pinned, "--requirement", _LOCK],
            [*pip, "--quiet", *project],
        ]

    def _pins(self) -> dict[int, str]:
        text = self._input(_LOCK).read_text(encoding="utf-8", errors="replace")
        pins = pins_by_line(text)
        if not pins:
            raise Stop(f"{_LOCK} in {self.root} pins no package: take a fresh copy of it.")
        return pins

    def _input(self, name: str) -> Path:
        path = self.root / name
        if not path.is_file():
            raise Stop(f"{name} is missing from {self.root}: take a complete checkout.")
        return path

    def _is_stamped(self, wanted: str) -> bool:
        return (
            self.python.exists()
            and self.stamp.is_file()
            and self.stamp.read_text(encoding="utf-8") == wanted
        )

    def _is_usable(self) -> bool:
        if self.stamp.is_file() and f"folder {self.root}\n" not in self.stamp.read_text("utf-8"):
            return False
        needed = "sys" if self.uv else "sys, pip"
        probe = f"import {needed}; print(*sys.version_info[:3], sep='.')"
        try:
            answer = subprocess.run(
                [self.python, "-c", probe], capture_output=True, text=True, check=True
            )
        except (OSError, subprocess.CalledProcessError):
            return False
        return answer.stdout.strip() == _dotted(sys.version_info[:3])

    def _create(self) -> None:
        if not self.uv and importlib.util.find_spec("ensurepip") is None:
            raise Stop(
                "This Python can't make a virtual environment, because its ensurepip is missing: "
                "install it (on Debian and Ubuntu: apt-get install python3-venv) or install uv."
            )
        if self.folder.exists():
            shutil.rmtree(self.folder)
        say(f"Making .venv with Python {_dotted(sys.version_info[:3])}")
        for command in self.create_commands():
            if subprocess.run(command, cwd=self.root).returncode != 0:
                raise Stop("The virtual environment .venv could not be made; the reason is above.")

    def _install(self) -> None:
        tools, packages, project = self.install_commands()
        pins = self._pins()
        say(f"Installing {len(pins)} pinned packages into .venv (once, for a minute or more)")
        installed = subprocess.run(tools, cwd=self.root).returncode == 0
        if installed and self.uv:
            installed = subprocess.run(packages, cwd=self.root).returncode == 0
        elif installed:
            installed = _run_pip(packages, self.root, pins)
        if not installed:
            raise Stop(
                "The pinned packages could not be installed; the reason is above "
                "(without a network, try again with one)."
            )
        if subprocess.run(project, cwd=self.root).returncode != 0:
            raise Stop("qkvdocs itself could not be installed into .venv; the reason is above.")


def pins_by_line(lock: str) -> dict[int, str]:
    """The pinned packages by the number of the line they begin on, in the order of the lock."""
    numbered = enumerate(lock.splitlines(), start=1)
    return {number: pin[1] for number, line in numbered if (pin := _PIN.match(line))}


def progress(line: str, pins: dict[int, str]) -> str | None:
    """How far pip is through the lock (``17 of 122: click``), if ``line`` of its output tells."""
    mention = _PIP_MENTIONS.match(line)
    if mention is None or int(mention[1]) not in pins:
        return None
    number = int(mention[1])
    return f"{list(pins).index(number) + 1} of {len(pins)}: {pins[number]}"


def _run_pip(command: list[str], root: Path, pins: dict[int, str]) -> bool:
    """Run pip; of its hundreds of lines show how far it is, and all of them if it fails."""
    lines: list[str] = []
    told = time.monotonic()
    with subprocess.Popen(
        command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            is_due = time.monotonic() - told > _SECONDS_BETWEEN_LINES
            if is_due and (reached := progress(line, pins)):
                say(f"  {reached}")
                told = time.monotonic()
            elif line.startswith("Installing collected packages"):
                say("  all fetched, unpacking them")
    if process.returncode != 0:
        say("".join(lines).rstrip())
    return process.returncode == 0


def _dotted(version: Sequence[int]) -> str:
    return ".".join(str(part) for part in version)
