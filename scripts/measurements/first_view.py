"""What a reader's first look at lesson 02 costs in bytes."""

import shutil
from pathlib import Path

from mkdocs.commands.build import build as build_site
from mkdocs.config import load_config
from playwright.sync_api import sync_playwright

from measurements.figures import Bench, Figure
from measurements.project import ADDRESSES, LANGUAGES, LESSON, build, copy_of
from measurements.web_server import served

MORE_LESSONS = range(21, 31)
GOAL_KB = 150.0


def first_view(bench: Bench) -> list[Figure]:
    """Bytes of the first view of lesson 02, gzip, beside a page of Material with a few words."""
    browser = bench.needed_browser()
    project = copy_of(bench.root, bench.scratch / "first-view")
    build(project)
    figures = [_weigh(browser, project / "site", ADDRESSES[code], code) for code in LANGUAGES]
    for language in LANGUAGES:
        _add_lessons(project / "docs" / language)
    build(project)
    figures += [
        _weigh(browser, project / "site", ADDRESSES[code], f"{code}, ten more lessons")
        for code in LANGUAGES
    ]
    plain = _plain_page(bench.scratch / "plain-page")
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
        chromium.close()
        sent = dict(sorted(server.sent.items(), key=lambda item: -item[1]))
    total = sum(sent.values()) / 1000
    return Figure(f"first view, {title}", total, "kB", goal, details={"bytes": sent})


def _add_lessons(docs: Path) -> None:
    original = docs / f"{LESSON}.md"
    for number in MORE_LESSONS:
        shutil.copy(original, original.with_name(f"{number}-more.md"))


def _plain_page(folder: Path) -> Path:
    (folder / "docs").mkdir(parents=True)
    (folder / "docs" / "index.md").write_text("# Plain\n\nA few words.\n", encoding="utf-8")
    (folder / "mkdocs.yml").write_text(
        "site_name: Plain\ntheme:\n  name: material\n  font: false\n", encoding="utf-8"
    )
    config = load_config(config_file=str(folder / "mkdocs.yml"))
    config.plugins.on_startup(command="build", dirty=False)
    build_site(config)
    return folder / "site"
