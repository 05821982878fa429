"""What a measurement gets, and what it returns."""

from dataclasses import dataclass, field
from pathlib import Path


class CannotMeasure(Exception):
    """Something that the measurement needs is missing or fails; the message says what."""


@dataclass(frozen=True)
class Bench:
    """Where a measurement works."""

    root: Path
    scratch: Path
    browser: Path | None

    def needed_browser(self) -> Path:
        if self.browser is None:
            raise CannotMeasure("there is no browser")
        return self.browser


@dataclass(frozen=True)
class Figure:
    """One measured number, with the bound that it is to keep, if there is one."""

    name: str
    value: float
    unit: str
    at_most: float | None = None
    at_least: float | None = None
    details: dict[str, object] = field(default_factory=dict)

    @property
    def goal(self) -> str:
        if self.at_most is not None:
            return f"≤ {self.at_most:g}"
        if self.at_least is not None:
            return f"≥ {self.at_least:g}"
        return ""

    @property
    def verdict(self) -> str:
        if self.at_most is not None:
            return "met" if self.value <= self.at_most else "missed"
        if self.at_least is not None:
            return "met" if self.value >= self.at_least else "missed"
        return ""
