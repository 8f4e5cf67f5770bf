"""Measure search over HTTP with a key, two workers, beside the bare engines in the same run.

Run: `python -m tests.benchmarks.bench_search_http SNAPSHOT_FOLDER [--rounds N] [--queries N]`. Prints a table; exit
status 1 if a ratio is above its bound. The bare engines are what a program without us would write: the query
encoded, the nearest chunks by LanceDB's own interface with their columns, the best documents by Tantivy's own parser.
LanceDB searches a graph, which is built first, in minutes, where the snapshot's table has no index. The short codes
that the server itself searches are timed beside them.
One client: HTTP and engines take turns on each query, and of each the least of the rounds counts. Eight clients: four
threads in each of two processes drive the engines, then the server is asked by as many, in turn.
"""

import argparse
import http.client
import json
import multiprocessing
import os
import shutil
import statistics
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from http import HTTPStatus
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter
from typing import Any
from urllib.parse import urlencode

import lancedb
import numpy as np
import tantivy
from lancedb.index import HnswSq

from assets.release.evaluation.judgements import read_evaluation_set
from serving.accounts.accounts import Accounts
from serving.accounts.credits import MAX_GRANT, Credits
from serving.contract import indexes
from serving.contract.layout import ENCODER, KEYWORD, POINTER, VECTOR_TABLE, VECTORS
from serving.encoder.config import query_folder
from serving.encoder.encoder import open_encoder
from serving.metering.database import Database
from serving.metering.keys import SCOPES
from serving.metering.migrations import migrate
from serving.snapshot.filters import Filters
from serving.snapshot.inspections import Inspections
from serving.snapshot.lance_index import reach_of
from serving.snapshot.store import open_snapshot
from tests.benchmarks.bench_http import UNLIMITED
from tests.benchmarks.bench_search import QUERIES
from tests.serving.servers import CHECKOUT, Server

WORKERS, CLIENTS, SECONDS = 2, 8, 4.0
CHUNKS, PROVISIONS, PAGE = 300, 100, 20
MOST_MS, MOST_OF_BARE, MOST_P99, LEAST_RATE = 10.0, 1.4, 3.0, 0.75
"""Bounds: p50, p50 by that of the engines, p99 by p50, and searches per second at 8 clients by the engines'."""
MOST_OWN_MB, MOST_READY_SECONDS = 300, 3.0


class Engines:
    """The encoder and both indexes of a snapshot, called as their documentation says.

    Args:
        snapshot: folder of the snapshot.
        vectors: folder of a table of its vectors with an index.
    """

    def __init__(self, snapshot: Path, vectors: Path) -> None:
        self._encoder = open_encoder(query_folder(snapshot / ENCODER))
        self._table: Any = lancedb.connect(str(vectors)).open_table(VECTOR_TABLE)
        kinds = {column: index.index_type for index in self._table.list_indices() for column in index.columns}
        self._reach = reach_of(kinds.get(indexes.VECTOR), self._table.count_rows())
        self._index = tantivy.Index.open(str(snapshot / KEYWORD))
        self._index.register_tokenizer(indexes.ANALYZER, indexes.legal_analyzer())
        self._searcher = self._index.searcher()

    def encode(self, query: str) -> np.ndarray:
        """Return the query's vector."""
        return self._encoder.encode_query(query)

    def vectors(self, vector: np.ndarray) -> None:
        """Find the nearest chunks."""
        query = self._table.search(vector.astype(np.float16), vector_column_name=indexes.VECTOR)
        query = query.distance_type("cosine").select(["id", "node", "_distance"]).limit(CHUNKS)
        query.nprobes(self._reach.probes or 1).ef(self._reach.chunks or CHUNKS).to_arrow()

    def words(self, query: str) -> None:
        """Find the best documents."""
        parsed, _ = self._index.parse_query_lenient(query, [indexes.BODY, indexes.HEADING, indexes.CITATION])
        hits = self._searcher.search(parsed, limit=PROVISIONS).hits
        self._searcher.fast_field_values(indexes.ROW, [address for _, address in hits])

    def all(self, query: str) -> None:
        """Do all three, one after the other."""
        self.vectors(self.encode(query))
        self.words(query)


def indexed_table(snapshot: Path, folder: Path) -> Path:
    """Return the folder of a snapshot's vectors with an index in LanceDB, made in `folder` if there is none."""
    vectors = snapshot / VECTORS
    indices = lancedb.connect(str(vectors)).open_table(VECTOR_TABLE).list_indices()
    if any(indexes.VECTOR in index.columns for index in indices):
        return vectors
    print("building LanceDB's graph of the vectors, some minutes", flush=True)
    copied = folder / VECTORS
    shutil.copytree(vectors, copied)
    table: Any = lancedb.connect(str(copied)).open_table(VECTOR_TABLE)
    graph = HnswSq(distance_type="cosine", num_partitions=1, m=20, ef_construction=300)
    table.create_index(indexes.VECTOR, config=graph)
    return copied


def main() -> int:
    """Measure, print and judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("snapshot", type=Path, help="folder of one snapshot")
    parser.add_argument("--rounds", type=int, default=4, help="how often each query is asked (default 4)")
    parser.add_argument(
        "--queries", type=int, default=100, help="queries of the evaluation set (default 100)"
    )
    options = parser.parse_args()
    # As in the server: BLAS threads beside those of searches only wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    asked = read_evaluation_set(CHECKOUT / "datasets" / "evaluation").queries
    queries = [query.text for query in asked[::3]][: options.queries]
    folder = Path(tempfile.mkdtemp(prefix="law-bench-"))
    database = f"sqlite:///{folder / 'law.db'}"
    migrate(database)
    vectors = indexed_table(options.snapshot, folder)
    (folder / "snapshots").mkdir()
    (folder / "snapshots" / options.snapshot.name).symlink_to(options.snapshot.resolve())
    pointer = folder / "snapshots" / POINTER
    pointer.write_text(json.dumps({"snapshot": options.snapshot.name}), encoding="utf-8")
    # Once after a publication each server reads the whole snapshot in the background: not while it is measured.
    Inspections(pointer.parent).note(options.snapshot.name)
    server = Server(
        pointer.parent,
        folder / "server.log",
        database,
        workers=WORKERS,
        app="tests.benchmarks.bench_app:app",
        environment={"LAW_LOG_LEVEL": "warning", "LAW_VERIFY_HOURS": "8760", "OPENBLAS_NUM_THREADS": "1"},
    )
    try:
        started = perf_counter()
        server.wait_until_ready()
        sound = _judge("ready after, s", perf_counter() - started, most=MOST_READY_SECONDS)
        server.wait_for_workers(WORKERS)
        headers = _keys(database)
        sound &= _one_client(server, headers, options.snapshot, vectors, queries, options.rounds)
        sound &= _many_clients(server, headers, options.snapshot, vectors, queries)
        return 0 if sound & _memory(server) else 1
    finally:
        server.kill()
        shutil.rmtree(folder)


def _keys(database: str) -> list[dict[str, str]]:
    """Return the header of a key without limits for each client."""
    opened = Database(database)
    accounts, credits_ = Accounts(opened), Credits(opened)
    headers = []
    for number in range(CLIENTS):
        account = accounts.create().account_id
        credits_.purchase(account, UNLIMITED, event_id=f"bench-{number}")
        credits_.grant(account, MAX_GRANT)
        key = accounts.create_key(account, name="bench", scopes=SCOPES)[1].text
        headers.append({"Authorization": f"Bearer {key}"})
    opened.close()
    return headers


def _one_client(
    server: Server,
    headers: Sequence[dict[str, str]],
    snapshot: Path,
    vectors: Path,
    queries: Sequence[str],
    rounds: int,
) -> bool:
    engines, opened = Engines(snapshot, vectors), open_snapshot(snapshot)
    client = Client(server, headers[0])
    taken: dict[str, list[list[float]]] = {
        name: [] for name in ("encode", "vectors", "words", "http", "codes")
    }
    for query in [*QUERIES, *queries]:
        vector = engines.encode(query)
        calls: dict[str, Callable[[], object]] = {
            "encode": partial(engines.encode, query),
            "vectors": partial(engines.vectors, vector),
            "words": partial(engines.words, query),
            "http": partial(client.search, query),
            "codes": partial(opened.vectors.search, vector, filters=Filters(), limit=PROVISIONS),
        }
        times = [_milliseconds(calls.values()) for _ in range(rounds + 1)][1:]  # the first warms up
        for name, column in zip(calls, zip(*times, strict=True), strict=True):
            taken[name].append(list(column))
    client.close()
    least = {name: [min(times) for times in columns] for name, columns in taken.items()}
    p50 = {name: statistics.median(times) for name, times in least.items()}
    slower = max(p50["vectors"], p50["words"])
    p99 = float(np.percentile(least["http"], 99))
    every = [time for times in taken["http"] for time in times]
    for name, median in p50.items():
        print(f"{name:<10} p50 of the least {median:>8.2f} ms")
    print(f"{'http':<10} p50 of all       {statistics.median(every):>8.2f} ms")
    return all(
        (
            _judge("http p50, ms", p50["http"], most=MOST_MS),
            _judge("by encode + slower arm", p50["http"] / (p50["encode"] + slower), most=MOST_OF_BARE),
            _judge("http p99 by p50", p99 / p50["http"], most=MOST_P99),
        )
    )


def _milliseconds(calls: Iterable[Callable[[], object]]) -> list[float]:
    times = []
    for call in calls:
        started = perf_counter()
        call()
        times.append((perf_counter() - started) * 1000)
    return times


class Client:
    """One client on one connection, with the standard library's client, which costs little beside a search."""

    def __init__(self, server: Server, headers: dict[str, str]) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        self._headers = headers

    def search(self, query: str) -> None:
        """Ask for a page of results."""
        target = f"/api/v1/search?{urlencode({'q': query, 'limit': PAGE})}"
        self._connection.request("GET", target, headers=self._headers)
        answer = self._connection.getresponse()
        body = answer.read()
        if answer.status != HTTPStatus.OK:
            raise RuntimeError(f"{query!r} is answered {answer.status}: {body[:300]!r}")

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def _many_clients(
    server: Server, headers: Sequence[dict[str, str]], snapshot: Path, vectors: Path, queries: Sequence[str]
) -> bool:
    context = multiprocessing.get_context("spawn")
    begin, end = context.Barrier(WORKERS + 1), context.Queue()
    drivers = [
        context.Process(target=_drive, args=(snapshot, vectors, list(queries), begin, end))
        for _ in range(WORKERS)
    ]
    for driver in drivers:
        driver.start()
    clients = [Client(server, one) for one in headers]
    bare, ours = [], []
    for _ in range(3):
        begin.wait()
        bare.append(sum(end.get() for _ in drivers))
        asks = [client.search for client in clients]
        ours.append(_rate(asks, queries))
    for client in clients:
        client.close()
    for driver in drivers:
        driver.join()
    print(f"searches/s at {CLIENTS} clients: engines {max(bare):.0f}, http {max(ours):.0f}")
    return _judge("searches/s by the engines'", max(ours) / max(bare), least=LEAST_RATE)


def _drive(snapshot: Path, vectors: Path, queries: list[str], begin: Any, end: Any) -> None:
    engines = Engines(snapshot, vectors)
    engines.all(queries[0])
    for _ in range(3):
        begin.wait()
        end.put(_rate([engines.all] * (CLIENTS // WORKERS), queries))


def _rate(asks: Sequence[Callable[[str], object]], queries: Sequence[str]) -> float:
    """Return the calls per second of as many threads, each with the queries from another place on."""
    done = [0] * len(asks)
    end = perf_counter() + SECONDS

    def run(number: int) -> None:
        for query in islice(cycle(queries), number * len(queries) // len(asks), None):
            if perf_counter() > end:
                return
            asks[number](query)
            done[number] += 1

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(asks))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(done) / SECONDS


def _memory(server: Server) -> bool:
    own = []
    for pid in server.workers():
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
        # What is mapped and clean is the page cache's, whoever else maps it.
        own.append(next(int(line.split()[1]) for line in lines if line.startswith("Private_Dirty:")) / 1024)
    return _judge("a worker's own memory, MB", max(own), most=MOST_OWN_MB)


def _judge(name: str, value: float, *, most: float = float("inf"), least: float = 0.0) -> bool:
    sound = least <= value <= most
    bound = f"at most {most:g}" if least == 0.0 else f"at least {least:g}"
    print(f"{name:<28}{value:>9.2f}  {bound}: {'met' if sound else 'MISSED'}")
    return sound


if __name__ == "__main__":
    sys.exit(main())
