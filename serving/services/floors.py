"""Floors of semantic search: how near a passage must be to a query to be called a match."""

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from serving.snapshot.store import Snapshot


@dataclass(frozen=True, slots=True)
class Floor:
    """Least cosine similarities for one encoder.

    Attributes:
        encoder: name of the encoder.
        known_words: for queries with a word that the law or the encoder knows.
        no_known_word: for queries without one, which mean nothing or are misspelled.
    """

    encoder: str
    known_words: float
    no_known_word: float


def least_similarity(snapshot: Snapshot, query: str) -> float:
    """Return the cosine similarity below which nothing is a match; -1 for an encoder without a floor."""
    floor = _floors().get(snapshot.manifest.encoder.name)
    if floor is None:
        return -1.0
    is_known = snapshot.keyword.knows_word(query) or snapshot.encoder.tokenizer.knows_word(query)
    return floor.known_words if is_known else floor.no_known_word


@lru_cache(maxsize=1)
def _floors() -> dict[str, Floor]:
    stored = tomllib.loads(files("serving.services").joinpath("floors.toml").read_text(encoding="utf-8"))
    return {entry["encoder"]: Floor(**entry) for entry in stored["floor"]}
