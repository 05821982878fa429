"""The little of WebDriver BiDi that a walk through the demos in Firefox needs.

https://w3c.github.io/webdriver-bidi/: commands and answers as JSON over one WebSocket, which
Firefox itself offers; Tornado, of the lock, brings the client.
"""

import asyncio
import json
import re
import subprocess
import tempfile
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tornado.websocket import WebSocketClientConnection, websocket_connect

PATIENCE = 60

Run = Callable[[Coroutine[Any, Any, Any]], Any]

OFFERS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")

# As WebDriver names keys without a sign of their own.
KEYS = {"Tab": "\ue004", "Space": " ", "ArrowRight": "\ue014", "End": "\ue010", "Home": "\ue011"}

# Nothing that asks the network by itself.
PREFERENCES = """
user_pref("app.update.disabledForTesting", true);
user_pref("browser.safebrowsing.malware.enabled", false);
user_pref("browser.safebrowsing.phishing.enabled", false);
user_pref("browser.search.update", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("extensions.update.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("services.settings.server", "http://127.0.0.1:1/");
user_pref("toolkit.telemetry.server", "http://127.0.0.1:1/");
"""


class Firefox:
    """One page of a Firefox."""

    def __init__(self, run: Run, socket: WebSocketClientConnection) -> None:
        self._run = run
        self._socket = socket
        self._count = 0
        self.command("session.new", capabilities={})
        self._page = self.command("browsingContext.getTree")["contexts"][0]["context"]

    def command(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and return its result."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters}
        answer = self._run(self._answer(json.dumps(message)))
        assert answer["type"] == "success", f"{method}: {answer.get('message')}"
        result: dict[str, Any] = answer["result"]
        return result

    def open(self, address: str) -> None:
        self.command("browsingContext.navigate", context=self._page, url=address, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """Return what JSON can hold of an expression's value; a promise is waited for."""
        answer = self.command(
            "script.evaluate",
            expression=f"Promise.resolve({expression}).then(JSON.stringify)",
            target={"context": self._page},
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer["exceptionDetails"]["text"]
        value = answer["result"].get("value")
        return None if value is None else json.loads(value)

    def press(self, *keys: str) -> None:
        """Press and let go of keys as a keyboard does."""
        presses = [
            {"type": kind, "value": KEYS[key]} for key in keys for kind in ("keyDown", "keyUp")
        ]
        source = {"type": "key", "id": "keyboard", "actions": presses}
        self.command("input.performActions", context=self._page, actions=[source])

    async def _answer(self, message: str) -> dict[str, Any]:
        await self._socket.write_message(message)
        while True:
            said = await self._socket.read_message()
            assert said is not None, "Firefox closed the connection"
            answer: dict[str, Any] = json.loads(said)
            # Events that nobody asked for come between the answers.
            if answer.get("id") == self._count:
                return answer


@contextmanager
def started(program: str) -> Iterator[Firefox]:
    """A Firefox without a window and with a profile of its own, ended with the context."""
    with tempfile.TemporaryDirectory(prefix="firefox-", ignore_cleanup_errors=True) as profile:
        Path(profile, "user.js").write_text(PREFERENCES, encoding="utf-8")
        command = [program, "--headless", "--no-remote", "--profile", profile]
        with subprocess.Popen(
            [*command, "--remote-debugging-port", "0"], stderr=subprocess.PIPE, text=True
        ) as process:
            try:
                with _loop() as run:
                    socket = run(_connected(_address(process)))
                    yield Firefox(run, socket)
                    run(_closed(socket))
            finally:
                process.terminate()
                process.wait(timeout=PATIENCE)


@contextmanager
def _loop() -> Iterator[Run]:
    """An event loop in a thread of its own: Playwright, if it is there, has this thread's."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield lambda task: asyncio.run_coroutine_threadsafe(task, loop).result(PATIENCE)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _connected(address: str) -> WebSocketClientConnection:
    return await websocket_connect(f"{address}/session", max_message_size=1 << 26)


async def _closed(socket: WebSocketClientConnection) -> None:
    socket.close()
    while await socket.read_message() is not None:
        pass


def _address(process: subprocess.Popen[str]) -> str:
    """Where Firefox listens, which it says on its way up."""
    assert process.stderr is not None
    impatience = threading.Timer(PATIENCE, process.terminate)
    impatience.start()
    said = []
    for line in process.stderr:
        said.append(line)
        if offer := OFFERS.search(line):
            impatience.cancel()
            # What it says later has to be taken, or it would wait for that.
            threading.Thread(target=process.stderr.read, daemon=True).start()
            return offer[1]
    raise AssertionError(f"Firefox offered no connection; it said: {''.join(said)}")
