"""The little of WebDriver that a walk through the demos in WebKit needs.

https://www.w3.org/TR/webdriver2/: one HTTP request a command. WebKitGTK's driver starts its own
small browser, which wants a screen; Xvfb is one that nobody sees.
"""

import json
import os
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.demos.bidi import KEYS, PATIENCE

# Where distributions put the browser that belongs to the driver.
BROWSERS = "lib/*/webkit2gtk-4.*/MiniBrowser"


class WebKit:
    """One page of a WebKit."""

    def __init__(self, address: str, browser: Path) -> None:
        self._address = address
        options = {"binary": str(browser), "args": ["--automation"]}
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        self._session = f"session/{self._post('session', wanted)['sessionId']}"

    def open(self, address: str) -> None:
        self._post(f"{self._session}/url", {"url": address})

    def evaluate(self, expression: str) -> Any:
        """Return what JSON can hold of an expression's value; a promise is waited for."""
        script = f"Promise.resolve({expression}).then(arguments[0])"
        return self._post(f"{self._session}/execute/async", {"script": script, "args": []})

    def press(self, *keys: str) -> None:
        """Press and let go of keys as a keyboard does."""
        presses = [
            {"type": kind, "value": KEYS[key]} for key in keys for kind in ("keyDown", "keyUp")
        ]
        source = {"type": "key", "id": "keyboard", "actions": presses}
        self._post(f"{self._session}/actions", {"actions": [source]})

    def close(self) -> None:
        self._send(urllib.request.Request(f"{self._address}/{self._session}", method="DELETE"))

    def _post(self, path: str, content: dict[str, Any]) -> Any:
        body = json.dumps(content).encode()
        head = {"Content-Type": "application/json"}
        return self._send(urllib.request.Request(f"{self._address}/{path}", body, head))

    def _send(self, request: urllib.request.Request) -> Any:
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(json.load(error)["value"]["message"]) from error


def own_browser(driver: str) -> Path | None:
    """The browser that belongs to a driver, if it is there."""
    return next(iter(sorted(Path(driver).resolve().parents[1].glob(BROWSERS))), None)


@contextmanager
def started(driver: str, screen: str, browser: Path) -> Iterator[WebKit]:
    """A WebKit on a screen of its own, ended with the context."""
    with ExitStack() as ended, tempfile.TemporaryDirectory(prefix="webkit-") as home:
        display, port = ended.enter_context(_display(screen)), _free_port()
        settings = {"DISPLAY": display, "HOME": home, "XDG_RUNTIME_DIR": home}
        # Without a graphics card.
        settings |= {"LIBGL_ALWAYS_SOFTWARE": "1", "WEBKIT_DISABLE_COMPOSITING_MODE": "1"}
        command = [driver, f"--port={port}"]
        ended.enter_context(_process(command, env={**os.environ, **settings}))
        _wait_for(port)
        page = WebKit(f"http://127.0.0.1:{port}", browser)
        ended.callback(page.close)
        yield page


@contextmanager
def _display(screen: str) -> Iterator[str]:
    """The name of a screen that Xvfb chose and has ready."""
    read, write = os.pipe()
    command = [screen, "-displayfd", str(write), "-screen", "0", "1400x1000x24", "-nolisten", "tcp"]
    with _process(command, pass_fds=[write]):
        os.close(write)
        with os.fdopen(read) as said:
            yield f":{said.readline().strip()}"


@contextmanager
def _process(command: list[str], **options: Any) -> Iterator[None]:
    silent = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=silent, stderr=silent, **options) as process:
        try:
            yield
        finally:
            process.terminate()
            process.wait(timeout=PATIENCE)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_for(port: int) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except ConnectionRefusedError:
            assert time.monotonic() < end, f"the driver of WebKit doesn't listen on {port}"
            time.sleep(0.1)
