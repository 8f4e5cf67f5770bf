"""The log that account holders read: each request that carried a key of an account and cost nothing."""

import falcon.asgi

from serving.http.request_ids import request_id
from serving.metering.gate import Caller
from serving.metering.request_log import RequestLog


class RequestLogMiddleware:
    """Notes the requests whose callers were identified and not charged; the ledger has the others."""

    def __init__(self, log: RequestLog) -> None:
        self._log = log

    async def process_response(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, resource: object, req_succeeded: bool
    ) -> None:
        """Note the request."""
        del resource, req_succeeded
        caller: Caller | None = getattr(req.context, "caller", None)
        cost: int | None = getattr(req.context, "cost", None)
        if caller is None or cost:
            return
        self._log.note(
            account_id=caller.account_id,
            key_id=caller.key_id,
            endpoint=req.context.operation,
            status=resp.status_code,
            snapshot=getattr(req.context, "snapshot_id", None),
            request_id=request_id(req),
        )
