"""A loopback server that sends a built site as a web host does, and counts the bytes."""

import gzip
import mimetypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

_COMPRESSIBLE = ("text/", "application/json", "application/xml", "image/svg+xml")
_SCRIPTS = ("text/javascript", "application/javascript")
# What a host does on the fly, not the most that gzip could do.
_GZIP_LEVEL = 6


class SiteServer(ThreadingHTTPServer):
    """Serves the folder ``site`` and keeps the size of every body it sent."""

    daemon_threads = True

    def __init__(self, site: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.site = site.resolve()
        self.sent: dict[str, int] = {}

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


@contextmanager
def served(site: Path) -> Iterator[SiteServer]:
    with SiteServer(site) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: SiteServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        file = self._file()
        status = 200 if file else 404
        kind = _kind(file or Path("404.html"))
        body = file.read_bytes() if file else self._not_found()
        packed = _is_compressible(kind) and "gzip" in self.headers.get("Accept-Encoding", "")
        if packed:
            body = gzip.compress(body, _GZIP_LEVEL)
        # Counted before it is sent: who has the answer may look at the count.
        self.server.sent[self.path] = self.server.sent.get(self.path, 0) + len(body)
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "max-age=600")
        if packed:
            self.send_header("Content-Encoding", "gzip")
            self.send_header("Vary", "Accept-Encoding")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """The figures are the only output."""

    def _file(self) -> Path | None:
        path = (self.server.site / unquote(urlsplit(self.path).path).lstrip("/")).resolve()
        if path.is_dir():
            path = path / "index.html"
        return path if path.is_file() and path.is_relative_to(self.server.site) else None

    def _not_found(self) -> bytes:
        page = self.server.site / "404.html"
        return page.read_bytes() if page.is_file() else b""


def _kind(file: Path) -> str:
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    return f"{kind}; charset=utf-8" if kind.startswith("text/") or kind in _SCRIPTS else kind


def _is_compressible(kind: str) -> bool:
    return kind.startswith((*_COMPRESSIBLE, *_SCRIPTS))
