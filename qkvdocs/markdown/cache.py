"""What earlier builds worked out, kept by the hash of all that it depends on."""

import functools
import hashlib
import os
import sys
from collections.abc import Callable
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path


@functools.cache
def code_hash() -> str:
    """Return a hash of the package's Python files, of NumPy's version and of Python's.

    It is taken once a process, like the modules themselves: a server that runs on after an edit
    must not keep the results of the old code under the name of the new.
    """
    digest = hashlib.sha256(f"{sys.version} {version('numpy')}".encode())
    package = Path(str(files("qkvdocs")))
    for path in sorted(package.rglob("*.py")):
        digest.update(path.relative_to(package).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


class Cache:
    """Texts in a folder, each under the hash of what it was made from; without a folder, nothing.

    Parameters
    ----------
    folder
        where the texts are kept; None keeps none
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def get(self, kind: str, made_from: str, make: Callable[[], str]) -> str:
        """Return the text of this kind that was made from `made_from`, made now if need be."""
        if self.folder is None:
            return make()
        key = hashlib.sha256(f"{code_hash()}\0{made_from}".encode()).hexdigest()
        path = self.folder / kind / key
        try:
            return path.read_text(encoding="utf-8")
        except FileNotFoundError:
            text = make()
            _write(path, text)
            return text


def _write(path: Path, text: str) -> None:
    # Two builds may write the same entry: each replaces it whole.
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(f".{os.getpid()}")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)
