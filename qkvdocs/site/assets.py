"""The files that both languages share, published once at the root."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

ASSETS = "assets/qkvdocs"


def shared_files() -> Iterator[tuple[str, Path]]:
    """Yield the address below the root and the source of each shared file."""
    package = Path(str(files("qkvdocs")))
    for path in sorted((package / "assets").rglob("*")):
        if path.is_file():
            yield f"{ASSETS}/{path.relative_to(package / 'assets').as_posix()}", path
    for path in sorted((package / "demos").glob("*/*.js")):
        yield f"{ASSETS}/{path.relative_to(package).as_posix()}", path
