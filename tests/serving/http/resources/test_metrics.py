"""`/metrics` of the real server: all workers added up, on the operator's address and on no other."""

import os
import re
import shutil
import signal
import time
from datetime import datetime

import httpx
import pytest

from serving.accounts.accounts import Accounts
from serving.contract.manifest import Manifest
from serving.metering.database import Database
from serving.services.timings import ARMS
from tests.serving.servers import START_SECONDS, KeyRing, Server, free_port

pytestmark = pytest.mark.e2e


@pytest.fixture
def operated(snapshots_folder, sqlite_template, tmp_path):
    shutil.copy(sqlite_template, tmp_path / "accounts.sqlite")
    address = f"127.0.0.1:{free_port()}"
    server = Server(
        snapshots_folder,
        tmp_path / "server.log",
        f"sqlite:///{tmp_path / 'accounts.sqlite'}",
        environment={"LAW_METRICS_ADDRESS": address},
    )
    try:
        server.wait_until_ready()
        server.wait_for_workers(2)
        yield server, f"http://{address}/metrics"
    finally:
        server.kill()


def counted(address: str, endpoint: str, status: int) -> int:
    text = httpx.get(address).text
    found = re.search(
        rf'law_requests_total{{endpoint="{re.escape(endpoint)}",status="{status}"}} (\d+)', text
    )
    return int(found[1]) if found else 0


def wait_until_counted(address: str, endpoint: str, status: int, number: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while counted(address, endpoint, status) < number and time.monotonic() < deadline:
        time.sleep(0.1)
    assert counted(address, endpoint, status) == number


def ask(server, path, times, **options):
    for _ in range(times):
        httpx.get(server.url + path, headers={"Connection": "close"} | options.get("headers", {}))


def test_all_workers_are_added_up_and_no_count_is_lost_with_one(operated, node):
    server, address = operated
    key = KeyRing(server.database).headers()
    ask(server, f"/api/v1/node/{node('/us/sample/t1/s9')}", 30, headers=key)
    ask(server, "/api/v1/nowhere", 7)
    httpx.post(f"{server.url}/mcp", json={})
    wait_until_counted(address, "/api/v1/node/{id}", 200, 30)
    wait_until_counted(address, "other", 404, 7)
    wait_until_counted(address, "/mcp", 401, 1)
    text = httpx.get(address).text
    wait_until(address, "law_workers", 2)
    assert 'law_snapshot_info{snapshot="2026.11.21-1"} 1' in text
    spans = re.findall(r'seconds_bucket\{endpoint="/api/v1/node/\{id\}",le="\+Inf"\} (\d+)', text)
    assert spans == ["30"]

    gone = server.workers()[0]
    os.kill(gone, signal.SIGKILL)
    deadline = time.monotonic() + START_SECONDS
    while gone in server.workers() and time.monotonic() < deadline:
        time.sleep(0.1)
    server.wait_for_workers(2)
    ask(server, "/api/v1/nowhere", 5)
    wait_until_counted(address, "other", 404, 12)
    wait_until_counted(address, "/api/v1/node/{id}", 200, 30)
    wait_until(address, "law_workers", 2)


def sample(address: str, series: str) -> float:
    for line in httpx.get(address).text.splitlines():
        name, _, number = line.rpartition(" ")
        if name == series:
            return float(number)
    return 0.0


def wait_until(address: str, series: str, number: float) -> None:
    deadline = time.monotonic() + START_SECONDS
    while sample(address, series) != number and time.monotonic() < deadline:
        time.sleep(0.1)
    assert sample(address, series) == number, series


def test_charges_refusals_arms_and_what_is_open_are_told(operated, node, snapshots_folder):
    server, address = operated
    key = KeyRing(server.database).headers()
    poor = {"Authorization": "Bearer " + made_key(server.database, scopes=("gis",))}
    # The second read of a key takes the short way, which has to count as the long one does.
    ask(server, f"/api/v1/node/{node('/us/sample/t1/s9')}", 12, headers=key)
    ask(server, "/api/v1/search?q=harbor+permit", 4, headers=key)
    ask(server, "/api/v1/gis/sample-city", 2, headers=key)
    ask(server, f"/api/v1/node/{node('/us/sample/t1/s9')}", 3, headers=poor)
    ask(server, "/api/v1/coverage", 5)
    for operation, charges, taken in (("node", 12, 12), ("search", 4, 4), ("gis", 2, 10)):
        wait_until(address, f'law_charges_total{{operation="{operation}"}}', charges)
        wait_until(address, f'law_credits_charged_total{{operation="{operation}"}}', taken)
    wait_until(address, 'law_refusals_total{reason="insufficient_scope"}', 3)
    wait_until(address, 'law_refusals_total{reason="invalid_api_key"}', 5)
    wait_until(address, 'law_refusals_total{reason="rate_limited"}', 0)
    for arm in ARMS:
        wait_until(address, f'law_search_arm_seconds_count{{arm="{arm}"}}', 4)
    ask(server, "/law/us/sample/1/9", 3)
    ask(server, "/law/us/sample/1/9?", 1, headers={"If-None-Match": "*"})
    wait_until_counted(address, "/law", 200, 3)
    wait_until_counted(address, "/law", 304, 1)
    wait_until(address, "law_open_snapshots", 2)
    wait_until(address, 'law_queue_depth{queue="searches"}', 0)
    published = sample(address, "law_snapshot_published_timestamp_seconds")
    manifest = Manifest.load(snapshots_folder / "2026.11.21-1")
    assert published == datetime.fromisoformat(manifest.created).timestamp()


def made_key(database: str, *, scopes: tuple[str, ...]) -> str:
    opened = Database(database)
    account = Accounts(opened).create()
    text: str = Accounts(opened).create_key(account.account_id, name="poor", scopes=scopes)[1].text
    opened.close()
    return text


def test_it_is_the_operators_alone(operated):
    server, address = operated
    elsewhere = httpx.get(f"{server.url}/metrics")
    assert (elsewhere.status_code, elsewhere.json()["error"]) == (404, "not_found")
    assert "law_requests_total" not in elsewhere.text
    forged = httpx.get(
        f"{server.url}/metrics", headers={"Host": address.split("/")[2], "X-Forwarded-Port": "1"}
    )
    assert forged.status_code == 404
    here = httpx.get(address)
    assert here.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert here.headers["cache-control"] == "no-store"
    assert httpx.head(address).status_code == 200
