"""The real server over snapshots that are damaged while it serves them: cut, changed, deleted, put back."""

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.serving.manifests import edit_manifest
from tests.serving.servers import KeyRing, Server

pytestmark = pytest.mark.e2e
OLDER, NEWER = "2026.11.21-1", "2026.11.21-2"
SEVENTH = "/us/sample/t1/s7"
PATIENCE_SECONDS = 180
"""For two workers to die and start again on a busy machine."""
READERS = 6
"""Connections at once: an idle worker takes all that come one after the other, and its neighbour is never asked."""


@pytest.fixture
def folder(snapshots_folder: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "snapshots"
    for snapshot in (OLDER, NEWER):
        shutil.copytree(snapshots_folder / OLDER, folder / snapshot)
    edit_manifest(folder / NEWER, id=NEWER)
    (folder / "current.json").write_text(json.dumps({"snapshot": NEWER}), encoding="utf-8")
    return folder


class Damaged:
    """A server over snapshots that a test damages."""

    def __init__(self, server: Server, folder: Path, path: str) -> None:
        self.server = server
        self.folder = folder
        self.path = path
        # A fast machine asks more than the keys of one account may while workers start again.
        self.ring = KeyRing(server.database, accounts=4)

    def ready(self) -> tuple[int, dict[str, Any]]:
        answer = httpx.get(f"{self.server.url}/ready", headers={"Connection": "close"}, timeout=10)
        return answer.status_code, answer.json()

    def read(self) -> httpx.Response | None:
        """Read a provision; None where the connection broke."""
        try:
            return httpx.get(
                self.server.url + self.path,
                headers={"Connection": "close"} | self.ring.headers(),
                timeout=30,
            )
        except httpx.TransportError:
            return None

    def wait_until(self, holds: Callable[[], bool], times: int = 10) -> None:
        """Wait until something holds so often in a row that both workers were asked."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        held = 0
        while held < times:
            assert time.monotonic() < deadline, (self.ready(), self.server.log.read_text(encoding="utf-8"))
            try:
                held = held + 1 if holds() else 0
            except httpx.TransportError:
                held = 0
            time.sleep(0.02)

    def is_served_from(self, snapshot: str) -> bool:
        """Return whether all readers of one moment are served from a snapshot: one reader may meet one worker alone."""
        with ThreadPoolExecutor(READERS) as readers:
            answers = list(readers.map(lambda _: self.read(), range(READERS)))
        return all(
            answer is not None
            and (answer.status_code, answer.headers.get("x-snapshot-id")) == (200, snapshot)
            for answer in answers
        )

    def records(self, event: str) -> list[dict[str, Any]]:
        lines = self.server.log.read_text(encoding="utf-8").splitlines()
        records = [json.loads(line) for line in lines if line.startswith("{")]
        return [record for record in records if record["event"] == event]


@pytest.fixture
def serve(folder, sqlite_template, tmp_path, node) -> Iterator[Callable[..., Damaged]]:
    servers: list[Server] = []

    def start(**environment: str) -> Damaged:
        shutil.copy(sqlite_template, tmp_path / "accounts.sqlite")
        database = f"sqlite:///{tmp_path / 'accounts.sqlite'}"
        server = Server(folder, tmp_path / "log", database, environment=environment)
        servers.append(server)
        server.wait_until_ready()
        server.wait_for_workers(2)
        return Damaged(server, folder, f"/api/v1/node/{node(SEVENTH)}")

    yield start
    for server in servers:
        server.kill()


KEPT = 16_384
"""Bytes that are left of a file: enough to find a provision by its id, and not to read it."""


def cut(path: Path) -> bytes:
    """Cut a file short in place; return what it was."""
    sound = path.read_bytes()
    os.truncate(path, KEPT)
    return sound


def test_a_file_cut_short_is_named_and_the_older_snapshot_serves_until_it_is_mended(serve):
    damaged = serve()
    damaged.wait_until(lambda: damaged.is_served_from(NEWER))
    path = damaged.folder / NEWER / "nodes.arrow"
    sound = cut(path)
    damaged.wait_until(lambda: damaged.is_served_from(OLDER))
    status, state = damaged.ready()
    assert (status, state["status"], state["snapshot"]) == (200, "degraded", OLDER)
    assert state["damaged"] == [{"snapshot": NEWER, "file": "nodes.arrow"}]
    named = damaged.records("snapshot_damaged")
    assert {(one["level"], one["snapshot"], one["file"]) for one in named} == {
        ("error", NEWER, "nodes.arrow")
    }
    pinned = httpx.get(
        damaged.server.url + damaged.path, params={"snapshot": NEWER}, headers=damaged.ring.headers()
    )
    assert (pinned.status_code, pinned.json()["kind"]) == (404, "snapshot_damaged")
    path.write_bytes(sound)
    damaged.wait_until(lambda: damaged.is_served_from(NEWER))
    assert damaged.ready()[1]["status"] == "ready"


def test_a_worker_that_dies_of_a_cut_file_is_followed_by_one_that_names_it(serve):
    """Nothing looks at sizes for an hour: the workers read beyond the end of the file, and are killed."""
    damaged = serve(LAW_POLL_SECONDS="3600")
    damaged.wait_until(lambda: damaged.is_served_from(NEWER))
    # The inspection of what was just opened would find it too, and the worker that makes it need not die.
    damaged.wait_until(lambda: NEWER in {one["snapshot"] for one in damaged.records("snapshot_inspected")})
    before = damaged.server.workers()
    sound = cut(damaged.folder / NEWER / "nodes.arrow")
    # Each worker meets the end of the file when it is asked, and one may be asked a while after the other.
    damaged.wait_until(
        lambda: damaged.is_served_from(OLDER) and not set(before) & set(damaged.server.workers())
    )
    (one, *_) = damaged.records("snapshot_damaged")
    assert (one["snapshot"], one["file"]) == (NEWER, "nodes.arrow")
    assert one["problem"] == f"has {KEPT} bytes instead of {len(sound)}"
    assert any("SIGBUS" in line for line in damaged.server.log.read_text(encoding="utf-8").splitlines())


def test_changed_bytes_are_out_of_service_with_the_next_inspection(serve):
    damaged = serve(LAW_VERIFY_HOURS="0.0001")
    damaged.wait_until(lambda: damaged.is_served_from(NEWER))
    path = damaged.folder / NEWER / "nodes.arrow"
    with path.open("r+b") as file:
        content = file.read()
        place = content.index(b"criticism, teaching")
        file.seek(place)
        file.write(b"CRITICISM")
    damaged.wait_until(lambda: damaged.is_served_from(OLDER))
    named = {one["file"] for one in damaged.records("snapshot_damaged")}
    assert named == {"nodes.arrow"}


def test_a_folder_that_is_deleted_is_told_and_without_a_sound_one_all_is_refused_by_name(serve):
    damaged = serve()
    damaged.wait_until(lambda: damaged.is_served_from(NEWER))
    away = damaged.folder.with_name("away")
    shutil.move(damaged.folder / NEWER, away)
    damaged.wait_until(lambda: damaged.ready()[1].get("snapshot") == OLDER)
    status, state = damaged.ready()
    assert (status, state["status"]) == (200, "degraded")
    # An inspection under way meets the missing folder at the file that it reads.
    (gone,) = state["damaged"]
    assert gone["snapshot"] == NEWER
    assert (away / gone["file"]).is_file()
    shutil.rmtree(damaged.folder / OLDER)
    damaged.wait_until(lambda: damaged.ready()[0] == 503)
    assert damaged.ready()[1]["error"] == "no_snapshot"
    answer = damaged.read()
    assert (answer.status_code, answer.json()["error"]) == (503, "no_snapshot")
    assert answer.headers["x-credits-cost"] == "0"
    shutil.move(away, damaged.folder / NEWER)
    damaged.wait_until(lambda: damaged.is_served_from(NEWER))
    assert damaged.server.stop() == 0
