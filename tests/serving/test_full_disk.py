"""The real server whose store of accounts can grow no more: told, counted, logged once, and over by itself."""

import json
import re
import shutil
import time
from collections.abc import Iterator

import httpx
import pytest

from tests.serving.disks import Disk, NoDiskError, limited_files, small_disk
from tests.serving.servers import START_SECONDS, KeyRing, Server, free_port

pytestmark = pytest.mark.e2e
WORKERS = 2
PROBE_SECONDS = 0.2
"""Pause in which each worker looks at the store by itself."""


@pytest.fixture(params=["small disk", "limited files"])
def disk(request, tmp_path) -> Iterator[Disk]:
    make = small_disk if request.param == "small disk" else limited_files
    try:
        with make(tmp_path / "disk") as disk:
            yield disk
    except NoDiskError as error:
        pytest.skip(f"no file system can be mounted here: {error}")


@pytest.fixture
def metrics() -> str:
    return f"127.0.0.1:{free_port()}"


@pytest.fixture
def server(disk, metrics, snapshots_folder, sqlite_template, tmp_path) -> Iterator[Server]:
    shutil.copy(sqlite_template, disk.folder / "accounts.sqlite")
    server = Server(
        snapshots_folder,
        tmp_path / "log",
        f"sqlite:///{disk.folder / 'accounts.sqlite'}",
        workers=WORKERS,
        environment={"LAW_METRICS_ADDRESS": metrics, "LAW_PROBE_SECONDS": str(PROBE_SECONDS)},
    )
    try:
        server.wait_until_ready()
        server.wait_for_workers(WORKERS)
        yield server
    finally:
        server.kill()


def asked(server: Server, path: str, **headers: str) -> httpx.Response:
    return httpx.get(server.url + path, headers={"Connection": "close"} | headers, timeout=30)


def wait_for(server: Server, status: int) -> None:
    """Wait until both workers say so: one alone may take all that is asked, while the other has yet to look."""
    deadline = time.monotonic() + START_SECONDS
    said = 0
    while said < 10:
        assert time.monotonic() < deadline, server.log.read_text(encoding="utf-8")
        said = said + 1 if asked(server, "/ready").status_code == status else 0
        time.sleep(PROBE_SECONDS)


def test_a_full_disk_is_told_counted_logged_once_and_over_by_itself(server, disk, metrics, node):
    ring = KeyRing(server.database)
    path = f"/api/v1/node/{node('/us/sample/t1/s7')}"
    assert asked(server, path, **ring.headers()).status_code == 200
    disk.fill(server)
    # Nobody calls: the workers find it out themselves.
    wait_for(server, 503)
    refused = asked(server, "/ready").json()
    assert refused["error"] == "overloaded"
    assert f"({disk.cause})" in refused["message"]
    # One block may still be free: what is written into it is charged, and all else refused.
    statuses = [asked(server, path, **ring.headers()).status_code for _ in range(60)]
    assert statuses[-1] == 503
    assert set(statuses) <= {200, 503}
    assert asked(server, "/health").status_code == 200
    records = [
        json.loads(line) for line in server.log.read_text(encoding="utf-8").splitlines() if "{" in line
    ]
    failed = [record for record in records if record["event"] == "store_failed"]
    assert {(one["level"], one["cause"]) for one in failed} == {("error", disk.cause)}
    assert len(failed) <= WORKERS
    assert "disk" in failed[0]["detail"]
    deadline = time.monotonic() + START_SECONDS
    counted = 0
    while counted < statuses.count(503) and time.monotonic() < deadline:
        text = httpx.get(f"http://{metrics}/metrics").text
        counted = int(re.findall(rf'law_store_failures_total{{cause="{disk.cause}"}} (\d+)', text)[0])
        time.sleep(0.1)
    assert counted >= statuses.count(503)
    assert "law_store_up 0" in text.splitlines()
    disk.free(server)
    wait_for(server, 200)
    assert asked(server, path, **ring.headers()).status_code == 200
    assert "law_store_up 1" in httpx.get(f"http://{metrics}/metrics").text.splitlines()
    assert server.stop() == 0
