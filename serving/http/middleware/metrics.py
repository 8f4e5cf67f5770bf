"""Counts of requests, for `/metrics`."""

import asyncio
import contextlib
from collections.abc import Mapping
from time import perf_counter
from typing import Any

import falcon.asgi

from serving.http.measures import Measures

FLUSH_SECONDS = 1.0
"""Seconds between two flushes, and so the greatest age of the counts of other workers."""


ROUTE = "law.route"
"""Name under which the scope of an answered request holds the template of its path."""


class MetricsMiddleware:
    """Counts requests by route and status, with their duration since the access log noted their start.

    Args:
        measures: the numbers of this worker.
    """

    def __init__(self, measures: Measures) -> None:
        self._measures = measures
        self._requests = measures.requests
        self._flushing: asyncio.Task[None] | None = None

    async def process_startup(self, scope: Mapping[str, Any], event: Mapping[str, Any]) -> None:
        """Begin to share the counts with the other workers."""
        del scope, event
        self._flushing = asyncio.create_task(self._flush())

    async def process_shutdown(self, scope: Mapping[str, Any], event: Mapping[str, Any]) -> None:
        """Share the last counts."""
        del scope, event
        if self._flushing is not None:
            self._flushing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._flushing
        self._measures.share()

    async def process_response(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, resource: object, req_succeeded: bool
    ) -> None:
        """Count the request."""
        del resource, req_succeeded
        req.scope[ROUTE] = req.uri_template
        self._requests.count(req.uri_template, resp.status_code, perf_counter() - req.context.started)

    async def _flush(self) -> None:
        while True:
            await asyncio.sleep(FLUSH_SECONDS)
            self._measures.share()
