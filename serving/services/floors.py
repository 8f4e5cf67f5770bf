"""Floors of semantic search: how near a passage must be to a query to be called a match."""

from serving.snapshot.store import Snapshot


def least_similarity(snapshot: Snapshot, query: str) -> float:
    """Return the cosine similarity below which nothing is a match; -1 for an encoder without a floor."""
    floor = snapshot.floors.get(snapshot.encoder.config.name)
    if floor is None:
        return -1.0
    return floor.known_words if _is_known(snapshot, query) else floor.no_known_word


def least_likeness(snapshot: Snapshot, query: str) -> float:
    """Return the cosine similarity below which no question is like the query; 1 where none can be.

    A number without a word asks for what bears it, and is like every question that has one.
    """
    floor = snapshot.floors.get(snapshot.encoder.config.name)
    asks = any(map(str.isalpha, query))
    return floor.like_question if floor is not None and asks and _is_known(snapshot, query) else 1.0


def _is_known(snapshot: Snapshot, query: str) -> bool:
    return snapshot.keyword.knows_word(query) or snapshot.encoder.tokenizer.knows_word(query)
