"""Rules of the theme's own style that cost every page more than they give."""

import re

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

SHEET = re.compile(r"assets/stylesheets/(main|palette)\.[0-9a-f]+\.min\.css")
RULE = re.compile(r"(?P<selectors>[^{}]*)\{[^{}]*\}")
# No transitions while the colours are switched. The theme switches them once on each page as well,
# when it starts, and a rule for all elements has the browser style all of them anew, twice.
ALL_ELEMENTS = re.compile(r"\[data-md-color-switching\] (?:\*|:after|:before)")
# What is styled by the lack of a class, or by its place alone beneath one, is styled anew whenever
# something above it gets another class, as the page itself does when the theme starts. The tables
# here have classes (site/tables.py), and there are no such tabs without their extension.
TABLES_WITHOUT_CLASS = re.compile(r"table:not\(\[class\]\)")
TABS = re.compile(r"\.tabbed-")


def lighten(files: Files, config: MkDocsConfig) -> None:
    """Publish the theme's sheets without those rules; the few transitions there are may be seen."""
    tabs = [] if "pymdownx.tabbed" in config.markdown_extensions else [TABS]
    unneeded = {"main": [TABLES_WITHOUT_CLASS, *tabs], "palette": [ALL_ELEMENTS]}
    for file in list(files):
        if sheet := SHEET.fullmatch(file.src_uri):
            lighter = without_rules(file.content_string, unneeded[sheet[1]])
            files.remove(file)
            files.append(File.generated(config, file.src_uri, content=lighter))


def without_rules(css: str, unneeded: list[re.Pattern[str]]) -> str:
    """Return the sheet without the rules of which each selector has one of the patterns in it.

    Examples
    --------
    >>> without_rules("a{b:c}@media print{.t a,.t b{d:e}.t a,b{f:g}}", [re.compile("[.]t")])
    'a{b:c}@media print{.t a,b{f:g}}'
    """

    def kept(rule: re.Match[str]) -> str:
        # A comma inside brackets makes two halves of a selector: such a rule may stay without need.
        selectors = rule["selectors"].split(",")
        needed = not all(any(each.search(one) for each in unneeded) for one in selectors)
        return rule[0] if needed else ""

    return RULE.sub(kept, css)
