"""What workers share is loaded without a thread that a fork would lose, and works in every worker."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from serving.encoder.opened import opened_encoder
from tests.serving.servers import CHECKOUT

FORK = """
import os, runpy, sys, traceback
from pathlib import Path

configured = runpy.run_path("serving/process/gunicorn.conf.py")
configured["on_starting"](None)
kept, codes = configured["_kept"][0]
threads = [Path(one, "comm").read_text().strip() for one in Path("/proc/self/task").iterdir()]
# Arrow's allocator knows of forks and starts its own again.
print("threads", len([one for one in threads if one != "jemalloc_bg_thd"]), "encoder", type(kept).__name__, "codes", len(codes), flush=True)
if kept is None:
    sys.exit()

def serve() -> None:
    from serving.services.opening import open_warm
    from serving.services.requests import SearchRequest
    from serving.services.search import SearchService
    from serving.snapshot.pointer import current_snapshot_id

    folder = Path(os.environ["LAW_SNAPSHOTS"])
    snapshot = open_warm(folder / current_snapshot_id(folder))
    assert snapshot.encoder is kept, "each worker would have one of its own"
    if codes:
        assert snapshot.vectors._codes is codes[0]
    for _ in range(3):
        assert SearchService().search(snapshot, SearchRequest(query="fair use")).total

def child() -> None:
    status = 1
    try:
        serve()
        status = 0
    except BaseException:
        traceback.print_exc()
    sys.exit(status)  # as a worker ends, which hung where a thread had been lost

children = []
for _ in range(4):
    pid = os.fork()
    if not pid:
        child()
    children.append(pid)
print([os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children])
"""


def _run(snapshots: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "LAW_SNAPSHOTS": str(snapshots), "LAW_WORKERS": "2"}
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", FORK],
        cwd=CHECKOUT, env=environment, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def test_nothing_is_left_running_before_the_fork_and_all_workers_search(publisher, law):
    publisher.publish(law)
    ran = _run(publisher.workspace.snapshots)
    assert ran.stdout.splitlines() == ["threads 1 encoder Encoder codes 0", "[0, 0, 0, 0]"], ran.stderr
    assert ran.stderr == ""


def test_the_codes_of_many_vectors_are_read_before_the_fork(publisher, law, monkeypatch):
    monkeypatch.setattr("assets.search.vector.CODED_FROM", 5)
    publisher.publish(law)
    ran = _run(publisher.workspace.snapshots)
    assert ran.stdout.splitlines() == ["threads 1 encoder Encoder codes 1", "[0, 0, 0, 0]"], ran.stderr
    assert ran.stderr == ""


def test_a_server_without_a_sound_snapshot_shares_no_encoder(publisher, law, tmp_path):
    assert _run(tmp_path).stdout == "threads 1 encoder NoneType codes 0\n"
    folder = publisher.workspace.snapshots / publisher.publish(law)
    model = folder / "encoder" / "queries" / "model.onnx"
    altered = bytearray(model.read_bytes())
    altered[len(altered) // 2] ^= 1
    model.unlink()
    model.write_bytes(altered)
    assert _run(publisher.workspace.snapshots).stdout == "threads 1 encoder NoneType codes 0\n"


def test_nothing_is_told_to_the_maker_of_the_engine():
    for module in ("serving.encoder.encoder", "assets.encoder.graph"):
        shown = subprocess.run(
            [sys.executable, "-c", f"import os, {module}; print(len(os.listdir('/proc/self/task')))"],
            cwd=CHECKOUT, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"}, capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert shown.stdout == "1\n", "its uploader is a thread"


def test_an_encoder_is_opened_once_while_it_is_in_use(encoder_folder, tmp_path):
    one = opened_encoder(encoder_folder)
    assert opened_encoder(encoder_folder) is one
    copied = Path(shutil.copytree(encoder_folder, tmp_path / "copied"))
    assert opened_encoder(copied) is one, "the files are the same"
    assert one.sha256 == opened_encoder(copied).sha256
