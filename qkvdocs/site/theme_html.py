"""Corrections to the theme's own HTML where it is not valid, until the theme corrects it."""

import re

CORRECTIONS = (
    # A checkbox has nothing to complete.
    (re.compile(r'(<input class="md-toggle"[^>]*?) autocomplete="off"'), r"\1"),
    # Not an attribute of HTML.
    (re.compile(r'(<input [^>]*class="md-search__input"[^>]*?) autocorrect="off"'), r"\1"),
    # An empty number; the label is reached through its checkbox.
    (re.compile(r'(<label class="md-nav__link"[^>]*?) tabindex=""'), r"\1"),
    # Where storage is forbidden, naming it throws, and takes search and the copy buttons along.
    (
        re.compile(
            r"__md_get=\(e,_=localStorage,t=__md_scope\)=>"
            r'(JSON\.parse\()_(\.getItem\(t\.pathname\+"\."\+e\)\)),'
            r"__md_set=\(e,_,t=localStorage,a=__md_scope\)=>\{try\{t"
        ),
        r"__md_get=(e,_,t=__md_scope)=>{try{return \1(_||localStorage)\2}catch(e){return null}},"
        r"__md_set=(e,_,t,a=__md_scope)=>{try{(t||localStorage)",
    ),
)


def corrected(html: str) -> str:
    """Return a whole page as HTML that a validator accepts."""
    for pattern, replacement in CORRECTIONS:
        html = pattern.sub(replacement, html)
    return html
