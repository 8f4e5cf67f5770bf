"""Traces by OpenTelemetry, where there is a collector: a span for each request and each arm of its search.

A trace begins here: what a stranger sends as its parent decides neither its id nor whether it is kept. Spans
hold no query, no key and no address of a client.
"""

import asyncio
import time
from importlib import import_module
from typing import Any

from serving.api.discovery import MCP
from serving.http.middleware.metrics import ROUTE
from serving.mcp.exchanges import Receive, Scope, Send
from serving.process.application import PATHS, Application

SERVICE = "legal-research-api"
_TOLD = {
    b"x-request-id": "law.request_id",
    b"x-snapshot-id": "law.snapshot",
    b"x-credits-cost": "law.credits",
}
"""Headers of an answer that its span holds."""


class TracedApplication:
    """An application whose requests are traced. All of them go the long way, which has a span.

    Args:
        application: the application.
        collector: address of the collector, to which spans are sent by OTLP over HTTP.

    Attributes:
        requests: counts the answers.
        refusals: answers to what the application is not shown.
    """

    def __init__(self, application: Application, collector: str) -> None:
        # Without a collector nothing of this is loaded, nor has to be installed.
        sdk = import_module("opentelemetry.sdk.trace")
        export = import_module("opentelemetry.sdk.trace.export")
        otlp = import_module("opentelemetry.exporter.otlp.proto.http.trace_exporter")
        resources = import_module("opentelemetry.sdk.resources")
        api = import_module("opentelemetry.trace")
        self._provider = sdk.TracerProvider(resource=resources.Resource.create({"service.name": SERVICE}))
        self._provider.add_span_processor(
            export.BatchSpanProcessor(otlp.OTLPSpanExporter(endpoint=f"{collector}/v1/traces"))
        )
        api.set_tracer_provider(self._provider)
        self._trace = api
        self._tracer = self._provider.get_tracer(SERVICE)
        self._application = application
        self.requests = application.requests
        self.refusals = application.refusals
        application.rest.measures.timings.heard = self._hear

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request inside of a span; at the end of the lifespan, send the last spans."""
        if scope["type"] == "http":
            await self._answer(scope, receive, send)
            return

        async def after_the_last(message: Any) -> None:
            # The process ends as soon as it hears that the lifespan is over.
            if message["type"].startswith("lifespan.shutdown."):
                await asyncio.to_thread(self._provider.shutdown)
            await send(message)

        await self._application(scope, receive, after_the_last)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        method = scope["method"]
        with self._tracer.start_as_current_span(method, kind=self._trace.SpanKind.SERVER) as span:

            async def noting(message: Any) -> None:
                if message["type"] == "http.response.start":
                    _describe(span, message)
                    if message["status"] >= 500:
                        span.set_status(self._trace.StatusCode.ERROR)
                await send(message)

            await self._application(scope, receive, noting)
            route = MCP if scope["path"] in PATHS else scope.get(ROUTE)
            span.set_attribute("http.request.method", method)
            if route is not None:
                span.set_attribute("http.route", route)
                span.update_name(f"{method} {route}")

    def _hear(self, arm: str, seconds: float) -> None:
        now = time.time_ns()
        span = self._tracer.start_span(f"search {arm}", start_time=now - int(seconds * 1e9))
        span.end(now)


def _describe(span: Any, start: Any) -> None:
    span.set_attribute("http.response.status_code", start["status"])
    for name, value in start["headers"]:
        told = _TOLD.get(name.lower())
        if told is not None:
            span.set_attribute(told, value.decode("latin-1"))
