"""Draw figures into a cache: `python -m qkvdocs.figures CACHE LANGUAGE NAME …`."""

import sys
from pathlib import Path

from qkvdocs.figures import render
from qkvdocs.languages import as_language


def main(cache: str, language: str, *names: str) -> None:
    """Draw the figures `names` with texts in `language` into the folder `cache`."""
    for name in names:
        render(name, as_language(language), cache=Path(cache))


if __name__ == "__main__":
    main(*sys.argv[1:])
