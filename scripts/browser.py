"""A Chromium for the tests and the measurements: found on the system, else installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from console import Stop, say

# The same engine without the window around it opens a page three times as fast, so it comes first.
NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
# What Debian calls it, then what all its relatives have.
PACKAGES = ("chromium-headless-shell", "chromium")

_ASK_PLAYWRIGHT = (
    "from playwright.sync_api import sync_playwright\n"
    "with sync_playwright() as p: print(p.chromium.executable_path)"
)


def ensure(python: Path) -> Path:
    """Return a browser that starts; ``python`` is the environment's, which has Playwright."""
    if chosen := os.environ.get("CHROMIUM"):
        return _chosen(chosen)
    browser = find() or _of_playwright(python)
    if browser is None and _may_use_apt():
        browser = _from_debian()
    if browser is None:
        browser = _from_playwright(python)
    return browser


def find() -> Path | None:
    """The first browser on PATH that starts.

    Starting it matters: Ubuntu's ``chromium-browser`` may be a script that only asks for snap.
    """
    found = (shutil.which(name) for name in NAMES)
    return next((Path(path) for path in found if path and starts(Path(path))), None)


def starts(browser: Path) -> bool:
    try:
        answer = subprocess.run([browser, "--version"], capture_output=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0


def _chosen(chosen: str) -> Path:
    path = shutil.which(chosen)
    if path is None or not starts(Path(path)):
        raise Stop(
            f"CHROMIUM is set to {chosen}, which does not start: "
            "set it to the path of a Chromium or Chrome, or unset it."
        )
    return Path(path)


def _may_use_apt() -> bool:
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return is_root and shutil.which("apt-get") is not None


def _from_debian() -> Path | None:
    say("  no browser found: installing Chromium with apt-get")
    # A failed update may only mean that one of several sources is away.
    _apt_get("update")
    for package in PACKAGES:
        _apt_get("install", "--yes", "--no-install-recommends", package)
        if browser := find():
            return browser
    return None


def _apt_get(*arguments: str) -> None:
    quietly = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "-qq", *arguments], env=quietly, stdout=subprocess.DEVNULL)


def _from_playwright(python: Path) -> Path:
    say("  no browser found: installing Playwright's Chromium")
    subprocess.run([python, "-m", "playwright", "install", "chromium"])
    browser = _of_playwright(python)
    if browser is None:
        raise Stop(
            "No browser for the tests: none was found and none could be installed; install "
            "Chromium or Chrome, or set CHROMIUM to the path of one."
        )
    return browser


def _of_playwright(python: Path) -> Path | None:
    answer = subprocess.run([python, "-c", _ASK_PLAYWRIGHT], capture_output=True, text=True)
    path = Path(answer.stdout.strip() or os.devnull)
    return path if answer.returncode == 0 and starts(path) else None
