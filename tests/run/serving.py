"""Servers for a built site: with headers of their own, counting, and gone when the test says so."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.conftest import Quiet


class Server:
    """A running server: where it is and what it was asked for."""

    def __init__(self, folder: Path, headers: Mapping[str, str]) -> None:
        self.requests: list[str] = []
        handler = partial(_Handler, self.requests, headers, directory=str(folder))
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/"

    def stop(self) -> None:
        """Be gone, as a network is; a second time does nothing."""
        if not self._thread.is_alive():
            return
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Handler(Quiet):
    def __init__(
        self, requests: list[str], headers: Mapping[str, str], *args: Any, **options: Any
    ) -> None:
        self.asked_for, self.own_headers = requests, headers
        super().__init__(*args, **options)

    def do_GET(self) -> None:
        self.asked_for.append(self.path)
        super().do_GET()

    def end_headers(self) -> None:
        for name, value in self.own_headers.items():
            self.send_header(name, value)
        super().end_headers()


@contextmanager
def serving(folder: Path, headers: Mapping[str, str] | None = None) -> Iterator[Server]:
    """Serve a folder until the end of the block, or until it is stopped inside."""
    server = Server(folder, headers or {"Cache-Control": "max-age=600"})
    try:
        yield server
    finally:
        server.stop()
