"""Corrections to the theme's own HTML where it is not valid, until the theme corrects it."""

import re

CORRECTIONS = (
    # A checkbox has nothing to complete.
    (re.compile(r'(<input class="md-toggle"[^>]*?) autocomplete="off"'), r"\1"),
    # Not an attribute of HTML.
    (re.compile(r'(<input [^>]*class="md-search__input"[^>]*?) autocorrect="off"'), r"\1"),
    # An empty number; the label is reached through its checkbox.
    (re.compile(r'(<label class="md-nav__link"[^>]*?) tabindex=""'), r"\1"),
)


def corrected(html: str) -> str:
    """Return a whole page as HTML that a validator accepts."""
    for pattern, replacement in CORRECTIONS:
        html = pattern.sub(replacement, html)
    return html
