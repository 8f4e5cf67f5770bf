"""A server that speaks enough of Stripe's API."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs


@dataclass(frozen=True)
class Asked:
    """One request that reached the server."""

    path: str
    headers: dict[str, str]
    form: dict[str, str]


@dataclass
class StripeServer:
    """Answers as Stripe's API, one prepared answer after the other; the last one stays."""

    url: str
    answers: list[tuple[int, dict[str, Any]]]
    asked: list[Asked] = field(default_factory=list)


@contextmanager
def stripe_running() -> Iterator[StripeServer]:
    """Run a server on the loopback that opens a session each time it is asked, unless told to answer otherwise."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            form = {name: values[0] for name, values in parse_qs(body, strict_parsing=True).items()}
            headers = {name.lower(): value for name, value in self.headers.items()}
            stripe.asked.append(Asked(self.path, headers, form))
            answers = stripe.answers
            status, answer = answers.pop(0) if len(answers) > 1 else answers[0]
            content = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Request-Id", f"req_{len(stripe.asked)}")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    session = {"id": "cs_1", "object": "checkout.session", "url": "https://checkout.example/pay/cs_1"}
    stripe = StripeServer(f"http://127.0.0.1:{server.server_port}", [(200, session)])
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield stripe
    server.shutdown()
    thread.join()
    server.server_close()
