"""Measure our search beside its peers: `python -m tests.benchmarks.peers [SNAPSHOT] [--queries N] [--chunks N] [--any-word]`.

PostgreSQL with pgvector, LanceDB's hybrid search and SQLite with sqlite-vec get the same passages, vectors and encoder
as the snapshot, set up as their documentation says, and answer the held-out questions of the evaluation set.
Prints tables of nDCG@10 by kind, differences, and costs. What nobody judged counts as wrong, and judged@10 says how
much of each engine's first ten was judged. `--write` keeps the runs, which `tests.quality.evaluation` compares and pools.
"""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from assets.release.evaluation.answerable import answerable, keep_nodes
from assets.release.evaluation.judgements import HELDOUT, EvaluationSet, Query, read_evaluation_set
from assets.release.evaluation.runs import Run
from serving.services.opening import open_warm
from serving.settings.settings import Settings
from serving.snapshot.filters import scope_of
from serving.snapshot.pointer import current_snapshot_id
from tests.benchmarks.peers import measuring
from tests.benchmarks.peers.corpus import choose
from tests.benchmarks.peers.engine import Asked, Engine, NotInstalledError
from tests.benchmarks.peers.lance import Lance
from tests.benchmarks.peers.ours import Encoding, Ours
from tests.benchmarks.peers.postgres import Postgres, server
from tests.benchmarks.peers.report import Costs, costs, quality
from tests.benchmarks.peers.sqlite import Sqlite
from tests.quality.evaluation.report import comparison


@dataclass(frozen=True, slots=True)
class Task:
    """The law and the questions of a run.

    Attributes:
        rows: provisions that peers are built from.
        held: their ids.
        asked: questions with the judgements of those provisions.
        queries: as clients send them, in the same order.
        is_whole: whether all law of the snapshot is among the rows.
    """

    snapshot: Path
    rows: list[int]
    held: frozenset[str]
    asked: EvaluationSet
    queries: list[Asked]
    is_whole: bool


def main() -> None:
    """Build, search and print, one engine after the other."""
    options = _arguments()
    task = _task(options)
    runs, spent, missing = [], [], []
    for name, make in _engines(options, task):
        folder = Path(tempfile.mkdtemp(prefix="law-peer-"))
        folder.chmod(0o755)  # the server of one peer is another user's where root runs this
        try:
            with ExitStack() as stack:
                run, cost = _measure(make(folder, stack), task, options.rounds)
        except NotInstalledError as error:
            missing.append(f"{name}: not installed: {error}")
            continue
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        spent.append(cost)
        _say(list(costs([cost]))[-1])
        if name == Encoding.__name__:
            continue
        runs.append(run)
        if options.write:
            options.write.mkdir(parents=True, exist_ok=True)
            run.write(options.write / f"{name.lower()}.json")
    _print(runs, spent, missing, task)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.peers")
    parser.add_argument("snapshot", type=Path, nargs="?", help="folder of one; default: the current one")
    parser.add_argument("--queries", type=int, help="most questions, an even share of them; default: all")
    parser.add_argument("--chunks", type=int, help="passages that peers hold, judged law first; default: all")
    parser.add_argument(
        "--rounds", type=int, default=2, help="how often each is asked for its time (default 2)"
    )
    parser.add_argument(
        "--any-word", action="store_true", help="SQL peers find what holds any word, not only what holds all"
    )
    parser.add_argument(
        "--set", type=Path, default=Path("datasets/evaluation"), help="folder of the questions"
    )
    parser.add_argument("--write", type=Path, help="folder that takes what each engine found, as JSON")
    return parser.parse_args()


def _task(options: argparse.Namespace) -> Task:
    """Choose law and questions; where none is answered by this law, the questions still give times."""
    everything = read_evaluation_set(options.set)
    snapshot = open_warm(options.snapshot or _current())
    can = answerable(everything, snapshot.nodes, snapshot.manifest.code_bodies)
    judged = {node for grades in can.grades.values() for node in grades}
    rows = choose(snapshot, judged, options.chunks)
    held = frozenset(str(snapshot.nodes.id(row)) for row in rows)
    can = keep_nodes(can, set(held))
    questions: Sequence[Query] = can.of_split(HELDOUT) or everything.of_split(HELDOUT)
    questions = questions[:: max(1, -(-len(questions) // (options.queries or len(questions))))]
    jurisdictions = snapshot.manifest.jurisdictions
    queries = [
        Asked(
            one.text, one.jurisdiction, scope_of(one.jurisdiction, jurisdictions) if one.jurisdiction else ()
        )
        for one in questions
    ]
    passages = sum(end - start for start, end in map(snapshot.nodes.chunk_range, rows))
    _say(
        f"{snapshot.id}: peers hold {passages:,} of {len(snapshot.chunks):,} passages; {len(queries)} questions"
    )
    whole = passages == len(snapshot.chunks)
    snapshot.close()
    return Task(snapshot.folder, rows, held, replace(can, queries=tuple(questions)), queries, whole)


def _engines(
    options: argparse.Namespace, task: Task
) -> list[tuple[str, Callable[[Path, ExitStack], Engine]]]:
    """Return each engine's name with what makes it in an empty folder."""
    snapshot, any_word = task.snapshot, options.any_word

    def postgres(folder: Path, stack: ExitStack) -> Engine:
        return Postgres(snapshot, *stack.enter_context(server(folder)), any_word=any_word)

    return [
        (Encoding.__name__, lambda folder, stack: Encoding(snapshot)),
        (Ours.__name__, lambda folder, stack: Ours(snapshot)),
        (Lance.__name__, lambda folder, stack: Lance(snapshot, folder / "lance")),
        (Sqlite.__name__, lambda folder, stack: Sqlite(snapshot, folder / "law.db", any_word=any_word)),
        (Postgres.__name__, postgres),
    ]


def _measure(engine: Engine, task: Task, rounds: int) -> tuple[Run, Costs]:
    started = perf_counter()
    is_peer = not isinstance(engine, Ours | Encoding)
    _say(f"{engine.name}: begun")
    build = measuring.apart(measuring.build, engine, task.snapshot, task.rows) if is_peer else None
    _say(f"{engine.name}: built, {perf_counter() - started:.0f} s")
    searched = measuring.apart(measuring.search, engine, task.queries, rounds)
    _say(f"{engine.name}: searched by one client, {perf_counter() - started:.0f} s")
    rates = (measuring.rate(engine, task.queries, 1), measuring.rate(engine, task.queries, measuring.CLIENTS))
    _say(f"{engine.name}: done, {perf_counter() - started:.0f} s")
    ids = [query.id for query in task.asked.queries]
    run = Run(
        engine.name,
        task.snapshot.name,
        dict(zip(ids, searched.found, strict=True)),
        dict(zip(ids, searched.milliseconds, strict=True)),
    )
    disk = engine.bytes_on_disk()
    # Ours knows all law; what its peers could not find is no gain of its own.
    return run.among(task.held), Costs(
        engine.name, build, disk, searched.memory, searched.all_milliseconds, rates
    )


def _print(runs: Sequence[Run], spent: Sequence[Costs], missing: Sequence[str], task: Task) -> None:
    queries = task.asked.queries
    lines = ["", *quality(runs, task.asked, queries)]
    ours, *peers = runs
    for peer in peers:
        lines += ["", *comparison(ours, peer, task.asked, queries)]
    lines += ["", *costs(spent)]
    if not task.is_whole:
        lines.append(f"\n{ours.name} searched the whole snapshot, its peers a part of it.")
    print("\n".join([*lines, "", *missing]))


def _current() -> Path:
    snapshots = Settings.from_env().snapshots
    return snapshots / current_snapshot_id(snapshots)


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    main()
