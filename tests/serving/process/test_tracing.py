"""A real collector is sent a span for each request, without what is nobody's business."""

import http.server
import shutil
import threading
import time
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import httpx
import pytest

from serving.cli import main
from serving.services.timings import ARMS
from tests.serving.servers import KeyRing, Server

IS_INSTALLED = find_spec("opentelemetry.exporter") is not None


class Collector:
    """Takes spans, as `http.server` receives them."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []

    def spans(self) -> list[Any]:
        """Every span that came."""
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest  # noqa: PLC0415 (of an extra)

        requests = [ExportTraceServiceRequest.FromString(body) for body in self.bodies]
        return [
            span
            for request in requests
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]


@pytest.fixture
def collector() -> Iterator[tuple[Collector, str]]:
    collector = Collector()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.path == "/v1/traces"
            body = self.rfile.read(int(self.headers["Content-Length"]))
            # A server that did not wait for the answer would have gone by now.
            time.sleep(0.3)
            collector.bodies.append(body)
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (its own name)
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield collector, f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def told(span: Any) -> dict[str, Any]:
    return {one.key: one.value.string_value or one.value.int_value for one in span.attributes}


@pytest.mark.e2e
@pytest.mark.skipif(not IS_INSTALLED, reason="the extra `traces` is not installed: traces were NOT tried")
def test_each_request_is_a_span_and_each_arm_one_below_it(
    collector, snapshots_folder, sqlite_template, tmp_path, node
):
    received, address = collector
    shutil.copy(sqlite_template, tmp_path / "accounts.sqlite")
    settings = {"LAW_TRACES_URL": address, "OTEL_BSP_SCHEDULE_DELAY": "200"}
    server = Server(
        snapshots_folder,
        tmp_path / "log",
        f"sqlite:///{tmp_path / 'accounts.sqlite'}",
        workers=1,
        environment=settings,
    )
    try:
        server.wait_until_ready()
        key = KeyRing(server.database).headers()
        stranger = {"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}
        path = f"/api/v1/node/{node('/us/sample/t1/s9')}"
        for _ in range(2):
            read = httpx.get(server.url + path, headers=key | stranger)
        assert read.status_code == 200
        assert httpx.get(f"{server.url}/api/v1/search?q=a+private+matter", headers=key).status_code == 200
        assert httpx.post(f"{server.url}/mcp", json={}).status_code == 401
        assert server.stop() == 0, "the last spans are sent before it leaves"
    finally:
        server.kill()
    spans = received.spans()
    by_name: dict[str, list[Any]] = {}
    for span in spans:
        by_name.setdefault(span.name, []).append(span)
    reads = by_name["GET /api/v1/node/{node_id}"]
    assert len(reads) == 2, "the short way is no way past it"
    assert told(reads[1]) == {
        "http.request.method": "GET",
        "http.route": "/api/v1/node/{node_id}",
        "http.response.status_code": 200,
        "law.request_id": read.headers["x-request-id"],
        "law.snapshot": "2026.11.21-1",
        "law.credits": "1",
    }
    assert {span.trace_id.hex() for span in reads} != {"0af7651916cd43dd8448eb211c80319c"}
    (search,) = by_name["GET /api/v1/search"]
    for arm in ARMS:
        (below,) = by_name[f"search {arm}"]
        assert (below.trace_id, below.parent_span_id) == (search.trace_id, search.span_id)
        assert below.start_time_unix_nano <= below.end_time_unix_nano
    assert told(by_name["POST /mcp"][0])["http.response.status_code"] == 401
    everything = b"".join(received.bodies)
    for secret in (
        b"private",
        b"matter",
        key["Authorization"].removeprefix("Bearer ").encode(),
        b"127.0.0.1",
    ):
        assert secret not in everything


@pytest.mark.skipif(IS_INSTALLED, reason="the extra `traces` is installed")
def test_a_server_that_cannot_send_traces_says_what_to_install(
    monkeypatch, capsys, snapshots_folder, tmp_path
):
    monkeypatch.setenv("LAW_TRACES_URL", "http://127.0.0.1:4318")
    monkeypatch.setenv("LAW_DATABASE_URL", f"sqlite:///{tmp_path / 'accounts.sqlite'}")
    assert main(["serve", "--snapshots", str(snapshots_folder)]) == 1
    assert "legal-research-api[traces]" in capsys.readouterr().err
