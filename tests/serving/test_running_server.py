"""The real server as a process: gunicorn with two workers, started by `lawctl serve`."""

import json
import os
import re
import shutil
import signal
import subprocess
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace

import httpx
import pytest

from legal_client.proofs import node_faults
from serving.snapshot.lifecycle import promote, roll_back
from tests.serving.servers import START_SECONDS, KeyRing, Server

pytestmark = pytest.mark.e2e


@pytest.fixture
def database(sqlite_template, tmp_path) -> str:
    shutil.copy(sqlite_template, tmp_path / "accounts.sqlite")
    return f"sqlite:///{tmp_path / 'accounts.sqlite'}"


@pytest.fixture
def ring(database) -> KeyRing:
    return KeyRing(database, accounts=6)


@pytest.fixture
def server(publisher, law, tmp_path, database, ring) -> Iterator[Server]:
    publisher.publish(law)
    server = Server(publisher.workspace.snapshots, tmp_path / "server.log", database)
    try:
        server.wait_until_ready()
        yield server
    finally:
        server.kill()


_TOOK = re.compile(r'"tookMs":[0-9]+,')
"""What differs between two answers to one question."""


class Callers:
    """Threads that ask the server again and again and note what it answers."""

    def __init__(self, server: Server, ring: KeyRing, paths: list[str]) -> None:
        self._ring = ring
        self._url = server.url
        self.seen: Counter[tuple[int, str]] = Counter()
        self.bodies: dict[tuple[str, str], set[str]] = defaultdict(set)
        self.refused: list[str] = []
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._ask, args=(server.url + path,)) for path in paths]

    def __enter__(self) -> "Callers":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _ask(self, address: str) -> None:
        # Connection: close, so that every request is dealt to a worker anew.
        with httpx.Client(timeout=30, headers={"Connection": "close"}) as client:
            while not self._stop.is_set():
                try:
                    answer = client.get(address, headers=self._ring.headers())
                except httpx.TransportError as error:
                    with self._lock:
                        self.refused.append(f"{type(error).__name__}: {error}")
                    time.sleep(0.01)
                    continue
                with self._lock:
                    snapshot = answer.headers.get("x-snapshot-id", "")
                    self.seen[answer.status_code, snapshot] += 1
                    path = address.removeprefix(self._url)
                    self.bodies[path, snapshot].add(_TOOK.sub("", answer.text))
                # Leaves a processor that is busy with much else to the workers, and keys within their limits.
                time.sleep(0.01)

    def snapshots(self) -> set[str]:
        with self._lock:
            return {snapshot for _, snapshot in self.seen}


PATHS = [
    "/api/v1/search?q=harbor+permit",
    "/api/v1/search?q=fair+use&mode=keyword",
    "/api/v1/coverage",
    "/ready",
]


def test_snapshots_are_published_rolled_back_and_promoted_without_a_failed_request(
    server, ring, publisher, law, node
):
    changed = f"/api/v1/node/{node('/us/sample/t1/s9')}"
    path = f"{server.url}{changed}"
    proved = f"{changed}?proof=true"
    old = httpx.get(path, headers=ring.headers())
    untouched = httpx.get(f"{server.url}/api/v1/node/{node('/us/sample/t1/s5')}", headers=ring.headers())
    with Callers(server, ring, [*PATHS, "/api/v1/search?q=fee", changed, proved]) as callers:
        last = law["us-sample"][-1]
        law["us-sample"][-1] = replace(last, text=last.text.replace("$500", "$900"))
        second = publisher.publish(law)
        _wait_until_all_answer_from(server, second)
        for _ in range(5):
            _wait_until_all_answer_from(server, roll_back(publisher.workspace.snapshots).now)
            _wait_until_all_answer_from(server, promote(publisher.workspace.snapshots, second).now)
    assert {status for status, _ in callers.seen} == {200}
    assert callers.refused == []
    assert callers.snapshots() == {"2026.11.21-1", second}
    # Each answer is whole from the snapshot that it names: two to one question are the same, and those of one
    # snapshot are not those of the other where the law differs.
    assert {where: bodies for where, bodies in callers.bodies.items() if len(bodies) != 1} == {}
    for asked in (changed, proved):
        (first,), (then,) = (callers.bodies[asked, one] for one in ("2026.11.21-1", second))
        assert ("$500" in first, "$900" in first) == (True, False)
        assert ("$500" in then, "$900" in then) == (False, True)
    for snapshot in ("2026.11.21-1", second):
        (answer,) = callers.bodies[proved, snapshot]
        node_and_proof = json.loads(answer)
        assert node_and_proof["proof"]["snapshot"] == snapshot
        assert list(node_faults(node_and_proof)) == []
    new = httpx.get(path, headers=ring.headers())
    assert "$900" in new.json()["text"]
    assert new.headers["etag"] != old.headers["etag"]
    same = httpx.get(
        f"{server.url}/api/v1/node/{node('/us/sample/t1/s5')}",
        headers=ring.headers() | {"If-None-Match": untouched.headers["etag"]},
    )
    assert same.status_code == 304, "an answer that did not change keeps its tag across snapshots"
    pinned = httpx.get(path, params={"snapshot": "2026.11.21-1"}, headers=ring.headers())
    assert pinned.headers["x-snapshot-id"] == "2026.11.21-1"
    assert pinned.text == old.text


def _wait_until_all_answer_from(server: Server, snapshot: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    settled = 0
    # One client: each makes its settings for TLS anew, which takes longer than the answer does.
    with httpx.Client(timeout=30, headers={"Connection": "close"}) as client:
        while settled < 40:
            assert time.monotonic() < deadline, f"not all workers answer from {snapshot}"
            taken_up = client.get(f"{server.url}/ready").headers["x-snapshot-id"] == snapshot
            settled = settled + 1 if taken_up else 0


def test_termination_lets_requests_finish(server, ring):
    with Callers(server, ring, PATHS * 2) as callers:
        while sum(callers.seen.values()) < 50:
            time.sleep(0.01)
        status = server.stop()
    assert status == 0
    assert {status for status, _ in callers.seen} == {200}
    log = server.log.read_text(encoding="utf-8")
    assert "Traceback" not in log
    assert "SIGKILL" not in log


def test_log_is_json_lines_after_the_greeting(server):
    httpx.get(f"{server.url}/api/v1/search", params={"q": "a private matter"})
    httpx.get(f"{server.url}/api/v1/search", params={"q": "law", "api_key": "lr_live_s3cret"})
    server.stop()
    first, hint, intro, *lines = server.log.read_text(encoding="utf-8").splitlines()
    assert first.startswith(f"Starting: {server.url} answers in a few seconds from snapshot 2026.11.21-1")
    assert hint == f"Keys: {server.url}/settings or `lawctl keys create`."
    assert intro == "Try:"
    examples, lines = lines[:3], lines[3:]
    assert all(line.startswith(f"  curl '{server.url}/api/v1/") for line in examples)
    assert lines
    assert all(line.startswith('{"time": ') for line in lines)
    assert any('"path": "/api/v1/search"' in line for line in lines)
    for secret in ("private", "matter", "s3cret", "?q="):
        assert secret not in "".join(lines)


def answers(server: Server) -> bool:
    try:
        httpx.get(f"{server.url}/health", timeout=5)
    except httpx.TransportError:
        return False
    return True


def test_workers_leave_when_their_master_is_killed(server):
    server.process.kill()
    server.process.wait()
    deadline = time.monotonic() + START_SECONDS
    while answers(server) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not answers(server)


def test_worker_that_dies_is_replaced(server, ring):
    children = server.workers()
    assert len(children) == 2
    os.kill(children[0], signal.SIGKILL)
    server.wait_until_ready()
    assert httpx.get(f"{server.url}/api/v1/coverage", headers=ring.headers()).status_code == 200
    assert server.stop() == 0


def test_the_requests_to_try_are_answered(server, ring):
    greeting = server.log.read_text(encoding="utf-8").splitlines()
    key = ring.headers()["Authorization"].removeprefix("Bearer ")
    lines = [line.strip() for line in greeting if line.startswith("  curl ")]
    assert len(lines) == 3
    for line in lines:
        asked = subprocess.run(
            ["bash", "-c", f"{line} --silent --output /dev/null --write-out '%{{http_code}}'"],
            env={**os.environ, "LAW_KEY": key},
            capture_output=True,
            text=True,
            check=True,
        )
        assert asked.stdout == "200", line
