"""What `mkdocs serve` rebuilds after an edit: the language that was edited, and no more."""

import logging
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from mkdocs.plugins import get_plugin_logger

log = get_plugin_logger("qkvdocs")

Rebuild = Callable[[], None]

# Files of the package that a process reads once: its modules, and the lists they keep in mind.
READ_ONCE = {".py", ".toml"}


@dataclass
class LiveBuilder:
    """Stands in for MkDocs' builder and chooses by the files that have changed.

    Parameters
    ----------
    chinese, english : Path
        The pages of each language.
    shared : tuple of Path
        All else that is watched: configurations and the package.
    everything, only_chinese, only_english : callable
        The ways to rebuild.
    renew : callable
        Loads the package anew.
    """

    chinese: Path
    english: Path
    shared: tuple[Path, ...]
    everything: Rebuild
    only_chinese: Rebuild
    only_english: Rebuild
    renew: Rebuild
    seen: dict[Path, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.seen = self._look()

    def __call__(self) -> None:
        """Rebuild after a change."""
        before, now = self.seen, self._look()
        changed = {path for path in before | now if before.get(path) != now.get(path)}
        if any(path.suffix in READ_ONCE and self._is_shared(path) for path in changed):
            log.info("The package has changed: every page of both languages is rendered again.")
            self.renew()
        self._choose(changed, same_files=before.keys() == now.keys())()
        # Set last: after a build that failed, the next one makes up for it.
        self.seen = now

    def _choose(self, changed: set[Path], *, same_files: bool) -> Rebuild:
        # A new or removed page changes links and navigation of its twin as well.
        if changed and same_files:
            if all(path.is_relative_to(self.english) for path in changed):
                return self.only_english
            if all(path.is_relative_to(self.chinese) for path in changed):
                return self.only_chinese
        return self.everything

    def _is_shared(self, path: Path) -> bool:
        return any(path.is_relative_to(folder) for folder in self.shared)

    def _look(self) -> dict[Path, int]:
        return {path: path.stat().st_mtime_ns for path in self._files()}

    def _files(self) -> Iterator[Path]:
        for watched in (self.chinese, self.english, *self.shared):
            if watched.is_file():
                yield watched
            for path in watched.rglob("*"):
                if path.is_file() and "__pycache__" not in path.parts:
                    yield path


def pass_over_drafts() -> None:
    """Keep MkDocs from saying of each draft, which is shown here, that a build leaves it out."""
    for name in ("mkdocs.structure.nav", "mkdocs.structure.pages"):
        logging.getLogger(name).addFilter(_is_of_no_draft)


def _is_of_no_draft(record: logging.LogRecord) -> bool:
    return not record.getMessage().endswith("excluded from the built site.")


def forget_package(name: str) -> None:
    """Let the next import of a package and its modules read them from their files again."""
    for module in [each for each in sys.modules if each == name or each.startswith(f"{name}.")]:
        del sys.modules[module]
