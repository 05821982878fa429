"""Lighthouse's four mobile scores of lesson 02."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from measurements.figures import Bench, CannotMeasure, Figure
from measurements.plain_site import plain_page
from measurements.project import ADDRESSES, LANGUAGES, build, copy_of, take_runtime
from measurements.web_server import served

VERSION = "12.2.3"
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
_FLAGS = "--headless --no-sandbox --disable-gpu --disable-background-networking"


def lighthouse(bench: Bench) -> list[Figure]:
    """The scores of both languages; details name the audits that cost points."""
    browser = bench.needed_browser()
    node = shutil.which("node")
    if node is None:
        raise CannotMeasure("there is no node on PATH")
    script = _installed(bench.root / ".cache" / "node")
    project = copy_of(bench.root, bench.scratch / "lighthouse")
    take_runtime(bench.root, project)
    build(project)
    figures = []
    with served(project / "site") as server:
        for language in LANGUAGES:
            report = _report(node, script, browser, server.base + ADDRESSES[language])
            figures += _scores(report, language)
    # A busy machine costs points, so that the score of an empty page belongs to the answer.
    with served(plain_page(bench.scratch / "plain-page")) as server:
        report = _report(node, script, browser, f"{server.base}/")
        figures += _scores(report, "a plain Material page", goal=None)
    return figures


def _report(node: str, script: Path, browser: Path, address: str) -> dict[str, Any]:
    answer = subprocess.run(
        [node, str(script), address, "--quiet", "--output=json", f"--chrome-flags={_FLAGS}"],
        env={**os.environ, "CHROME_PATH": str(browser)},
        capture_output=True,
        text=True,
    )
    if answer.returncode != 0:
        said = answer.stderr.strip().splitlines() or ["nothing"]
        raise CannotMeasure(f"Lighthouse failed and said last: {said[-1]}")
    report: dict[str, Any] = json.loads(answer.stdout)
    return report


def _installed(folder: Path) -> Path:
    package = folder / "node_modules" / "lighthouse"
    manifest = package / "package.json"
    if not manifest.is_file() or json.loads(manifest.read_text("utf-8"))["version"] != VERSION:
        npm = shutil.which("npm")
        if npm is None:
            raise CannotMeasure("there is no npm on PATH to install Lighthouse with")
        folder.mkdir(parents=True, exist_ok=True)
        answer = subprocess.run(
            [
                npm,
                "install",
                "--no-audit",
                "--no-fund",
                "--prefix",
                folder,
                f"lighthouse@{VERSION}",
            ],
            cwd=folder,
            capture_output=True,
            text=True,
        )
        if answer.returncode != 0:
            raise CannotMeasure(f"npm could not install lighthouse@{VERSION}")
    return package / "cli" / "index.js"


def _scores(report: dict[str, Any], page: str, goal: float | None = 100) -> list[Figure]:
    return [
        Figure(
            f"Lighthouse {category}, {page}",
            round(100 * (report["categories"][category]["score"] or 0)),
            "",
            at_least=goal,
            details={"audits below 1": _costly(report, category)},
        )
        for category in CATEGORIES
    ]


def _costly(report: dict[str, Any], category: str) -> dict[str, float]:
    references = report["categories"][category]["auditRefs"]
    weighty = [reference["id"] for reference in references if reference["weight"]]
    scores = {name: report["audits"][name]["score"] for name in weighty}
    return {name: score for name, score in scores.items() if score is not None and score < 1}
