"""The passage of a provision that a judge reads: the beginning of the chunk that is nearest to the query."""

import numpy as np

from serving.snapshot.store import Snapshot

LENGTH = 600
"""Characters of a passage, at most."""


def best_passage(snapshot: Snapshot, query: str, row: int) -> str:
    """Return at most `LENGTH` characters of a provision's text."""
    first, last = snapshot.nodes.chunk_range(row)
    text = snapshot.nodes.text(row)
    if first == last:
        return text[:LENGTH]
    similarity = snapshot.vectors.passages.similarity(
        snapshot.encoder.encode_query(query), np.arange(first, last)
    )
    start, end = snapshot.chunks.span(first + int(similarity.argmax()))[:2]
    return text[start : min(end, start + LENGTH)]
