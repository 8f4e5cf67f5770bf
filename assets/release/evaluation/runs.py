"""Runs: what one variant of the search returned for every query, kept as JSON."""

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from assets.release.evaluation.judgements import Query
from serving.services.requests import Mode, SearchRequest
from serving.services.search import SearchService
from serving.snapshot.store import Snapshot

DEPTH = 100
"""Provisions that are kept for each query."""


@dataclass(frozen=True, slots=True)
class Run:
    """The answers of one variant.

    Attributes:
        name: of the variant, such as `hybrid`.
        snapshot: id of the snapshot that was searched.
        ranked: node ids of each query, best first.
        milliseconds: time that each search took, snippets included.
    """

    name: str
    snapshot: str
    ranked: dict[str, list[str]]
    milliseconds: dict[str, float]

    def among(self, nodes: Collection[str]) -> "Run":
        """Return the run without the provisions that are not among `nodes`."""
        ranked = {query: [node for node in found if node in nodes] for query, found in self.ranked.items()}
        return replace(self, ranked=ranked)

    def write(self, path: Path) -> None:
        """Write the run as JSON."""
        stored = {
            "name": self.name,
            "snapshot": self.snapshot,
            "ranked": self.ranked,
            "milliseconds": self.milliseconds,
        }
        path.write_text(json.dumps(stored), encoding="utf-8")


def read_run(path: Path) -> Run:
    """Return the run that was written to a file."""
    return Run(**json.loads(path.read_text(encoding="utf-8")))


def run(
    service: SearchService,
    snapshot: Snapshot,
    queries: Sequence[Query],
    mode: Mode,
    *,
    done: Callable[[int], None] = lambda _: None,
) -> Run:
    """Search for every query, in its jurisdiction where it names one; `done(1)` follows each search."""
    ranked, taken = {}, {}
    for query in queries:
        request = SearchRequest(query=query.text, mode=mode, limit=DEPTH, jurisdiction=query.jurisdiction)
        started = perf_counter()
        found = service.search(snapshot, request).items
        taken[query.id] = round((perf_counter() - started) * 1000, 3)
        ranked[query.id] = [item.node_id for item in found]
        done(1)
    return Run(str(mode), snapshot.id, ranked, taken)
