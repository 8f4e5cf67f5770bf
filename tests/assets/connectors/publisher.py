"""A publisher's server on this machine: real sockets, validators and ranges, and faults on request."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit


@dataclass
class File:
    """A file as it lies at the publisher."""

    content: bytes
    etag: str | None
    last_modified: str | None


Fault = Callable[["Handler", "File | None"], bool]
"""Answers a request in a way of its own; returns whether it did, or leaves it to the server."""


@dataclass
class Asked:
    """One request that came."""

    method: str
    path: str
    headers: dict[str, str]


@dataclass
class Publisher:
    """What lies at the server, what was asked, and what goes wrong next: a fault a request, in order."""

    address: str = ""
    files: dict[str, File] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    ranges: bool = True
    at_once: int = 0
    most_at_once: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def put(
        self,
        path: str,
        content: bytes,
        *,
        etag: str | None = '"v1"',
        last_modified: str | None = "Mon, 12 Jan 2026 08:00:00 GMT",
    ) -> str:
        """Place a file; return its address."""
        self.files[path] = File(content, etag, last_modified)
        return self.address + path


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    publisher: Publisher

    def do_GET(self) -> None:
        self._count()

    def do_HEAD(self) -> None:
        self._count()

    def _count(self) -> None:
        publisher = self.publisher
        with publisher.lock:
            publisher.asked.append(Asked(self.command, self.path, dict(self.headers.items())))
            publisher.at_once += 1
            publisher.most_at_once = max(publisher.most_at_once, publisher.at_once)
            fault = publisher.faults.pop(0) if publisher.faults else None
        try:
            file = publisher.files.get(self.path) or publisher.files.get(urlsplit(self.path).path)
            if fault is None or not fault(self, file):
                self._serve(file)
        finally:
            with publisher.lock:
                publisher.at_once -= 1

    def _serve(self, file: File | None) -> None:
        if file is None:
            self.reply(404, b"not here")
            return
        asked = self.headers
        unchanged = (
            asked["If-None-Match"] == file.etag
            if asked["If-None-Match"]
            else asked["If-Modified-Since"] is not None and asked["If-Modified-Since"] == file.last_modified
        )
        if unchanged:
            self.reply(304, b"", file=file)
            return
        start = self._start(file)
        if start is None:
            self.reply(200, file.content, file=file)
        elif start >= len(file.content):
            self.reply(416, b"", file=file, headers={"Content-Range": f"bytes */{len(file.content)}"})
        else:
            total = len(file.content)
            where = {"Content-Range": f"bytes {start}-{total - 1}/{total}"}
            self.reply(206, file.content[start:], file=file, headers=where)

    def _start(self, file: File) -> int | None:
        if not self.publisher.ranges or self.headers["Range"] is None:
            return None
        if self.headers["If-Range"] not in {None, file.etag, file.last_modified}:
            return None
        return int(self.headers["Range"].removeprefix("bytes=").partition("-")[0])

    def head(
        self,
        status: int,
        length: int | None,
        *,
        file: File | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        """Send status and headers."""
        self.send_response(status)
        if file is not None:
            for name, value in {
                "ETag": file.etag,
                "Last-Modified": file.last_modified,
            }.items():
                if value is not None:
                    self.send_header(name, value)
        if length is not None:
            self.send_header("Content-Length", str(length))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()

    def reply(
        self, status: int, content: bytes, *, file: File | None = None, headers: dict[str, str] | None = None
    ) -> None:
        """Send a whole answer."""
        self.head(status, len(content), file=file, headers=headers)
        if self.command != "HEAD":
            self.wfile.write(content)

    def finish(self) -> None:
        with suppress(OSError):
            super().finish()

    def handle(self) -> None:
        try:
            super().handle()
        except OSError:
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        pass


def status(code: int, **headers: str) -> Fault:
    """Answer with a status and nothing else."""

    def fault(handler: Handler, _: File | None) -> bool:
        handler.reply(code, b"", headers={name.replace("_", "-"): value for name, value in headers.items()})
        return True

    return fault


def breaks_after(count: int, *, declared: int | None = None) -> Fault:
    """Send the first bytes of what is asked for and close the connection."""

    def fault(handler: Handler, file: File | None) -> bool:
        assert file is not None
        start = handler._start(file) or 0
        total = len(file.content)
        where = {"Content-Range": f"bytes {start}-{total - 1}/{total}"} if start else {}
        handler.head(206 if start else 200, declared or total - start, file=file, headers=where)
        handler.wfile.write(file.content[start : start + count])
        handler.wfile.flush()
        handler.close_connection = True
        return True

    return fault


@contextmanager
def publishing() -> Iterator[Publisher]:
    """Run a publisher's server for the block."""
    publisher = Publisher()
    handler = type("Bound", (Handler,), {"publisher": publisher})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    publisher.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield publisher
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
