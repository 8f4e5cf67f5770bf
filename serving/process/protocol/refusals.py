"""Errors of requests that are malformed or not accepted, and their answers, made without an application."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
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


Headers = list[tuple[bytes, bytes]]
Refuse = Callable[[LawError, str, Mapping[bytes, str]], tuple[bytes, Headers]]
"""Function of a door that returns the body and the headers with which it answers an error, given the id of
the request and the headers that came of it."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Parts of a refused request that came: its address, or how it begins, and headers in lower case."""

    url: bytes = b""
    headers: Mapping[bytes, str] = field(default_factory=dict)


class Refusals:
    """Answers to refused requests, with the body and the headers of all other errors at their paths.

    Args:
        public_url: address at which clients reach the service.
        origins: allows the pages that may ask for tokens.
        current_snapshot: returns the id of the snapshot in service, if there is one.
        doors: by path, the doors that answer errors otherwise than REST does.
    """

    def __init__(
        self,
        public_url: str = "",
        origins: OriginPolicy | None = None,
        current_snapshot: Callable[[], str | None] = lambda: None,
        doors: Mapping[str, Refuse] = MappingProxyType({}),
    ) -> None:
        self._security = security_headers(public_url)
        self._origins = OriginPolicy(public_url) if origins is None else origins
        self._current_snapshot = current_snapshot
        self._doors = doors

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
        path = unquote(asked.url.partition(b"?")[0].decode("latin-1"))
        refuse = self._doors.get(path)
        if refuse is not None:
            body, headers = refuse(error, request_id, asked.headers)
        else:
            body, headers = self._as_rest(error, request_id, path, asked.headers)
        headers = [
            *default_headers,
            *headers,
            (b"content-length", b"%d" % len(body)),
            (b"connection", b"close"),
        ]
        lines = [b"%b: %b\r\n" % header for header in headers]
        return b"".join((STATUS_LINE[STATUS[error.code]], *lines, b"\r\n", body))

    def _as_rest(
        self, error: LawError, request_id: str, path: str, asked: Mapping[bytes, str]
    ) -> tuple[bytes, Headers]:
        seconds = retry_after(error)
        extra = {} if seconds is None else {"retryAfterSec": seconds}
        body, content_type = error_body(
            error.code, error.message, request_id, extra, accept=asked.get(b"accept")
        )
        headers = [
            ("content-type", content_type),
            ("cache-control", "no-store"),
            *self._security,
            *self._sharing(path, asked.get(b"origin")),
            (HEADER, request_id),
        ]
        if seconds is not None:
            headers.append(("retry-after", str(seconds)))
        snapshot = self._current_snapshot()
        if snapshot is not None:
            headers.append(("x-snapshot-id", snapshot))
        return body, [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]

    def _sharing(self, path: str, origin: str | None) -> list[tuple[str, str]]:
        varies = [("vary", VARY), *([("vary", "Origin")] if path in PROGRAMS else ())]
        part = shared_part(path, origin, self._origins)
        if part is None:
            return varies
        shared, allowed = part
        return [
            *varies,
            ("access-control-allow-origin", allowed),
            ("access-control-expose-headers", shared.exposed),
        ]
