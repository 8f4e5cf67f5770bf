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
        like_question: for questions that provisions answer; a query without a known word is like none.
    """

    encoder: str
    known_words: float
    no_known_word: float
    like_question: float


def least_similarity(snapshot: Snapshot, query: str) -> float:
    """Return the cosine similarity below which nothing is a match; -1 for an encoder without a floor."""
    floor = _floors().get(snapshot.manifest.encoder.name)
    if floor is None:
        return -1.0
    return floor.known_words if _is_known(snapshot, query) else floor.no_known_word


def least_likeness(snapshot: Snapshot, query: str) -> float:
    """Return the cosine similarity below which no question is like the query; 1 where none can be."""
    floor = _floors().get(snapshot.manifest.encoder.name)
    return floor.like_question if floor is not None and _is_known(snapshot, query) else 1.0


def _is_known(snapshot: Snapshot, query: str) -> bool:
    return snapshot.keyword.knows_word(query) or snapshot.encoder.tokenizer.knows_word(query)


@lru_cache(maxsize=1)
def _floors() -> dict[str, Floor]:
    stored = tomllib.loads(files("serving.services").joinpath("floors.toml").read_text(encoding="utf-8"))
    return {entry["encoder"]: Floor(**entry) for entry in stored["floor"]}
