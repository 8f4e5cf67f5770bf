"""Measurement of an engine in processes of its own: what it finds, how fast, with how much memory."""

import multiprocessing
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import cycle, islice
from pathlib import Path
from threading import Barrier
from time import perf_counter
from typing import NamedTuple, ParamSpec, TypeVar

from serving.services.opening import open_warm
from tests.benchmarks.peers.corpus import read
from tests.benchmarks.peers.engine import PASSAGES, Asked, Engine

PROCESSES, CLIENTS, SECONDS, PAGE = 2, 8, 8.0, 20
_SPAWN = multiprocessing.get_context("spawn")
_P = ParamSpec("_P")
_Result = TypeVar("_Result")


class Searched(NamedTuple):
    """The result of one client.

    Attributes:
        found: provisions of each query, best first.
        milliseconds: of each query, the least of the rounds.
        all_milliseconds: of each search in each round.
        memory: bytes, of the client's process and the servers, mapped files left out.
    """

    found: list[list[str]]
    milliseconds: list[float]
    all_milliseconds: list[float]
    memory: int


def apart(function: Callable[_P, _Result], *args: _P.args, **kwargs: _P.kwargs) -> _Result:
    """Call a function in a new process, which ends with it."""
    with ProcessPoolExecutor(1, mp_context=_SPAWN) as pool:
        return pool.submit(function, *args, **kwargs).result()


def build(engine: Engine, snapshot: Path, rows: Sequence[int]) -> float:
    """Build an engine from provisions of a snapshot, and return the seconds without the reading of it."""
    opened = open_warm(snapshot)
    corpus = read(opened, rows)
    opened.close()
    started = perf_counter()
    engine.build(corpus)
    return perf_counter() - started


def search(engine: Engine, queries: Sequence[Asked], rounds: int) -> Searched:
    """Search as one client: once for what is found, which also warms up, then for the times of a page."""
    client = engine.open()()
    found = [client(query, PASSAGES) for query in queries]
    every = []
    for _ in range(rounds):
        for query in queries:
            started = perf_counter()
            client(query, PAGE)
            every.append((perf_counter() - started) * 1000)
    least = [min(every[place :: len(queries)]) for place in range(len(queries))]
    return Searched(found, least, every, memory([os.getpid(), *engine.servers()]))


def rate(engine: Engine, queries: Sequence[Asked], clients: int) -> float:
    """Return the searches per second of so many clients, threads of at most as many processes as `PROCESSES`."""
    processes = min(PROCESSES, clients)
    with _SPAWN.Manager() as manager, ProcessPoolExecutor(processes, mp_context=_SPAWN) as pool:
        ready = manager.Barrier(processes)
        driven = [pool.submit(_drive, engine, queries, clients // processes, ready) for _ in range(processes)]
        return sum(each.result() for each in driven)


def memory(processes: Sequence[int]) -> int:
    """Return the bytes of memory that processes hold of their own or share among them, without files."""
    kilobytes = 0
    for process in processes:
        rollup = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii")
        lines = (line.split() for line in rollup.splitlines())
        kilobytes += sum(int(line[1]) for line in lines if line[0] in ("Pss_Anon:", "Pss_Shmem:"))
    return kilobytes * 1024


def _drive(engine: Engine, queries: Sequence[Asked], threads: int, ready: Barrier) -> float:
    """Return the searches per second of this process's clients, which begin when those of all are ready."""
    connect = engine.open()
    clients = [connect() for _ in range(threads)]
    for client in clients:
        client(queries[0], PAGE)

    def work(number: int) -> int:
        searches = 0
        for query in islice(cycle(queries), number * len(queries) // threads, None):
            clients[number](query, PAGE)
            searches += 1
            if perf_counter() - begun >= SECONDS:
                break
        return searches

    with ThreadPoolExecutor(threads) as pool:
        ready.wait(300)
        begun = perf_counter()
        searches = sum(pool.map(work, range(threads)))
        return searches / (perf_counter() - begun)
