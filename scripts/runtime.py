"""Fetch what runs Python in the reader's browser into a folder; runs inside the environment.

Each file is taken only if it is the one that qkvdocs.runtime pins, whoever hands it out.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from console import say
from qkvdocs import runtime
from qkvdocs.runtime import RuntimeFile

RELEASE = f"https://cdn.jsdelivr.net/pyodide/v{runtime.PYODIDE}/full/"
# A pinned package of another project that carries the same files.
CARRIER, CARRIER_VERSION = "open-webui", "0.12.4"
CARRIED_IN = "open_webui/frontend/pyodide/"

SECONDS_TO_ANSWER = 6
BLOCK = 1 << 17
BAR = 24

Source = Callable[[list[RuntimeFile], Path], None]


class Unavailable(Exception):
    """A source does not have the files; the message says what happened."""


def fetch(folder: Path, sources: tuple[Source, ...] | None = None) -> list[str]:
    """Complete the folder; return why it could not be completed, an empty list if it is."""
    folder.mkdir(parents=True, exist_ok=True)
    reasons = []
    for source in sources or (from_release, from_carrier):
        lacking = list(runtime.missing(folder))
        if not lacking:
            return []
        try:
            source(lacking, folder)
        except Unavailable as reason:
            say(f"  {reason}")
            reasons.append(str(reason))
    return reasons if any(runtime.missing(folder)) else []


def from_release(files: list[RuntimeFile], folder: Path) -> None:
    """Take the files from the release of Pyodide itself."""
    total = sum(file.size for file in files)
    say(f"Fetching Python for the browser: Pyodide {runtime.PYODIDE}, {_mb(total)} MB")
    done = 0
    for file in files:
        keep(file, b"".join(_download(file, done, total)), folder, "Pyodide's release")
        done += file.size


def from_carrier(files: list[RuntimeFile], folder: Path) -> None:
    """Take the files out of a package that carries them."""
    say(f"Taking the same files out of the package {CARRIER} {CARRIER_VERSION}, 106 MB")
    with tempfile.TemporaryDirectory(prefix="qkvdocs-runtime-") as scratch:
        if subprocess.run(_pip_download(Path(scratch))).returncode != 0:
            raise Unavailable(f"{CARRIER} {CARRIER_VERSION} could not be fetched")
        (wheel,) = Path(scratch).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            for file in files:
                try:
                    content = archive.read(CARRIED_IN + file.name)
                except KeyError:
                    raise Unavailable(f"{CARRIER} {CARRIER_VERSION} has no {file.name}") from None
                keep(file, content, folder, CARRIER)


def keep(file: RuntimeFile, content: bytes, folder: Path, origin: str) -> None:
    """Write a file if it is the pinned one, whole or not at all."""
    if not file.is_content(content):
        raise Unavailable(
            f"{file.name} from {origin} is not the pinned file: wanted {file.size} bytes with the "
            f"SHA-256 {file.sha256[:12]}…; got {len(content)} bytes"
        )
    partial = folder / f"{file.name}.partial"
    partial.write_bytes(content)
    partial.replace(folder / file.name)


def _download(file: RuntimeFile, done: int, total: int) -> Iterator[bytes]:
    try:
        with urllib.request.urlopen(RELEASE + file.name, timeout=SECONDS_TO_ANSWER) as answer:
            while block := answer.read(BLOCK):
                done += len(block)
                _draw(done, total, file.name)
                yield block
    except (OSError, urllib.error.URLError) as error:
        raise Unavailable(f"Pyodide's release could not be reached ({error})") from error
    finally:
        if sys.stdout.isatty() and done:
            print("\r\033[K", end="", flush=True)


def _draw(done: int, total: int, name: str) -> None:
    if sys.stdout.isatty():
        filled = BAR * done // total
        bar = "█" * filled + "░" * (BAR - filled)
        print(f"\r\033[K  {bar} {_mb(done)} of {_mb(total)} MB  {name}", end="", flush=True)


def _pip_download(folder: Path) -> list[str]:
    pin = f"{CARRIER}=={CARRIER_VERSION}"
    if importlib.util.find_spec("pip"):
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    elif uv := shutil.which("uv"):
        pip = [uv, "tool", "run", "pip"]
    else:
        raise Unavailable("neither pip nor uv is here to fetch a package with")
    # Nothing of the package is installed or run, so it may be meant for another Python.
    options = ["--no-deps", "--ignore-requires-python", "--only-binary=:all:", "--no-cache-dir"]
    return [*pip, "download", "--quiet", "--progress-bar=on", *options, "--dest", str(folder), pin]


def _mb(size: int) -> str:
    return f"{size / 1e6:.1f}"


if __name__ == "__main__":
    sys.exit(1 if fetch(Path(sys.argv[1])) else 0)
