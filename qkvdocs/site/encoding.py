"""Texts that aren't UTF-8, found before anyone reads them: the readers know no file and no line."""

from collections.abc import Iterable
from pathlib import Path

TEXTS = (".css", ".html", ".js", ".md", ".py", ".pycon", ".toml")


def not_utf8(folders: Iterable[Path], root: Path) -> str | None:
    """Return what to say of the first text below `folders` that isn't UTF-8, if there is one.

    Parameters
    ----------
    folders : iterable of Path
        Where to look.
    root : Path
        The message names the file as seen from here, where that is possible.
    """
    for path in sorted(path for folder in folders for path in folder.rglob("*")):
        if path.suffix not in TEXTS or not path.is_file():
            continue
        content = path.read_bytes()
        try:
            content.decode("utf-8")
        except UnicodeDecodeError as error:
            shown = path.relative_to(root) if path.is_relative_to(root) else path
            line = content.count(b"\n", 0, error.start) + 1
            return (
                f"{shown.as_posix()}:{line}: wanted UTF-8; got the byte "
                f"0x{content[error.start]:02x}: save the file as UTF-8"
            )
    return None
