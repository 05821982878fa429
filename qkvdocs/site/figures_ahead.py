"""The figures of the language that is built second, drawn beside the build of the first.

Drawing is a quarter of a build that finds nothing in its cache, and a machine has a second core.
"""

import subprocess
import sys
from pathlib import Path

from qkvdocs.figures import kept, names
from qkvdocs.languages import Language


def draw_ahead(cache: Path, language: Language) -> subprocess.Popen[bytes] | None:
    """Start to draw what the cache lacks; return the process, or None if it has all.

    What fails there fails again when a page asks for it, and is then said with its place.
    """
    missing = [name for name in names() if kept(name, language, cache) is None]
    if not missing:
        return None
    command = [sys.executable, "-m", "qkvdocs.figures", str(cache), language, *missing]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
