"""Python for the reader's browser: which files it is made of, to the byte.

The files are third-party, so they are not in the repository; `scripts/runtime.py` fetches them, and
a site is published with them only if each is the one that is pinned here.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PYODIDE = "314.0.3"
PYTHON = "3.14.0"
ABI = "2026_0"
PLATFORM = "emscripten_5_0_3"
NUMPY = "2.4.3"


@dataclass(frozen=True)
class RuntimeFile:
    """One file that the browser needs.

    Parameters
    ----------
    name
        as Pyodide asks for it
    size
        in bytes
    sha256
        of its content, in hexadecimal
    """

    name: str
    size: int
    sha256: str

    def is_in(self, folder: Path) -> bool:
        """Return whether the folder has this very file."""
        path = folder / self.name
        return path.is_file() and self.is_content(path.read_bytes())

    def is_content(self, content: bytes) -> bool:
        """Return whether `content` is what is pinned."""
        return len(content) == self.size and hashlib.sha256(content).hexdigest() == self.sha256


NUMPY_WHEEL = RuntimeFile(
    f"numpy-{NUMPY}-cp314-cp314-pyemscripten_{ABI}_wasm32.whl",
    2916023,
    "0cad9c1b91f0082e4f959bc0e0bf5835a2efbba6ab3b1e9d1fe6e7e564cca98e",
)

FILES = (
    RuntimeFile(
        "pyodide.mjs", 17880, "5cfc46f5dcbaf2a16f26e2363f441873eb424762609cc03db00d6a2ace4d00e5"
    ),
    RuntimeFile(
        "pyodide.asm.mjs",
        1249447,
        "1a9775427ef6e8abaa7db88ece0515422d1886915ae5c9093776410c865dfd8d",
    ),
    RuntimeFile(
        "pyodide.asm.wasm",
        9596462,
        "e7f8fac36f8bf11085309cbc5c829b3ec3057c18bf1d73b05a6741612d63cdbf",
    ),
    RuntimeFile(
        "python_stdlib.zip",
        2545106,
        "444c770dfd75a32097fc0a7d5c1413fd3140601f49c3a1f2e9af0376fcd124b4",
    ),
    NUMPY_WHEEL,
)


def missing(folder: Path) -> Iterator[RuntimeFile]:
    """Yield each file that the folder lacks, or has with another content."""
    return (file for file in FILES if not file.is_in(folder))
