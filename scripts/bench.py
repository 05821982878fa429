"""Measure the site, print a table and write bench/latest.json; runs inside the environment.

Each measurement is a function of a Bench that returns Figures; a new one joins MEASUREMENTS.
"""

import json
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from console import Steps, say
from measurements.build_time import build_time
from measurements.edit_time import edit_time
from measurements.figures import Bench, Figure
from measurements.first_view import first_view
from measurements.interaction import interaction
from measurements.lighthouse import lighthouse
from measurements.run_time import run_time

ROOT = Path(__file__).resolve().parent.parent

MEASUREMENTS: tuple[Callable[[Bench], list[Figure]], ...] = (
    build_time,
    edit_time,
    first_view,
    interaction,
    lighthouse,
    run_time,
)


def main(only: Sequence[str]) -> int:
    names = [measurement.__name__ for measurement in MEASUREMENTS]
    if unknown := set(only) - set(names):
        say(f"No measurement is called {', '.join(sorted(unknown))}: choose of {', '.join(names)}.")
        return 2
    chosen = [m for m in MEASUREMENTS if not only or m.__name__ in only]
    browser = os.environ.get("QKVDOCS_CHROMIUM")
    figures, left_out = measure(chosen, Path(browser) if browser else None)
    if figures:
        say("\n" + table(figures))
    for name, reason in left_out.items():
        say(f"{name} was not measured: {reason}")
    say(f"\nWritten to {_write(figures, left_out).relative_to(ROOT)}")
    return 0


def measure(
    chosen: Sequence[Callable[[Bench], list[Figure]]], browser: Path | None
) -> tuple[list[Figure], dict[str, str]]:
    """The figures of all measurements that could run, and why the others couldn't."""
    figures: list[Figure] = []
    left_out: dict[str, str] = {}
    steps = Steps(len(chosen))
    for measurement in chosen:
        steps.begin(measurement.__name__)
        with tempfile.TemporaryDirectory(prefix="qkvdocs-bench-") as scratch:
            try:
                figures += measurement(Bench(ROOT, Path(scratch).resolve(), browser))
            # Whatever stops one measurement, the others are still worth having.
            except Exception as error:
                lines = str(error).splitlines() or [type(error).__name__]
                left_out[measurement.__name__] = lines[0]
                say(f"  not measured: {lines[0]}")
    return figures, left_out


def table(figures: Sequence[Figure]) -> str:
    rows = [("", "measured", "goal", "")]
    rows += [(f.name, f"{f.value:.4g} {f.unit}".strip(), f.goal, f.verdict) for f in figures]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return "\n".join(
        f"{name:<{widths[0]}}  {value:>{widths[1]}}  {goal:>{widths[2]}}  {verdict}".rstrip()
        for name, value, goal, verdict in rows
    )


def _write(figures: Sequence[Figure], left_out: dict[str, str]) -> Path:
    path = ROOT / "bench" / "latest.json"
    path.parent.mkdir(exist_ok=True)
    record = {
        "taken": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "figures": [asdict(figure) for figure in figures],
        "not measured": left_out,
    }
    path.write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
