"""What a reader's first look at lesson 02 costs in bytes."""

import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

from measurements.figures import Bench, Figure
from measurements.plain_site import plain_page
from measurements.project import ADDRESSES, LANGUAGES, LESSON, build, copy_of, take_runtime
from measurements.web_server import served

MORE_LESSONS = range(21, 31)
GOAL_KB = 150.0
QUIET_MS = 2000


def first_view(bench: Bench) -> list[Figure]:
    """Bytes of the first view of lesson 02, gzip, beside a page of Material with a few words."""
    browser = bench.needed_browser()
    project = copy_of(bench.root, bench.scratch / "first-view")
    take_runtime(bench.root, project)
    build(project)
    figures = [_weigh(browser, project / "site", ADDRESSES[code], code) for code in LANGUAGES]
    for language in LANGUAGES:
        _add_lessons(project / "docs" / language)
    build(project)
    figures += [
        _weigh(browser, project / "site", ADDRESSES[code], f"{code}, ten more lessons")
        for code in LANGUAGES
    ]
    plain = plain_page(bench.scratch / "plain-page")
    return [*figures, _weigh(browser, plain, "/", "a plain Material page", goal=None)]


def _weigh(
    browser: Path, site: Path, address: str, title: str, goal: float | None = GOAL_KB
) -> Figure:
    with served(site) as server, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=browser,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        page = chromium.new_page(viewport={"width": 1280, "height": 720})
        page.goto(server.base + address, wait_until="networkidle")
        # Workers and icons are asked for late, and on a busy machine later than that.
        counted: dict[str, int] = {}
        while counted != server.sent:
            counted = dict(server.sent)
            page.wait_for_timeout(QUIET_MS)
        chromium.close()
    sent = dict(sorted(counted.items(), key=lambda item: -item[1]))
    total = sum(sent.values()) / 1000
    return Figure(f"first view, {title}", total, "kB", goal, details={"bytes": sent})


def _add_lessons(docs: Path) -> None:
    original = docs / f"{LESSON}.md"
    for number in MORE_LESSONS:
        shutil.copy(original, original.with_name(f"{number}-more.md"))
