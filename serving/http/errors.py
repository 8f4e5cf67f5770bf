"""Error answers over HTTP: the service's one JSON body or, for browsers, a page."""

import logging
from collections.abc import Mapping
from typing import Any

import falcon
import falcon.asgi
import orjson

from serving.api.errors import CLIENT_CLOSED_REQUEST, STATUS, fields_of
from serving.contract.errors import AbandonedError, LawError
from serving.http.log_paths import logged_path
from serving.http.request_ids import request_id
from serving.metering.keys import redacted
from serving.responses.bodies import send_unkept
from serving.responses.negotiation import PROBLEM, wants_problem
from serving.responses.ranges import RangeNotSatisfiableError

_INTERNAL = "The server failed to answer. Try again; if it persists, report the requestId of this answer."
_log = logging.getLogger(__name__)


class LawErrorHandler:
    """Answers the errors of the service, those of `LawError`.

    Args:
        upgrade_url: address at which credits are bought, for the answer to a caller without credits.
    """

    def __init__(self, *, upgrade_url: str) -> None:
        self._upgrade_url = upgrade_url

    async def __call__(
        self,
        req: falcon.asgi.Request,
        resp: falcon.asgi.Response,
        error: LawError,
        params: dict[str, Any],
    ) -> None:
        """Answer the error."""
        if isinstance(error, AbandonedError):
            resp.status = CLIENT_CLOSED_REQUEST
            return
        if error.code not in STATUS or STATUS[error.code] == 500:
            await handle_unexpected(req, resp, error, params)
            return
        extra = fields_of(error, upgrade_url=self._upgrade_url)
        if isinstance(error, RangeNotSatisfiableError):
            resp.set_header("Content-Range", f"bytes */{error.size}")
        if "retryAfterSec" in extra:
            resp.set_header("Retry-After", str(extra["retryAfterSec"]))
        if error.code == "invalid_api_key":
            resp.set_header("WWW-Authenticate", "Bearer")
        _answer(req, resp, error.code, error.message, extra)


def error_body(
    code: str, message: str, request_id: str, extra: Mapping[str, Any], *, accept: str | None
) -> tuple[bytes, str]:
    """Return the body of an error and its media type.

    Args:
        code: of the error.
        message: for people; keys in it are cut.
        request_id: names the request.
        extra: further fields.
        accept: the header `Accept` of the request.
    """
    body = {"error": code, "message": redacted(message), "requestId": request_id, **extra}
    if not wants_problem(accept):
        return orjson.dumps(body), falcon.MEDIA_JSON
    status = STATUS[code]
    told = {"type": "about:blank", "title": falcon.code_to_http_status(status)[4:], "status": status}
    return orjson.dumps(body | told), PROBLEM


async def handle_http_error(
    req: falcon.asgi.Request, resp: falcon.asgi.Response, error: falcon.HTTPError, _params: dict[str, Any]
) -> None:
    """Answer an error that falcon raised, such as an unknown path or a method that the path does not take."""
    if error.headers is not None:
        resp.set_headers(error.headers)
    status = error.status_code
    if status == 404:
        way_on = (
            "the address may be mistyped, or what was there is gone."
            if getattr(req.context, "error_page", None)
            else "/api/v1/openapi.json lists the paths."
        )
        message = f"There is no {logged_path(req)[:200]}; {way_on}"
        _answer(req, resp, "not_found", message, {"kind": "path"})
    elif status == 405:
        message = f"This path does not take {req.method[:20]}; it takes {resp.get_header('Allow')}."
        _answer(req, resp, "method_not_allowed", message, {})
    else:
        code = next((code for code, known in STATUS.items() if known == status), "bad_request")
        _answer(req, resp, code, error.description or error.title or _INTERNAL, {})


async def handle_unexpected(
    req: falcon.asgi.Request, resp: falcon.asgi.Response, error: Exception, _params: dict[str, Any]
) -> None:
    """Answer an unexpected failure of the server without its details, which go to the log."""
    _log.error(
        "request_failed", exc_info=error, extra={"request_id": request_id(req), "path": logged_path(req)}
    )
    _answer(req, resp, "internal_error", _INTERNAL, {})


def _answer(
    req: falcon.asgi.Request, resp: falcon.asgi.Response, code: str, message: str, extra: dict[str, Any]
) -> None:
    status = STATUS[code]
    # These are of the answer that was on its way: an error must not be decoded or revalidated as that.
    for name in ("ETag", "Content-Encoding", "Link"):
        resp.delete_header(name)
    show_page = getattr(req.context, "error_page", None)
    if show_page is not None:
        resp.set_header("Cache-Control", "no-store")
        show_page(req, resp, status, redacted(message))
        return
    body, content_type = error_body(code, message, request_id(req), extra, accept=req.get_header("Accept"))
    resp.status = status
    send_unkept(req, resp, body, content_type=content_type)
