"""Encoding on a Ray cluster of two nodes: the vectors of one machine, in order, whoever is killed meanwhile.

Ray is not part of an installation: `make ray` installs it aside and runs this file with it.
"""

import importlib
import importlib.util
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pyarrow as pa
import pytest

from assets.errors import BuildError
from assets.settings import BuildSettings
from assets.text.chunking import chunk_provisions
from assets.text.embedding import EmbeddingProgress, embed
from assets.text.ray_engine import RayEngine, require_ray
from assets.text.thread_engine import ThreadEngine
from serving.encoder.encoder import Encoder

HAS_RAY = importlib.util.find_spec("ray") is not None
with_ray = pytest.mark.skipif(not HAS_RAY, reason="Ray is not installed here: `make ray` runs this")
# Ray warns of its own deprecated settings, and leaves sockets to the collector of garbage.
warns = pytest.mark.filterwarnings("default")
MB = 1 << 20

MakeProvisions = Callable[[Sequence[dict[str, Any]]], pa.Table]


@pytest.fixture(scope="module")
def provisions(make_provisions: MakeProvisions) -> pa.Table:
    duties = ("record", "repair", "return", "report", "revoke", "renew")
    return make_provisions(
        [
            {
                "heading": f"Deed {number}",
                "text": "".join(
                    f"({line}) The owner of lot {number} shall {duties[line % 6]} deed {line * number}.\n"
                    for line in range(1 + number % 40)
                ),
            }
            for number in range(180)
        ]
    )


@pytest.fixture(scope="module")
def chunks(provisions: pa.Table, encoder: Encoder) -> pa.Table:
    return chunk_provisions(provisions, encoder.tokenizer, encoder.sha256)


def patiently(start: Callable[[], Any]) -> Any:
    """Start a node. Where its agents take more than 15 s, as on a busy machine, Ray gives it up: try three times."""
    for _ in range(2):
        with suppress(Exception):  # Ray raises it bare
            return start()
    return start()


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A head and a second node, each with one core."""
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    cluster_utils = importlib.import_module("ray.cluster_utils")

    node = {"num_cpus": 1, "object_store_memory": 100 * MB}
    # A dead node is noticed in seconds.
    noticed = {"health_check_period_ms": 1000, "health_check_failure_threshold": 5}
    head = node | {"include_dashboard": False, "_system_config": noticed}
    started = patiently(lambda: cluster_utils.Cluster(initialize_head=True, head_node_args=head))
    try:
        patiently(lambda: started.add_node(**node))
        yield started
    finally:
        started.shutdown()


class Killer:
    """Kills an actor once an eighth is encoded, and the second node with its actor once a quarter is."""

    def __init__(self, cluster: Any) -> None:
        (self._other,) = cluster.worker_nodes
        self._cluster = cluster
        self.killed: list[int] = []
        self.reports: list[EmbeddingProgress] = []

    def __call__(self, now: EmbeddingProgress) -> None:
        self.reports.append(now)
        if len(self.killed) == 0 and now.encoded * 8 > now.distinct:
            actor = an_actor(self._cluster.head_node, self._other)
            self.killed.append(actor.pid)
            actor.kill()
        elif len(self.killed) == 1 and now.encoded * 4 > now.distinct:
            self.killed.append(an_actor(self._other).pid)
            self._cluster.remove_node(self._other, allow_graceful=False)


def an_actor(*nodes: Any) -> psutil.Process:
    """Find a living actor of the nodes. Ray starts them late, ends them and starts others as it sees fit: wait."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for actor in chain.from_iterable(map(actors, nodes)):
            return actor
        time.sleep(0.05)
    pytest.fail("no actor was alive on the node within a minute")


def actors(node: Any) -> list[psutil.Process]:
    """Processes of a node that encode."""
    (raylet,) = node.all_processes["raylet"]
    return [
        child
        for child in psutil.Process(raylet.process.pid).children(recursive=True)
        if "_EncodingActor" in command_line(child)
    ]


def command_line(process: psutil.Process) -> str:
    """Read the command of a process: empty where it has ended, reaped or not."""
    try:
        return "".join(process.cmdline())
    except psutil.NoSuchProcess:
        return ""


@with_ray
@warns
def test_a_killed_actor_and_a_killed_node_cost_no_chunk_and_no_digit(
    cluster: Any, chunks: pa.Table, provisions: pa.Table, encoder_folder: Path, tmp_path: Path
) -> None:
    assert chunks.num_rows > 250
    killer, engine = Killer(cluster), RayEngine(batch=8, address=cluster.address)
    many = embed(chunks, provisions, encoder_folder, tmp_path / "ray", engine=engine, progress=killer)
    assert len(set(killer.killed)) == 2
    counts = [now.encoded for now in killer.reports]
    assert counts == sorted(counts)
    assert counts[-1] == killer.reports[-1].distinct
    one = embed(chunks, provisions, encoder_folder, tmp_path / "threads", engine=ThreadEngine())
    assert many.shape == one.shape
    # The same machine gives the same bits; others may round otherwise in the last of eleven.
    assert np.abs(many.astype(np.float32) - one).max() <= 2**-10
    again: list[EmbeddingProgress] = []
    kept = embed(chunks, provisions, encoder_folder, tmp_path / "ray", engine=engine, progress=again.append)
    assert np.array_equal(kept, many)
    assert (again[-1].reused, again[-1].encoded) == (counts[-1], 0)


@with_ray
@warns
def test_without_a_cluster_it_says_how_to_get_one(
    chunks: pa.Table,
    provisions: pa.Table,
    encoder_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
    with pytest.raises(BuildError, match="no Ray cluster"):
        embed(chunks.slice(0, 2), provisions, encoder_folder, tmp_path / "cache", engine=RayEngine())


@pytest.mark.skipif(HAS_RAY, reason="Ray is installed here")
def test_without_ray_it_says_what_to_install() -> None:
    with pytest.raises(BuildError, match="extra `ray`"):
        require_ray()


@pytest.mark.parametrize(("told", "engine"), [(None, "threads"), ("", "threads"), ("ray", "ray")])
def test_the_engine_is_a_setting(told: str | None, engine: str) -> None:
    environment = {} if told is None else {"ENCODE_ENGINE": told}
    assert BuildSettings.from_env(environment).encode_engine == engine


def test_an_unknown_engine_is_refused() -> None:
    with pytest.raises(BuildError, match="ENCODE_ENGINE is 'Ray'; known are threads, ray"):
        BuildSettings.from_env({"ENCODE_ENGINE": "Ray"})
