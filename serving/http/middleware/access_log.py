"""The access log: one record for each request, with its path, status and duration."""

import logging
from dataclasses import asdict, dataclass
from time import perf_counter

import falcon.asgi

from serving.http.log_paths import logged_path
from serving.http.request_ids import request_id

_log = logging.getLogger("serving.access")


@dataclass(frozen=True, slots=True)
class Record:
    """Fields of a log record. `started` is an instant of `perf_counter`; `client` is an address."""

    request_id: str
    method: str
    path: str
    status: int
    started: float | None
    bytes: int
    client: str | None
    snapshot: str | None
    account: int | None
    cost: int | None


def is_logged() -> bool:
    """Return whether requests are logged."""
    return _log.isEnabledFor(logging.INFO)


def log_request(record: Record) -> None:
    """Write the log record of an answered request."""
    told = asdict(record)
    started = told.pop("started")
    told["ms"] = None if started is None else round((perf_counter() - started) * 1000, 2)
    _log.info("request", extra=told)


class AccessLogMiddleware:
    """Logs each request. The query is left out: it tells what a person researches, and may hold secrets."""

    async def process_request(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Note the instant at which the request came."""
        del resp
        req.context.started = perf_counter()

    async def process_response(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, resource: object, req_succeeded: bool
    ) -> None:
        """Write the record."""
        del resource, req_succeeded
        if not is_logged():
            return
        log_request(
            Record(
                request_id=request_id(req),
                method=req.method,
                path=logged_path(req),
                status=resp.status_code,
                started=getattr(req.context, "started", None),
                bytes=len(resp.data) if resp.data is not None else int(resp.content_length or 0),
                client=req.remote_addr,
                snapshot=getattr(req.context, "snapshot_id", None),
                account=getattr(req.context, "account_id", None),
                cost=getattr(req.context, "cost", None),
            )
        )
