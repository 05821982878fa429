"""The service worker: what lets visited pages be read when the network is gone."""

import hashlib
import json
from importlib.resources import files
from pathlib import Path

from qkvdocs.site.compact import compact_script

SERVICE_WORKER = "sw.js"


def write_service_worker(site: Path, *, offline: bool) -> None:
    """Add the service worker to a built site, or the one that removes it.

    Parameters
    ----------
    site
        a site that is complete
    offline
        whether pages are to be kept in the reader's browser
    """
    name = "service_worker.js" if offline else "no_service_worker.js"
    script = compact_script((files("qkvdocs.site") / name).read_text(encoding="utf-8"))
    runtime = [path.relative_to(site).as_posix() for path in _runtime_files(site)]
    script = script.replace("@VERSION@", version_of(site))
    script = script.replace('"@RUNTIME_FILES@"', json.dumps(runtime))
    (site / SERVICE_WORKER).write_text(script, encoding="utf-8")


def version_of(site: Path) -> str:
    """Return a hash of all that a built site consists of."""
    digest = hashlib.sha256()
    runtime = set(_runtime_files(site))
    for path in sorted(site.rglob("*")):
        if path.is_file():
            digest.update(f"{path.relative_to(site).as_posix()}\0".encode())
            # Runtime files have their content in their name.
            digest.update(b"" if path in runtime else path.read_bytes())
    return digest.hexdigest()[:16]


def _runtime_files(site: Path) -> list[Path]:
    return sorted(path for path in (site / "assets" / "runtime").rglob("*") if path.is_file())
