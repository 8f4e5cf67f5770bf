"""Publications whose indexes of search are built in a process beside the rest."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Semaphore
from pathlib import Path

import psutil
import pytest

from assets.workspace import Workspace, alone_in
from pipelines import headless, snapshot_runs
from pipelines import worker as worker_module
from pipelines.jobs import PARTS
from pipelines.run_report import RunReport
from pipelines.worker import Worker, worker
from serving.contract.manifest import Manifest
from serving.snapshot.pointer import current_snapshot_id

pytestmark = pytest.mark.e2e
ROOT = Path(__file__).parents[2]
BESIDE = """
import sys
from pipelines import headless, snapshot_runs
from pipelines.build import main
snapshot_runs.APART_FROM = 0
sys.exit(main(sys.argv[1:]))
"""

WORDS_OF_A_WORKER = ("spawn_main", "Fatal Python error")
"""Words of a process that an interrupt reached, which only the build has something to say of. Python tells of one that
came within a destructor of the build itself with a traceback, and the build stops all the same.
"""

Lawbuild = Callable[..., tuple[int, str]]


def test_the_snapshot_is_that_of_one_process(
    workspace: Workspace, lawbuild: Lawbuild, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, alone = lawbuild("sample-code", "sample-city-code", "sample-city")
    assert status == 0, alone
    one = in_service(workspace)
    monkeypatch.setattr(snapshot_runs, "APART_FROM", 0)
    status, said = lawbuild("--publish", "--anew")
    assert status == 0, said
    two = in_service(workspace)
    assert two.id != one.id
    assert two.nodes_root == one.nodes_root
    unchanged = {"questions/vectors.npy", "nodes.arrow", "vectors/passages.npy"}
    files = [{file.path: file.sha256 for file in manifest.files} for manifest in (one, two)]
    assert unchanged <= files[0].keys()
    assert {path: files[0][path] for path in unchanged} == {path: files[1][path] for path in unchanged}
    assert files[0].keys() >= {path for path in files[1] if path.startswith(("citations", "static"))}
    # Each asset and each check is told, wherever it was made.
    assert summary(said) == summary(alone)
    assert steps(said) == steps(alone)


@pytest.mark.parametrize(
    ("ends", "told"),
    [("dies", "ended before its time"), ("refuses", "vector_index: no room for vectors")],
)
def test_nothing_is_published_without_the_indexes(
    workspace: Workspace, lawbuild: Lawbuild, monkeypatch: pytest.MonkeyPatch, ends: str, told: str
) -> None:
    monkeypatch.setattr(snapshot_runs, "APART_FROM", 0)
    monkeypatch.setattr(worker_module, "run_jobs", {"dies": dies, "refuses": refuses}[ends])
    status, said = lawbuild("sample-code")
    assert status == 1
    assert told in said
    assert "snapshot: FAILED" in said
    assert "In service: nothing" in said
    assert not list(workspace.snapshots.glob("*/manifest.json"))


@pytest.mark.parametrize(("send", "number"), [(os.kill, signal.SIGTERM), (os.killpg, signal.SIGINT)])
def test_a_build_that_is_stopped_leaves_no_process_behind(
    workspace: Workspace, send: Callable[[int, int], None], number: signal.Signals
) -> None:
    """A service manager stops the process, a terminal all that it has started."""
    command = [sys.executable, "-c", BESIDE, "sample-code"]
    with subprocess.Popen(
        command, cwd=ROOT, stderr=subprocess.PIPE, text=True, env=os.environ, start_new_session=True
    ) as build:
        try:
            other = spawned(build.pid)
            send(build.pid, number)
            _, said = build.communicate(timeout=100)
            assert build.returncode == 128 + number
            assert said.splitlines()[-1].startswith(f"lawbuild: stopped by {number.name};")
            assert not {word for word in WORDS_OF_A_WORKER if word in said}
            assert not psutil.pid_exists(other)
            with alone_in(workspace.root, waiting=lambda: pytest.fail("the lock is held still")):
                pass
        finally:
            build.kill()


def test_a_rebuild_starts_the_process_before_it_reads(
    workspace: Workspace,
    lawbuild: Lawbuild,
    already_built: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with snapshot_runs.worker_ahead(workspace) as first:
        assert first is None, "nothing tells how large the first snapshot will be"
    already_built("sample-code")
    with snapshot_runs.worker_ahead(workspace) as small:
        assert small is None
    monkeypatch.setattr(snapshot_runs, "APART_FROM", 0)
    with snapshot_runs.worker_ahead(workspace) as large:
        assert large is not None
    before = in_service(workspace)
    monkeypatch.setattr(headless, "run_publication", lambda *_, **given: report_of_ahead(given["ahead"]))
    status, said = lawbuild("sample-code", "--anew")
    assert status == 1
    assert "it was ahead" in said
    assert in_service(workspace) == before
    assert not beside(os.getpid()), "what was not needed is gone"


def test_what_a_worker_has_not_begun_is_taken_back(workspace: Workspace) -> None:
    config = {"publication_preview": {"config": {"code_bodies": ["sample-code"], "layers": []}}}
    with worker(workspace) as beside:
        beside.ask("preview_publication", config)
        beside.ask("preview_publication", config)
        assert beside.take_back(), "it takes seconds to load"
        assert beside.report().made == {"publication_preview"}
        assert not beside._asked.poll(1), "the other was not run"


def test_the_files_are_left_to_a_worker_that_has_begun_them(
    workspace: Workspace, lawbuild: Lawbuild, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the other tests the worker is late, and they are made here."""
    found = []

    def take_back(beside: Worker) -> bool:
        while beside._waiting.get_value():
            time.sleep(0.05)
        found.append(beside._waiting.acquire(block=False))
        return found[-1]

    monkeypatch.setattr(snapshot_runs, "APART_FROM", 0)
    monkeypatch.setattr(Worker, "take_back", take_back)
    status, said = lawbuild("sample-code")
    assert status == 0, said
    assert found == [False]
    assert sum(line.endswith(" s  bulk_files") for line in said.splitlines()) == 1


def report_of_ahead(ahead: Worker | None) -> RunReport:
    assert ahead is not None
    return RunReport(succeeded=False, said=("it was ahead",))


def in_service(workspace: Workspace) -> Manifest:
    return Manifest.load(workspace.snapshots / current_snapshot_id(workspace.snapshots))


def summary(said: str) -> str:
    return next(line for line in said.splitlines() if line.startswith("snapshot: "))


def steps(said: str) -> set[str]:
    """Return the names behind the seconds of the publication."""
    behind = said.partition("\nsnapshot: ")[2]
    return {line.split()[-1] for line in behind.splitlines() if " s  " in line}


def spawned(pid: int) -> int:
    """Return the process that builds the indexes, once there is one."""
    until = time.monotonic() + 240
    while time.monotonic() < until:
        if found := beside(pid):
            return found[0]
        time.sleep(0.05)
    raise AssertionError("no process was started beside the build")


def beside(pid: int) -> list[int]:
    """Return the processes that multiprocessing has started for one."""
    found = []
    for child in psutil.Process(pid).children(recursive=True):
        with suppress(psutil.NoSuchProcess):  # others come and go
            if any("spawn_main" in word for word in child.cmdline()):
                found.append(child.pid)
    return found


def dies(parent: int, workspace: Workspace, asked: Connection, waiting: Semaphore) -> None:
    """End as a process does that the system takes away."""
    os.kill(os.getpid(), signal.SIGKILL)


def refuses(parent: int, workspace: Workspace, asked: Connection, waiting: Semaphore) -> None:
    """Report a failure of the indexes, and make nothing else."""
    assert waiting.acquire()
    job, config = asked.recv()
    assert (job, set(config)) == ("make_indexes", set(PARTS["make_indexes"]))
    asked.send(RunReport(succeeded=False, said=("vector_index: no room for vectors",)))
