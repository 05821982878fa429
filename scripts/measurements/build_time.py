"""How long a build takes, against MkDocs and Material alone."""

import shutil
import sys
from pathlib import Path

from measurements.figures import Bench, Figure
from measurements.project import LANGUAGES, build, copy_of, timed

ROUNDS = 3


def build_time(bench: Bench) -> list[Figure]:
    """Clean and warm builds of both languages as multiples of a plain build.

    The labs are left out of the comparison, because they are Python files that plain MkDocs
    doesn't read; what they cost is in the two figures with all pages.
    """
    project = copy_of(bench.root, bench.scratch / "build-time")
    with_labs = {"clean": _clean_build(project), "warm": build(project)}
    for language in LANGUAGES:
        shutil.rmtree(project / "docs" / language / "labs", ignore_errors=True)
    seconds: dict[str, list[float]] = {"clean": [], "warm": [], "plain": []}
    # In turns, and the fastest counts: what else the machine does only ever makes a build slower.
    for _ in range(ROUNDS):
        seconds["clean"].append(_clean_build(project))
        seconds["warm"].append(build(project))
        seconds["plain"].append(_plain_build(bench, project))
    best = {kind: min(measured) for kind, measured in seconds.items()}
    details: dict[str, object] = {"seconds": seconds}
    return [
        Figure("clean build / plain build", best["clean"] / best["plain"], "times", 2.0),
        Figure("warm build / plain build", best["warm"] / best["plain"], "times", 1.2),
        Figure("plain build", best["plain"], "s", details=details),
        Figure("clean build with labs", with_labs["clean"], "s"),
        Figure("warm build with labs", with_labs["warm"], "s"),
    ]


def _clean_build(project: Path) -> float:
    for made in (".cache", "site"):
        shutil.rmtree(project / made, ignore_errors=True)
    return build(project)


def _plain_build(bench: Bench, project: Path) -> float:
    script = bench.root / "scripts" / "measurements" / "plain_site.py"
    output = bench.scratch / "plain-site"
    shutil.rmtree(output, ignore_errors=True)
    return timed([sys.executable, str(script), str(project), str(output)], project)
