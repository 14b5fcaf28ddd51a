"""A server of files on this machine that can do what bad servers do."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DATE = "Mon, 02 Jan 2023 03:04:05 GMT"


@dataclass
class FileServer:
    """``files`` maps paths to bytes. ``cuts`` says after how many bytes the next responses break off."""

    files: dict[str, bytes] = field(default_factory=dict)
    redirects: dict[str, str] = field(default_factory=dict)
    cuts: list[int] = field(default_factory=list)
    requests: list[tuple[str, str | None]] = field(default_factory=list)  # path and Range

    def __enter__(self) -> FileServer:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                server._answer(self)

            def log_message(self, *_):
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._http.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_) -> None:
        self._http.shutdown()
        self._http.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        self.requests.append((handler.path, handler.headers.get("Range")))
        if handler.path in self.redirects:
            handler.send_response(302)
            handler.send_header("Location", self.redirects[handler.path])
            handler.end_headers()
            return
        data = self.files.get(handler.path)
        if data is None:
            handler.send_error(404)
            return
        start = 0
        if wanted := handler.headers.get("Range"):
            start = int(wanted.removeprefix("bytes=").removesuffix("-"))
            handler.send_response(206)
            handler.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        else:
            handler.send_response(200)
        handler.send_header("Content-Length", str(len(data) - start))
        handler.send_header("Accept-Ranges", "bytes")
        handler.send_header("Last-Modified", DATE)
        handler.end_headers()
        end = self.cuts.pop(0) if self.cuts else len(data)
        handler.wfile.write(data[start:end])
