"""The files that both languages share, published once at the root."""

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

ASSETS = "assets/qkvdocs"


def shared_files(*, at_root: bool) -> Iterator[tuple[str, Path]]:
    """Yield the address and the source of each file that the site of a language publishes.

    The site at the root has them all; the one below it has its icon, which Material looks for
    within the site of the language.
    """
    package = Path(str(files("qkvdocs")))
    if not at_root:
        yield f"{ASSETS}/icon.svg", package / "assets" / "icon.svg"
        return
    for path in sorted((package / "assets").rglob("*")):
        if path.is_file():
            yield f"{ASSETS}/{path.relative_to(package / 'assets').as_posix()}", path
    for path in sorted((package / "demos").glob("*/*")):
        if path.suffix in (".js", ".css"):
            yield f"{ASSETS}/{path.relative_to(package).as_posix()}", path


def demo_scripts(html: str) -> list[str]:
    """Return the addresses, below the shared folder, of the scripts of a page's demos."""
    package = Path(str(files("qkvdocs")))
    scripts = [f"demos/{name}/element.js" for name in _demos(html)]
    return [script for script in scripts if (package / script).is_file()]


def demo_stylesheets(html: str) -> list[str]:
    """Return the addresses, below the shared folder, of the style sheets of a page's demos."""
    package = Path(str(files("qkvdocs")))
    own = [f"demos/{name}/style.css" for name in _demos(html)]
    common = ["demos.css"] if own and (package / "assets" / "demos.css").is_file() else []
    return common + [sheet for sheet in own if (package / sheet).is_file()]


def _demos(html: str) -> list[str]:
    return sorted(set(re.findall(r'data-demo="([a-z-]+)"', html)))
