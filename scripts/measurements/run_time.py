"""How long a reader waits for the first result, and what it costs in bytes."""

import json
import statistics
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from measurements.figures import Bench, Figure
from measurements.project import ADDRESSES, build, copy_of, take_runtime
from measurements.web_server import SiteServer, served

ROUNDS = 7
# Readers read before they press; by then a page has come to rest.
REST_MS = 2500
GOAL_RATIO = 1.10
CODE = "import numpy as np\\nnp.arange(3).tolist()"

# What any page needs for NumPy's first result: the same files, in a worker, and nothing around.
BARE_WORKER = f"""
import {{ loadPyodide }} from "./pyodide.mjs"
const lockFileURL = new URL("LOCK", import.meta.url).href
const pyodide = await loadPyodide({{ indexURL: new URL(".", import.meta.url).href, lockFileURL }})
await pyodide.loadPackage("numpy", {{ messageCallback() {{}} }})
postMessage(pyodide.runPython("{CODE}").toString())
"""
BARE_PAGE = """<!doctype html><title>Bare</title><button>Run</button><p></p>
<script type="module">
document.querySelector("button").onclick = () => {
  const worker = new Worker("FOLDER/bare.js", { type: "module" })
  worker.onmessage = ({ data }) => { document.querySelector("p").textContent = data }
}
</script>
"""

# From the press itself to the frame that shows the result: to find the button, and to ask again and
# again for the result, would take longer on a long page.
WATCH = """(result) => {
    addEventListener("click", () => performance.mark("pressed"), { capture: true, once: true })
    const observer = new MutationObserver(() => {
        if (!document.querySelector(result)) return
        observer.disconnect()
        requestAnimationFrame(() => setTimeout(() => performance.mark("shown")))
    })
    observer.observe(document.body, {
        subtree: true, childList: true, attributeFilter: ["data-state"],
    })
}"""
MARKS = "['pressed', 'shown'].map((name) => performance.getEntriesByName(name)[0]?.startTime)"
OURS = (".qkv-snippet [data-do=run]:visible", "[data-state=checked]")
BARE = ("button", "p:not(:empty)")


def run_time(bench: Bench) -> list[Figure]:
    """From Run to the first result beside a bare page, then again on a second visit."""
    browser = bench.needed_browser()
    site = _site(bench)
    bare = _bare_page(site)
    waits: dict[str, list[float]] = {"ours": [], "bare": []}
    with served(site) as server, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=browser,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        # In turns, so that a busy minute of the machine is not held against one of the two.
        for _ in range(ROUNDS):
            waits["bare"].append(_first_visit(chromium, server.base + f"/{bare}", *BARE))
            waits["ours"].append(_first_visit(chromium, server.base + ADDRESSES["en"], *OURS))
        size = sum(sent for path, sent in _of_runtime(server).items() if "bare" not in path)
        second, requests = _second_visit(chromium, server)
        chromium.close()
    ours, alone = (statistics.median(waits[name]) for name in ("ours", "bare"))
    ratios = [one / other for one, other in zip(waits["ours"], waits["bare"], strict=True)]
    against_bare = Figure(
        "first result, against a bare page",
        statistics.median(ratios),
        "times",
        GOAL_RATIO,
        details={"each": ratios},
    )
    return [
        Figure("first result after Run", ours, "s", details={"each": waits["ours"]}),
        Figure("first result of a bare page", alone, "s", details={"each": waits["bare"]}),
        against_bare,
        Figure("Python and NumPy, a visit", size / ROUNDS / 2 / 1e6, "MB"),
        Figure("first result, second visit", second, "s"),
        Figure("requests for Python, second visit", requests, "", at_most=0),
    ]


def _site(bench: Bench) -> Path:
    project = copy_of(bench.root, bench.scratch / "run")
    take_runtime(bench.root, project)
    build(project)
    return project / "site"


def _bare_page(site: Path) -> str:
    (manifest,) = site.glob("assets/runtime/*/manifest.*.json")
    lock = json.loads(manifest.read_text(encoding="utf-8"))["lock"]
    folder = manifest.parent
    (folder / "bare.js").write_text(BARE_WORKER.replace("LOCK", lock), encoding="utf-8")
    page = BARE_PAGE.replace("FOLDER", folder.relative_to(site).as_posix())
    (site / "bare.html").write_text(page, encoding="utf-8")
    return "bare.html"


def _first_visit(chromium: Browser, address: str, button: str, result: str) -> float:
    context = chromium.new_context()
    seconds = _wait(context.new_page(), address, button, result)
    context.close()
    return seconds


def _wait(page: Page, address: str, button: str, result: str) -> float:
    """Seconds from the press of a button until there is a result to be seen."""
    page.goto(address, wait_until="networkidle")
    # What a page does when a reader first moves is done before the reader presses.
    page.mouse.move(1, 1)
    page.wait_for_timeout(REST_MS)
    page.evaluate(WATCH, result)
    page.locator(button).first.click()
    page.wait_for_function(f"{MARKS}[1]", polling=100)
    pressed, shown = page.evaluate(MARKS)
    return float(shown - pressed) / 1000


def _second_visit(chromium: Browser, server: SiteServer) -> tuple[float, int]:
    context = chromium.new_context()
    page = context.new_page()
    _wait(page, server.base + ADDRESSES["en"], *OURS)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(REST_MS)
    server.sent.clear()
    seconds = _wait(page, server.base + ADDRESSES["en"], *OURS)
    context.close()
    return seconds, len(_of_runtime(server))


def _of_runtime(server: SiteServer) -> dict[str, int]:
    return {path: sent for path, sent in server.sent.items() if "/assets/runtime/" in path}
