"""The built site as the tests find it."""

from dataclasses import dataclass
from pathlib import Path

from qkvdocs.languages import LANGUAGES, Language
from qkvdocs.site.navigation import drafts
from tests.content import page


@dataclass(frozen=True)
class Built:
    """A finished build: the folder that is served, the site below it, what mkdocs said."""

    root: Path
    site: Path
    log: Path

    @property
    def succeeded(self) -> bool:
        return self.log.read_text(encoding="utf-8").endswith("exit 0\n")

    def pages(self) -> list[Path]:
        """All HTML pages, relative to the site."""
        return sorted(path.relative_to(self.site) for path in self.site.rglob("*.html"))


def url(language: Language, source: Path) -> str:
    """Return where the page of a source file is published, relative to the site."""
    prefix = "" if language == "zh" else f"{language}/"
    if source.name == "index.md":
        parent = source.parent.as_posix()
        return prefix if parent == "." else f"{prefix}{parent}/"
    return f"{prefix}{source.with_suffix('').as_posix()}/"


def addresses() -> list[str]:
    """Return the addresses of all published pages, both languages, their 404 pages included."""
    sources = [
        (language, path)
        for language in LANGUAGES
        for path in page.paths(language)
        if path.suffix in {".md", ".py"} and path.as_posix() not in drafts()
    ]
    return [url(*source) for source in sources] + ["404.html", "en/404.html"]
