"""Passages of a snapshot as every peer gets them: text, provision, what is filtered by, and vector."""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from assets.text.passages import passage
from serving.snapshot.store import Snapshot

_SEED = 13


@dataclass(frozen=True, slots=True)
class Corpus:
    """Passages, one in each place of every list.

    Attributes:
        nodes: ids of their provisions.
        texts: citation and heading of the provision, and the passage.
        vectors: float16, of unit length.
    """

    nodes: list[str]
    texts: list[str]
    jurisdictions: list[str]
    statuses: list[str]
    vectors: np.ndarray

    def __len__(self) -> int:
        return len(self.nodes)


def choose(snapshot: Snapshot, judged: Collection[str], most: int | None) -> list[int]:
    """Return the rows of provisions with `most` passages or a few more; all for None.

    Judged provisions come first, since the others answer no question; the rest are drawn at random.
    """
    rows = list(range(len(snapshot.nodes)))
    if most is None or most >= len(snapshot.chunks):
        return rows
    found = (snapshot.nodes.find(UUID(node)) for node in judged)
    chosen = {row for row in found if row is not None}
    left = most - sum(_passages(snapshot, row) for row in chosen)
    for row in np.random.default_rng(_SEED).permutation(rows).tolist():
        if left <= 0:
            break
        if row not in chosen:
            chosen.add(row)
            left -= _passages(snapshot, row)
    return sorted(chosen)


def read(snapshot: Snapshot, rows: Collection[int]) -> Corpus:
    """Return the passages of provisions."""
    nodes, texts, jurisdictions, statuses, chunks = [], [], [], [], []
    for row in rows:
        first, end = snapshot.nodes.chunk_range(row)
        if first == end:
            continue
        node, text = str(snapshot.nodes.id(row)), snapshot.nodes.text(row)
        context = f"{snapshot.nodes.citation(row)} {snapshot.nodes.heading(row)}"
        for chunk in range(first, end):
            start, stop, _, _ = snapshot.chunks.span(chunk)
            nodes.append(node)
            # An engine of C strings holds no NUL.
            texts.append(passage(context, text[start:stop]).replace("\0", " "))
            chunks.append(chunk)
        jurisdictions += [snapshot.nodes.jurisdiction(row)] * (end - first)
        statuses += [snapshot.nodes.status(row)] * (end - first)
    vectors = snapshot.vectors.passages.read(np.asarray(chunks, np.int64)).units().astype(np.float16)
    return Corpus(nodes, texts, jurisdictions, statuses, vectors)


def _passages(snapshot: Snapshot, row: int) -> int:
    first, end = snapshot.nodes.chunk_range(row)
    return end - first
