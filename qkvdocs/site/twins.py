"""A page and the same page in the other language: where each is, and that both exist."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin

from mkdocs.exceptions import PluginError
from mkdocs.utils import get_relative_url

from qkvdocs.languages import LANGUAGES, Language

# Where each language lies under the root of the site.
PREFIXES: dict[Language, str] = {"zh": "", "en": "en/"}


@dataclass(frozen=True)
class Twin:
    """The same page in the other language, as a link that is right at any base path."""

    language: Language
    href: str


def other(language: Language) -> Language:
    """Return the language that `language` is not."""
    (found,) = (each for each in LANGUAGES if each != language)
    return found


def twin_of(url: str, language: Language) -> Twin:
    """Return the twin of the page at `url`, an address below the root of its own language.

    Examples
    --------
    >>> twin_of("notes/qkv-roles/", "en").href
    '../../../notes/qkv-roles/'
    """
    here, there = PREFIXES[language] + url, PREFIXES[other(language)] + url
    return Twin(other(language), get_relative_url(_folder(there), here))


def absolute_addresses(url: str, language: Language, site_url: str) -> dict[str, str]:
    """Return the absolute address of a page in each language, and for readers of neither.

    Examples
    --------
    >>> absolute_addresses("", "en", "https://example.org/en/")["zh"]
    'https://example.org/'
    """
    root = site_url.removesuffix(PREFIXES[language])
    chinese, english = (urljoin(root, PREFIXES[each] + _folder(url)) for each in LANGUAGES)
    # A reader of neither language is likelier to read English.
    return {"zh": chinese, "en": english, "x-default": english}


def check_twins(docs_dir: Path, language: Language) -> None:
    """Stop the build if a page of either language has no twin.

    Raises
    ------
    PluginError
        If a page is missing in one language; its text names the file to write.
    """
    folders = {language: docs_dir, other(language): docs_dir.with_name(other(language))}
    pages = {each: _pages(folder) for each, folder in folders.items()}
    for each, folder in folders.items():
        for missing in sorted(pages[other(each)] - pages[each]):
            raise PluginError(
                f"{_short(folder / missing)}: wanted this page in both languages; it is only in "
                f"{_short(folders[other(each)] / missing)}: write it in {each}, or remove the other"
            )


def _pages(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for pattern in ("*.md", "labs/*.py")
        for path in folder.rglob(pattern)
    }


def _folder(url: str) -> str:
    # MkDocs calls the address of the index "./".
    return "" if url in (".", "./") else url


def _short(path: Path) -> str:
    # Messages name a page from the project's folder on, which holds docs/.
    roots = [parent.parent for parent in path.parents if parent.name == "docs"]
    return path.relative_to(roots[0]).as_posix() if roots else str(path)
