"""What the commands say, and how they end when something is missing."""

from __future__ import annotations


class Stop(Exception):
    """The command can't go on; the message says in one sentence why, and what to do."""


def say(text: str) -> None:
    # Flushed at once: children write to the same terminal, and the order should be the true one.
    print(text, flush=True)


class Steps:
    """Announces the steps of a command as ``[2/6] ruff check``."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._reached = 0

    def begin(self, title: str) -> None:
        self._reached += 1
        say(f"[{self._reached}/{self._total}] {title}")
