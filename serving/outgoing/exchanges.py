"""One request of this server to another, and its answer: bounded in time and bytes, and led nowhere else.

Redirects are not followed, and proxies of the environment are not used. The caller decides whom to ask.
"""

import http.client
import socket
import ssl
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import SplitResult

from serving.contract.errors import LawError


class UnreachedError(LawError):
    """No whole answer came within the bounds; the message says why, and nothing of what was asked."""

    code = "unreached"


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds of an exchange.

    Attributes:
        connect_seconds: for a connection to one address.
        total_seconds: from the beginning to the last byte.
        answer_bytes: of the answer's body; None: the body is not read.
    """

    connect_seconds: float
    total_seconds: float
    answer_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """A request; `target` is its path with its query."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer; `retry_after` is its header of that name, as it came."""

    status: int
    retry_after: str | None
    body: bytes


def exchange(server: SplitResult, address: str, request: Request, bounds: Bounds) -> Answer:
    """Send a request and return its answer.

    Args:
        server: address of the server, whose scheme, host and port count; a certificate has to prove the host.
        address: host or IP address that the connection goes to.
        request: what is sent.
        bounds: what it may take.

    Raises:
        UnreachedError: no whole answer came.
    """
    connection = _Connection(server, address, bounds)
    # A server that sends a byte now and then must not hold the exchange beyond its time.
    end = threading.Timer(bounds.total_seconds, connection.abort)
    end.daemon = True
    end.start()
    try:
        headers = {**request.headers, "Connection": "close"}
        connection.request(request.method, request.target, request.body, headers)
        with connection.getresponse() as response:
            body = b""
            if bounds.answer_bytes is not None:
                body = response.read(bounds.answer_bytes + 1)
            if connection.aborted:
                raise TimeoutError  # what came may be a part, of the head too
            if bounds.answer_bytes is not None:
                _require_whole(response, body, bounds.answer_bytes)
            return Answer(response.status, response.getheader("Retry-After"), body)
    except (OSError, http.client.HTTPException, ValueError) as error:
        late = connection.aborted or isinstance(error, TimeoutError)
        # Its cause is not told: it may repeat what was asked.
        raise UnreachedError("no answer in time" if late else type(error).__name__) from None
    finally:
        end.cancel()
        connection.close()


def _require_whole(response: http.client.HTTPResponse, body: bytes, most: int) -> None:
    if len(body) > most:
        raise UnreachedError(f"more than {most:,} bytes")
    if response.length:
        raise UnreachedError("half an answer")


class _Connection(http.client.HTTPConnection):
    """A connection to an address under the name of its server; it can be ended from another thread."""

    def __init__(self, server: SplitResult, address: str, bounds: Bounds) -> None:
        self._is_secure = server.scheme == "https"
        default = 443 if self._is_secure else 80
        super().__init__(server.hostname or "", server.port or default, timeout=bounds.connect_seconds)
        self.default_port = default
        self._address = address
        self._bounds = bounds
        # `sock` is given up once the head of the answer is read; its body still comes over it.
        self._stream: socket.socket | None = None
        self.aborted = False

    def connect(self) -> None:
        """Connect to the address, and have its certificate prove the name."""
        plain = socket.create_connection((self._address, self.port), self._bounds.connect_seconds)
        self.sock = self._stream = plain
        if self._is_secure:
            self.sock = ssl.create_default_context().wrap_socket(plain, server_hostname=self.host)
            self._stream = self.sock
        self.sock.settimeout(self._bounds.total_seconds)
        if self.aborted:
            raise TimeoutError

    def abort(self) -> None:
        """End what is under way, from another thread."""
        self.aborted = True
        if self._stream is not None:
            try:
                self._stream.shutdown(socket.SHUT_RDWR)
            except OSError:
                return  # it has ended
