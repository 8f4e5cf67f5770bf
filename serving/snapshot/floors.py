"""Floors of semantic search: how near a passage must be to a query to be called a match, by encoder."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from serving.contract.errors import SnapshotCorruptError
from serving.contract.layout import FLOORS


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


def parse_floors(stored: bytes, source: str) -> Mapping[str, Floor]:
    """Return the floors that a file holds, by encoder.

    Raises:
        SnapshotCorruptError: it holds no floors that this server reads.
    """
    try:
        return {entry["encoder"]: Floor(**entry) for entry in tomllib.loads(stored.decode())["floor"]}
    except (ValueError, KeyError, TypeError) as error:
        raise SnapshotCorruptError(source, f"holds no floors of this server's: {error!r}") from error


@lru_cache(maxsize=1)
def default_floors() -> Mapping[str, Floor]:
    """Return the floors that the package carries."""
    path = files("serving.snapshot").joinpath(FLOORS)
    return parse_floors(path.read_bytes(), str(path))
