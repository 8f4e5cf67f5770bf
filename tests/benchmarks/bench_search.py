"""Measure search and node reads in process, each beside the bare call that it cannot do without.

Run: `python -m tests.benchmarks.bench_search SNAPSHOT_FOLDER [--repeat N]`. Prints a table; exit status 1 if a
ratio is above its bound. The bare Tantivy call is what a program without us would write: parse the same words
over the same fields, search, read the rows of the hits; no filter, no snippet, no item.
"""

import argparse
import statistics
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter_ns
from typing import TypeVar
from uuid import UUID

import tantivy

from serving.contract import indexes
from serving.contract.layout import KEYWORD
from serving.services.nodes import node_body
from serving.services.opening import open_warm
from serving.services.requests import Mode, SearchRequest
from serving.services.search import DEPTH, SearchService
from serving.snapshot.filters import Filters
from serving.snapshot.store import Snapshot

QUERIES = (
    "fair use of copyrighted works",
    "security deposit return by landlord",
    "who may issue a search warrant",
    "definition of employer",
    "penalty for perjury",
    "statute of limitations for civil actions",
    "freedom of information request fees",
    "eviction notice",
    "bankruptcy automatic stay",
    "tax exempt organization",
    "duty of a trustee to account",
    "motor vehicle registration",
    "unfair labor practices",
    "wiretap order",
    "child support enforcement",
    "zoning commission hearing",
    "patent infringement damages",
    "privacy of medical records",
    "minimum wage",
    "appeal to the circuit court",
)
LIMIT = 20
KEYWORD_BOUND, HYBRID_BOUND, NODE_BOUND_MICROSECONDS = 2.0, 1.3, 50.0

_Input = TypeVar("_Input")


def main() -> int:
    """Measure, print and judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("snapshot", type=Path, help="folder of one snapshot")
    parser.add_argument("--repeat", type=int, default=10, help="rounds over the queries (default 10)")
    options = parser.parse_args()
    snapshot = open_warm(options.snapshot)
    service = SearchService()
    print(f"snapshot {snapshot.id}: {len(snapshot.nodes):,} nodes, {len(snapshot.chunks):,} chunks")
    print(f"{len(QUERIES)} queries, {options.repeat} rounds, {LIMIT} results a page; p50 and p95 in ms\n")
    passed = [
        _keyword(snapshot, service, options.repeat),
        _hybrid(snapshot, service, options.repeat),
        _node(snapshot, options.repeat),
    ]
    snapshot.close()
    return 0 if all(passed) else 1


def _keyword(snapshot: Snapshot, service: SearchService, repeat: int) -> bool:
    index = tantivy.Index.open(str(snapshot.folder / KEYWORD))
    index.register_tokenizer(indexes.ANALYZER, indexes.legal_analyzer())
    fields = [indexes.BODY, indexes.HEADING, indexes.CITATION]
    bare_searcher = index.searcher()
    searcher = snapshot.keyword._searcher
    compiled = {
        query: snapshot.keyword.compile(snapshot.keyword.parse(query), Filters(), least=1)
        for query in QUERIES
    }

    def bare(query: str) -> None:
        hits = bare_searcher.search(index.parse_query(query, fields), limit=LIMIT).hits
        bare_searcher.fast_field_values(indexes.ROW, [address for _, address in hits])

    def scoring(query: str) -> None:
        searcher.search(compiled[query], limit=LIMIT, count=True, weight_by_field=indexes.WEIGHT)

    def searched(query: str) -> None:
        snapshot.keyword.search(query, filters=Filters(), limit=LIMIT)

    def served(query: str) -> None:
        service.search(snapshot, SearchRequest(query=query, mode=Mode.KEYWORD, limit=LIMIT))

    peer, scored, ours, described = _interleaved([bare, scoring, searched, served], QUERIES, repeat)
    passed = _report("bare Tantivy call", peer, "keyword search with items", described, KEYWORD_BOUND)
    base = statistics.median(peer)
    for label, times in (("keyword arm alone", ours), ("our compiled query alone", scored)):
        median = statistics.median(times)
        print(f"{label:<28}{median:>9.3f}  ratio {median / base:.2f}")
    print()
    return passed


def _hybrid(snapshot: Snapshot, service: SearchService, repeat: int) -> bool:
    vectors = {query: snapshot.encoder.encode_query(query) for query in QUERIES}

    def encode(query: str) -> None:
        snapshot.encoder.encode_query(query)

    def semantic(query: str) -> None:
        snapshot.vectors.search(vectors[query], filters=Filters(), limit=DEPTH)

    def keyword(query: str) -> None:
        snapshot.keyword.search(query, filters=Filters(), limit=DEPTH)

    def served(query: str) -> None:
        service.search(snapshot, SearchRequest(query=query, limit=LIMIT))

    encoding, arm, other, ours = _interleaved([encode, semantic, keyword, served], QUERIES, repeat)
    slower = arm if statistics.median(arm) >= statistics.median(other) else other
    peer = [first + second for first, second in zip(encoding, slower, strict=True)]
    return _report("encode + slower arm", peer, "hybrid search with items", ours, HYBRID_BOUND)


def _node(snapshot: Snapshot, repeat: int) -> bool:
    rows = range(0, len(snapshot.nodes), max(1, len(snapshot.nodes) // 500))
    ids = [snapshot.nodes.id(row) for row in rows]

    def by_id(node: UUID) -> None:
        bytes(node_body(snapshot, node).plain)

    (ours,) = _interleaved([by_id], ids, repeat)
    median = statistics.median(ours) * 1000
    passed = median <= NODE_BOUND_MICROSECONDS
    verdict = "within" if passed else "ABOVE"
    print(f"{'node by id':<28}{median:>9.1f} µs  {verdict} {NODE_BOUND_MICROSECONDS:g} µs")
    return passed


def _interleaved(
    calls: Sequence[Callable[[_Input], None]], inputs: Sequence[_Input], repeat: int
) -> list[list[float]]:
    """Return milliseconds per call, the calls taking turns on each input so that noise meets all alike."""
    taken: list[list[float]] = [[] for _ in calls]
    for round_number in range(repeat + 1):
        for value in inputs:
            for call, times in zip(calls, taken, strict=True):
                started = perf_counter_ns()
                call(value)
                if round_number:  # the first round warms up
                    times.append((perf_counter_ns() - started) / 1e6)
    return taken


def _report(peer: str, theirs: list[float], name: str, ours: list[float], bound: float) -> bool:
    for label, times in ((peer, theirs), (name, ours)):
        p95 = statistics.quantiles(times, n=20)[-1]
        print(f"{label:<28}{statistics.median(times):>9.3f}{p95:>9.3f}")
    ratio = statistics.median(ours) / statistics.median(theirs)
    print(f"{'ratio':<28}{ratio:>9.2f}  {'within' if ratio <= bound else 'ABOVE'} {bound:g}\n")
    return ratio <= bound


if __name__ == "__main__":
    sys.exit(main())
