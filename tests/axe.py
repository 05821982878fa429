"""What axe finds on a page, or in a part of it, as it stands."""

from collections.abc import Sequence

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

# All rules whose answer depends on colours.
OF_COLOURS = ("color-contrast", "link-in-text-block")


def violations(page: Page, part: str = "html", rules: Sequence[str] = ()) -> list[str]:
    """Return a line for each fault; `rules` are those to check, all if none is named."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    options: dict[str, object] = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = list(rules)
    run = "([part, options]) => axe.run(part, options).then((found) => found.violations)"
    return [
        f"{rule['id']}: {node['target']} {node['html'][:120]} {node['failureSummary'][:200]}"
        for rule in page.evaluate(run, [part, options])
        for node in rule["nodes"]
    ]
