"""Pools: what several runs return that nobody has judged yet, without a sign of which run returned it."""

import csv
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from uuid import UUID

from assets.release.evaluation.judgements import EvaluationSet, Query
from assets.release.evaluation.runs import Run
from serving.snapshot.store import Snapshot
from tests.quality.evaluation.passages import best_passage

DEPTH = 10
"""Provisions of each run that are judged."""
COLUMNS = ("query", "text", "jurisdiction", "node", "citation", "heading", "passage")


def unjudged(runs: Iterable[Run], asked: EvaluationSet, queries: Sequence[Query]) -> list[tuple[Query, str]]:
    """Return each query with each node in the first ten of a run that was not judged, in no telling order."""
    found = []
    every = list(runs)
    for query in queries:
        known = asked.grades.get(query.id, {})
        nodes = {node for run in every for node in run.ranked.get(query.id, ())[:DEPTH]} - known.keys()
        chosen = sorted(nodes)
        random.Random(query.id).shuffle(chosen)
        found += [(query, node) for node in chosen]
    return found


def write_pool(path: Path, snapshot: Snapshot, pairs: Iterable[tuple[Query, str]]) -> int:
    """Write the pairs as a table for a judge, and return their number."""
    count = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, dialect="excel-tab", quoting=csv.QUOTE_NONE, quotechar=None)
        table.writerow(COLUMNS)
        for query, node in pairs:
            row = snapshot.nodes.find(UUID(node))
            if row is None:
                continue
            cells = (snapshot.nodes.citation(row), snapshot.nodes.heading(row))
            passage = best_passage(snapshot, query.text, row)
            line = (query.id, query.text, query.jurisdiction or "", node, *cells, passage)
            table.writerow(" ".join(cell.split()) for cell in line)
            count += 1
    return count
