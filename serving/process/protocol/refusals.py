"""Errors of requests that are malformed or not accepted, and their answers, made without an application."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from serving.api.errors import STATUS, retry_after
from serving.api.origins import OriginPolicy
from serving.api.request_ids import HEADER
from serving.api.security_headers import security_headers
from serving.contract.errors import LawError
from serving.http.errors import error_body
from serving.http.middleware.cors import PROGRAMS, shared_part
from serving.http.middleware.envelope import VARY


class MalformedRequestError(LawError):
    """The bytes are no request of HTTP/1.1 or HTTP/1.0."""

    code = "bad_request"


class RequestTimeoutError(LawError):
    """The client took too long to send its request."""

    code = "request_timeout"


class UriTooLongError(LawError):
    """The address that is asked for is too long."""

    code = "uri_too_long"


class HeadersTooLargeError(LawError):
    """The headers are too long or too many."""

    code = "headers_too_large"


@dataclass(frozen=True, slots=True)
class Refused:
    """Parts of a refused request that came: its address, or how it begins, and headers in lower case."""

    url: bytes = b""
    headers: Mapping[bytes, str] = field(default_factory=dict)


class Refusals:
    """Answers to refused requests, with the body and the headers of all other errors.

    Args:
        public_url: address at which clients reach the service.
        origins: allows the pages that may ask for tokens.
        current_snapshot: returns the id of the snapshot in service, if there is one.
    """

    def __init__(
        self,
        public_url: str = "",
        origins: OriginPolicy | None = None,
        current_snapshot: Callable[[], str | None] = lambda: None,
    ) -> None:
        self._security = security_headers(public_url)
        self._origins = OriginPolicy(public_url) if origins is None else origins
        self._current_snapshot = current_snapshot

    def answer(
        self,
        error: LawError,
        asked: Refused,
        default_headers: Iterable[tuple[bytes, bytes]],
        request_id: str,
    ) -> bytes:
        """Return the complete answer to a refused request, after which the connection closes.

        Args:
            error: reason of the refusal.
            asked: what came of the request.
            default_headers: headers that the server adds to every answer.
            request_id: names the refusal, in the answer and in the log.
        """
        seconds = retry_after(error)
        extra = {} if seconds is None else {"retryAfterSec": seconds}
        body, content_type = error_body(
            error.code, error.message, request_id, extra, accept=asked.headers.get(b"accept")
        )
        headers = [
            ("content-type", content_type),
            ("content-length", str(len(body))),
            ("cache-control", "no-store"),
            *self._security,
            *self._sharing(asked),
            (HEADER, request_id),
            ("connection", "close"),
        ]
        if seconds is not None:
            headers.append(("retry-after", str(seconds)))
        snapshot = self._current_snapshot()
        if snapshot is not None:
            headers.append(("x-snapshot-id", snapshot))
        lines = [b"%b: %b\r\n" % header for header in default_headers]
        lines += [f"{name.lower()}: {value}\r\n".encode("latin-1") for name, value in headers]
        return b"".join((STATUS_LINE[STATUS[error.code]], *lines, b"\r\n", body))

    def _sharing(self, asked: Refused) -> list[tuple[str, str]]:
        path = unquote(asked.url.partition(b"?")[0].decode("latin-1"))
        varies = [("vary", VARY), *([("vary", "Origin")] if path in PROGRAMS else ())]
        part = shared_part(path, asked.headers.get(b"origin"), self._origins)
        if part is None:
            return varies
        shared, origin = part
        return [
            *varies,
            ("access-control-allow-origin", origin),
            ("access-control-expose-headers", shared.exposed),
        ]
