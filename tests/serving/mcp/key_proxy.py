"""A proxy that adds a key to every request, for clients that cannot send one."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

_OF_CONNECTION = {"connection", "content-length", "transfer-encoding", "keep-alive"}


@contextmanager
def proxy_with_key(port: int, key: str) -> Iterator[str]:
    """Run the proxy to a server on this machine, and yield its address. Headers pass as they are, blanks too."""

    class Handler(BaseHTTPRequestHandler):
        def forward(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            fields = {
                name: value for name, value in self.headers.items() if name.lower() not in _OF_CONNECTION
            }
            connection = HTTPConnection("127.0.0.1", port, timeout=60)
            try:
                connection.request(self.command, self.path, body, fields | {"Authorization": f"Bearer {key}"})
                answer = connection.getresponse()
                content = answer.read()
            finally:
                connection.close()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in _OF_CONNECTION:
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = forward  # noqa: N815 (named by the library)
        do_POST = forward  # noqa: N815 (named by the library)
        do_DELETE = forward  # noqa: N815 (named by the library)
        do_OPTIONS = forward  # noqa: N815 (named by the library)

        def log_message(self, *args: object) -> None:
            del args

    listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=listener.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.server_address[1]}"
    finally:
        listener.shutdown()
        thread.join()
        listener.server_close()
