"""Lighthouse's four mobile scores of lesson 02."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from measurements.figures import Bench, CannotMeasure, Figure
from measurements.project import ADDRESSES, LANGUAGES, build, copy_of
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
    build(project)
    figures = []
    with served(project / "site") as server:
        for language in LANGUAGES:
            report = bench.scratch / f"lighthouse-{language}.json"
            command = [node, str(script), server.base + ADDRESSES[language], "--quiet"]
            command += ["--output=json", f"--output-path={report}", f"--chrome-flags={_FLAGS}"]
            answer = subprocess.run(
                command,
                env={**os.environ, "CHROME_PATH": str(browser)},
                capture_output=True,
                text=True,
            )
            if answer.returncode != 0:
                said = answer.stderr.strip().splitlines() or ["nothing"]
                raise CannotMeasure(f"Lighthouse failed and said last: {said[-1]}")
            figures += _scores(json.loads(report.read_text(encoding="utf-8")), language)
    return figures


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


def _scores(report: dict[str, Any], language: str) -> list[Figure]:
    return [
        Figure(
            f"Lighthouse {category}, {language}",
            round(100 * (report["categories"][category]["score"] or 0)),
            "",
            at_least=100,
            details={"audits below 1": _costly(report, category)},
        )
        for category in CATEGORIES
    ]


def _costly(report: dict[str, Any], category: str) -> dict[str, float]:
    references = report["categories"][category]["auditRefs"]
    weighty = [reference["id"] for reference in references if reference["weight"]]
    scores = {name: report["audits"][name]["score"] for name in weighty}
    return {name: score for name, score in scores.items() if score is not None and score < 1}
