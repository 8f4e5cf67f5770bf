"""A slow network between a browser and a server: pages come in pieces, with a pause behind each."""

import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx

FIRST_BYTES, FIRST_PIECE = 4000, 100
"""The beginning of a page, which has the header and what is seen without scrolling, comes in small pieces."""
FURTHER_PIECES = 10
PAUSE_SECONDS = 0.03
"""Longer than a browser takes to draw what has come."""
PASSED_ON = ("cache-control", "content-type", "content-security-policy", "location")


class SlowNetwork(ThreadingHTTPServer):
    """Passes on what it is asked for, pages slowly and all else at once.

    Args:
        home: address of the server behind it.
    """

    daemon_threads = True

    def __init__(self, home: str) -> None:
        super().__init__(("127.0.0.1", 0), _Exchange)
        self.behind = httpx.Client(base_url=home)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def __enter__(self) -> "SlowNetwork":
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()
        self.behind.close()


class _Exchange(BaseHTTPRequestHandler):
    server: SlowNetwork
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Answer as the server behind does."""
        asked = {name: value for name in ("accept", "cookie") if (value := self.headers.get(name))}
        answer = self.server.behind.get(self.path, headers=asked)
        self.send_response(answer.status_code)
        for name in PASSED_ON:
            if name in answer.headers:
                self.send_header(name, answer.headers[name])
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        slow = answer.headers.get("content-type", "").startswith("text/html")
        # A browser that goes on to the next page lets go of what it no longer needs, such as an icon.
        with suppress(ConnectionError):
            for piece in _pieces(answer.content) if slow else [answer.content]:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                self.wfile.flush()
                if slow:
                    time.sleep(PAUSE_SECONDS)
            self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *_: object) -> None:
        """Say nothing: the server behind has a log."""


def _pieces(body: bytes) -> Iterator[bytes]:
    begin = 0
    while begin < len(body):
        size = FIRST_PIECE if begin < FIRST_BYTES else max(FIRST_PIECE, len(body) // FURTHER_PIECES)
        # Behind an element: half a word may stand on a line that has no room for the whole, and no layout can help that.
        tag = body.find(b"</", begin + size)
        end = body.find(b">", tag) + 1 if tag > 0 else len(body)
        yield body[begin:end]
        begin = end
