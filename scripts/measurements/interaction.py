"""What an input costs a reader of a demo on a slow machine, and what its code weighs."""

import gzip
import statistics
from collections.abc import Iterable
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from measurements.figures import Bench, Figure
from measurements.project import LANGUAGES, build, copy_of
from measurements.web_server import served

SLOWDOWN = 4
INPUTS = 24
GOAL_MEDIAN_MS = 16
GOAL_WORST_MS = 50
GOAL_KB = 30.0
# What hosts do on the fly.
GZIP_LEVEL = 6

BARE = """<qkv-bare><input type=radio name=a><input type=radio name=a><p></p></qkv-bare>
<script>let n = 0; document.oninput = () => {
    document.querySelector('p').textContent = `${n += 1}`;
}</script>"""

# Focus the next control in sight, one of each group, and say which key changes it.
NEXT = """([name, turn]) => {
    const all = [...document.querySelectorAll(`qkv-${name} :is(
        [role=tab], input[type=radio], input[type=checkbox], input[type=range])`)];
    const groups = Map.groupBy(all.filter((one) => one.checkVisibility()),
        (one) => one.name || one.parentElement.role || one);
    const members = [...groups.values()][turn % groups.size];
    const one = members.find((each) => each.checked || each.ariaSelected === "true") ?? members[0];
    one.focus();
    if (one.type === "checkbox") return "Space";
    return one.type === "range" && one.value === one.max ? "Home" : "ArrowRight";
}"""


def interaction(bench: Bench) -> list[Figure]:
    """Main-thread time for each input of each demo, and the bytes of all demo code."""
    browser = bench.needed_browser()
    project = copy_of(bench.root, bench.scratch / "interaction")
    build(project)
    costs: dict[str, list[float]] = {}
    with served(project / "site") as server, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=browser,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        bare = _costs(chromium, f"data:text/html,{BARE}", "bare", ready="qkv-bare")
        for name, address in _places(project / "site").items():
            live = f"qkv-{name}.qkv-demo--live"
            costs[name] = _costs(chromium, f"{server.base}/{address}", name, ready=live)
        chromium.close()
    medians = {name: statistics.median(each) for name, each in costs.items()}
    worst = {name: max(each) for name, each in costs.items()}
    slow = f"{SLOWDOWN} times slower, the costliest demo"
    # What the browser takes for one word on an empty page, on this machine.
    own = f"an input, median, {SLOWDOWN} times slower, an empty page"
    return [
        Figure(own, statistics.median(bare), "ms"),
        Figure(
            f"an input, median, {slow}",
            max(medians.values()),
            "ms",
            GOAL_MEDIAN_MS,
            details={**medians},
        ),
        Figure(
            f"an input, worst, {slow}", max(worst.values()), "ms", GOAL_WORST_MS, details={**worst}
        ),
        _weight(bench.root / "qkvdocs"),
    ]


def _places(site: Path) -> dict[str, str]:
    """The address of a page for each demo, of the first language that shows it."""
    names = [path.parent.name for path in sorted(site.glob("assets/qkvdocs/demos/*/element.js"))]
    pages = sorted(site.rglob("index.html"), key=lambda path: path.parts[-3] in LANGUAGES)
    texts = {page: page.read_text(encoding="utf-8") for page in pages}
    found: dict[str, str] = {}
    for name in names:
        for page, html in texts.items():
            if f'data-demo="{name}"' in html:
                found.setdefault(name, page.relative_to(site).parent.as_posix() + "/")
    return found


def _costs(chromium: Browser, address: str, name: str, ready: str) -> list[float]:
    """Milliseconds of the main thread for each of some inputs, once there is a `ready` element."""
    context = chromium.new_context()
    page = context.new_page()
    page.goto(address, wait_until="networkidle")
    page.locator(f"qkv-{name}").evaluate("(demo) => demo.scrollIntoView()")
    page.locator(ready).first.wait_for(state="attached")
    page.wait_for_load_state("networkidle")
    session = context.new_cdp_session(page)
    # Of the thread alone, so that what else the machine does isn't held against the demo.
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    costs = []
    for turn in range(INPUTS):
        key = page.evaluate(NEXT, [name, turn])
        _settle(page)
        before = _busy(session)
        page.keyboard.press(key)
        _settle(page)
        costs.append(1000 * (_busy(session) - before))
    context.close()
    return costs


def _settle(page: Page) -> None:
    """Wait until what was changed is painted."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")


def _busy(session: CDPSession) -> float:
    """Seconds that the main thread has worked so far."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration"))


def _weight(package: Path) -> Figure:
    names = ("demo.js", "attention.js")
    files: Iterable[Path] = [
        *(package / "assets" / name for name in names),
        *sorted(package.glob("demos/*/element.js")),
    ]
    sizes = {
        path.relative_to(package).as_posix(): len(gzip.compress(path.read_bytes(), GZIP_LEVEL))
        for path in files
    }
    total = sum(sizes.values()) / 1000
    return Figure("code of all demos, gzip", total, "kB", at_most=GOAL_KB, details={**sizes})
