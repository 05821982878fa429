"""How long a change in a page takes to be seen while the site is served."""

import re
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue
from statistics import median

from measurements.figures import Bench, CannotMeasure, Figure
from measurements.project import ADDRESSES, LANGUAGES, LESSON, copy_of, variables

EDITS = 5
_LONGEST_WAIT = 120.0
_SERVING = re.compile(r"Serving on (http://\S+)")


def edit_time(bench: Bench) -> list[Figure]:
    """Seconds from saving lesson 02 to the changed page coming from the server."""
    project = copy_of(bench.root, bench.scratch / "edit-time")
    seconds: dict[str, list[float]] = {language: [] for language in LANGUAGES}
    with _served(project) as base:
        for number in range(EDITS):
            for language in LANGUAGES:
                page = project / "docs" / language / f"{LESSON}.md"
                seconds[language].append(_edit(page, base + ADDRESSES[language], f"edit{number}"))
    return [
        Figure(
            f"edit to visible, {language}",
            median(seconds[language]),
            "s",
            at_most=1.5,
            details={"seconds": seconds[language]},
        )
        for language in LANGUAGES
    ]


def _edit(page: Path, address: str, mark: str) -> float:
    # The watcher compares times of files: two edits at one moment would be one.
    time.sleep(1.0)
    text = page.read_text(encoding="utf-8")
    start = time.perf_counter()
    page.write_text(f"{text}\n\n{mark}\n", encoding="utf-8")
    while time.perf_counter() - start < _LONGEST_WAIT:
        if mark in _read(address):
            return time.perf_counter() - start
        time.sleep(0.02)
    raise CannotMeasure(f"an edit of {page.name} was not seen within {_LONGEST_WAIT:g} s")


def _read(address: str) -> str:
    try:
        with urllib.request.urlopen(address, timeout=_LONGEST_WAIT) as answer:
            return str(answer.read().decode("utf-8"))
    except (urllib.error.URLError, TimeoutError) as error:
        raise CannotMeasure(f"{address} gave no page: {error}") from error


@contextmanager
def _served(project: Path) -> Iterator[str]:
    """Serve the project on a free port; gives the address without a slash at its end."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "mkdocs", "serve", "--livereload", "-a", f"127.0.0.1:{port}"],
        cwd=project,
        env=variables(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    lines: Queue[str] = Queue()
    reader = threading.Thread(target=_pass_on, args=(process, lines), daemon=True)
    reader.start()
    try:
        yield _address(process, lines)
    finally:
        process.terminate()
        process.wait()
        reader.join()


def _pass_on(process: subprocess.Popen[str], lines: Queue[str]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.put(line)


def _address(process: subprocess.Popen[str], lines: Queue[str]) -> str:
    last = "nothing"
    end = time.monotonic() + _LONGEST_WAIT
    while time.monotonic() < end:
        try:
            last = lines.get(timeout=0.5).strip() or last
        except Empty:
            if process.poll() is not None:
                break
            continue
        if found := _SERVING.search(last):
            return found[1].rstrip("/")
    raise CannotMeasure(f"mkdocs serve did not come up and said last: {last}")
