"""A rule of the theme's own style that costs every page more than it gives."""

import re

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

PALETTE = re.compile(r"assets/stylesheets/palette\.[0-9a-f]+\.min\.css")
# No transitions while the colours are switched. The theme switches them once on each page as well,
# when it starts, and a rule for all elements has the browser style all of them anew, twice.
SWITCHING = re.compile(r"(?:\[data-md-color-switching\] (?:\*|:after|:before),?)+\{[^}]*\}")


def lighten(files: Files, config: MkDocsConfig) -> None:
    """Publish the theme's palette without that rule; the few transitions there are may be seen."""
    for file in list(files):
        if PALETTE.fullmatch(file.src_uri):
            lighter = SWITCHING.sub("", file.content_string)
            files.remove(file)
            files.append(File.generated(config, file.src_uri, content=lighter))
