"""The files that both languages share, published once at the root."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from qkvdocs.site.compact import compact_script, compact_style

ASSETS = "assets/qkvdocs"


def shared_files(*, at_root: bool) -> Iterator[tuple[str, bytes]]:
    """Yield the address and the content of each file that the site of a language publishes.

    The site at the root has them all; the one below it has its icon, which Material looks for
    within the site of the language.
    """
    package = Path(str(files("qkvdocs")))
    assets = package / "assets"
    yield f"{ASSETS}/icon.svg", (assets / "icon.svg").read_bytes()
    if not at_root:
        return
    for path in sorted(assets.rglob("*.js")):
        yield f"{ASSETS}/{path.relative_to(assets).as_posix()}", _script(path)
    for path in sorted((package / "demos").glob("*/*.js")):
        yield f"{ASSETS}/{path.relative_to(package).as_posix()}", _script(path)
    yield f"{ASSETS}/site.css", _style(assets / "site.css", assets / "run" / "run.css")
    yield f"{ASSETS}/demos.css", _style(assets / "demos.css", *_styles_of_demos(package))


def has_demos(html: str) -> bool:
    """Return whether a page has a demo, and so wants the script and the style of demos."""
    return 'data-demo="' in html


def _script(path: Path) -> bytes:
    return compact_script(path.read_text(encoding="utf-8")).encode()


def _style(*paths: Path) -> bytes:
    """Return some sheets as one: a page waits for each before anything is shown."""
    return compact_style("".join(path.read_text(encoding="utf-8") for path in paths)).encode()


def _styles_of_demos(package: Path) -> list[Path]:
    return sorted((package / "demos").glob("*/style.css"))
