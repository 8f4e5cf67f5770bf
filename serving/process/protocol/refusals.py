"""Errors of requests that are malformed or not accepted, and their answers, made without an application."""

from collections.abc import Iterable

import orjson
from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from serving.api.errors import STATUS
from serving.api.request_ids import HEADER
from serving.api.security_headers import security_headers
from serving.contract.errors import LawError, OverloadedError


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


def refusal(error: LawError, default_headers: Iterable[tuple[bytes, bytes]], request_id: str) -> bytes:
    """Return the complete answer to a refused request, after which the connection closes.

    Args:
        error: reason of the refusal.
        default_headers: headers that the server adds to every answer.
        request_id: names the refusal, in the answer and in the log.
    """
    status = STATUS[error.code]
    told: dict[str, object] = {"error": error.code, "message": error.message, "requestId": request_id}
    headers = [
        ("content-type", "application/json"),
        ("cache-control", "no-store"),
        *((name.lower(), value) for name, value in security_headers("")),
        (HEADER.lower(), request_id),
        ("connection", "close"),
    ]
    if isinstance(error, OverloadedError):
        told["retryAfterSec"] = error.retry_after_seconds
        headers.append(("retry-after", str(error.retry_after_seconds)))
    body = orjson.dumps(told)
    headers.append(("content-length", str(len(body))))
    lines = [b"%b: %b\r\n" % header for header in default_headers]
    lines += [f"{name}: {value}\r\n".encode("ascii") for name, value in headers]
    return b"".join((STATUS_LINE[status], *lines, b"\r\n", body))
