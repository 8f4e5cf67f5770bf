"""Measure what the floor of search does over a snapshot: what still finds something, and what known items lose.

Run: `python -m tests.quality.floors SNAPSHOT_FOLDER [--items N]`.
"""

import argparse
import random
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import numpy as np

from serving.contract.records import IN_FORCE
from serving.services import search
from serving.services.opening import open_warm
from serving.services.requests import Mode, SearchRequest
from serving.services.search import SearchService
from serving.snapshot.store import Snapshot

QUERIES = tomllib.loads((Path(__file__).parent / "queries.toml").read_text(encoding="utf-8"))
SEED = 11
MODES = (Mode.HYBRID, Mode.SEMANTIC)


def main() -> None:
    """Print the figures of `docs/decisions/search-floor.md`."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("snapshot", type=Path)
    parser.add_argument("--items", type=int, default=300, help="known items of each kind (default: 300)")
    options = parser.parse_args()
    snapshot = open_warm(options.snapshot)
    service = SearchService()
    for kind, parts in QUERIES.items():
        for part, queries in parts.items():
            for mode in MODES:
                before, after = (
                    _found(service, snapshot, queries, mode, floor=floor) for floor in (False, True)
                )
                print(
                    f"{kind} {part} {mode}: of {len(queries)} find nothing {before}, with the floor {after}"
                )
    sections = [
        row
        for row in range(len(snapshot.nodes))
        if snapshot.nodes.status(row) == IN_FORCE and len(snapshot.nodes.text(row)) > 80
    ]
    for name, words in KNOWN_ITEMS.items():
        chosen = random.Random(SEED).sample(sections, min(options.items, len(sections)))
        for mode in MODES:
            figures = []
            for floor in (False, True):
                ranks = _ranks(
                    service, snapshot, {row: words(snapshot, row) for row in chosen}, mode, floor=floor
                )
                gain = np.where(ranks < 10, 1 / np.log2(ranks + 2), 0).mean()
                figures.append(f"{(ranks < 10).mean():.4f} {(ranks < 100).mean():.4f} {gain:.4f}")
            print(f"{name} {mode}: recall@10, recall@100, nDCG@10 {figures[0]}, with the floor {figures[1]}")


def _middle(snapshot: Snapshot, row: int) -> str:
    words = snapshot.nodes.text(row).split()
    return " ".join(words[len(words) // 2 :][:10])


KNOWN_ITEMS: dict[str, Callable[[Snapshot, int], str]] = {
    "heading": lambda snapshot, row: snapshot.nodes.heading(row),
    "first words": lambda snapshot, row: " ".join(snapshot.nodes.text(row).split()[:12]),
    "words of the middle": _middle,
}


@contextmanager
def _floor(*, floor: bool) -> Iterator[None]:
    if floor:
        yield
        return
    with patch.object(search, "least_similarity", lambda *_: -1.0):
        yield


def _found(service: SearchService, snapshot: Snapshot, queries: list[str], mode: Mode, *, floor: bool) -> int:
    with _floor(floor=floor):
        return sum(
            service.search(snapshot, SearchRequest(query=query, mode=mode)).total == 0 for query in queries
        )


def _ranks(
    service: SearchService, snapshot: Snapshot, asked: dict[int, str], mode: Mode, *, floor: bool
) -> np.ndarray:
    """Return the place of each known item among the results, a million where it is not among them."""
    ranks = []
    with _floor(floor=floor):
        for row, words in asked.items():
            query = " ".join(words.replace('"', " ").split())[:500]
            if not query:
                continue
            request = SearchRequest(query=query, mode=mode, limit=100)
            ids = [item.node_id for item in service.search(snapshot, request).items]
            own = str(snapshot.nodes.id(row))
            ranks.append(ids.index(own) if own in ids else 1_000_000)
    return np.array(ranks)


if __name__ == "__main__":
    main()
