"""What axe finds in a demo as it stands."""

from collections.abc import Sequence

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page


def violations(page: Page, name: str, rules: Sequence[str] = ()) -> list[str]:
    """Return a line for each fault; `rules` are those to check, all if none is named."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    options: dict[str, object] = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = list(rules)
    run = "([selector, options]) => axe.run(selector, options).then((found) => found.violations)"
    return [
        f"{rule['id']}: {node['html'][:120]} {node['failureSummary'][:200]}"
        for rule in page.evaluate(run, [f"qkv-{name}", options])
        for node in rule["nodes"]
    ]
