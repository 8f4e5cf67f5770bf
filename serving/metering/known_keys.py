"""The numbers of the keys that a store has met: rows are found by numbers in less time than by hashes.

Only what never changes is remembered, the number of a hash's key and of its account. Everything else about a
key, and that its hash is still this one, is read in each transaction.
"""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

MOST_KEYS = 8_192
"""Keys that are remembered; the oldest is forgotten first."""


class Numbers(NamedTuple):
    """The number of a key, and of the account that owns it."""

    key_id: int
    account_id: int


class KnownKeys:
    """The numbers of keys by their hashes, for one connection to the store.

    Args:
        most: number of keys that are remembered.
    """

    def __init__(self, *, most: int = MOST_KEYS) -> None:
        self._most = most
        self._numbers: OrderedDict[str, Numbers] = OrderedDict()

    def missing(self, hashes: Iterable[str]) -> list[str]:
        """Return the hashes whose keys are not known yet."""
        return [key_hash for key_hash in hashes if key_hash not in self._numbers]

    def learn(self, rows: Iterable[tuple[str, int, int]]) -> None:
        """Remember keys: their hashes, numbers and accounts."""
        for key_hash, key_id, account_id in rows:
            self._numbers[key_hash] = Numbers(key_id, account_id)

    def numbers(self, hashes: Iterable[str]) -> Sequence[Numbers]:
        """Return the numbers of the keys that exist, each once and in order, and forget what is too much."""
        known = self._numbers
        # Both tokens of an agent that has just renewed them have the number of one key.
        found = sorted({known[key_hash] for key_hash in hashes if key_hash in known})
        while len(known) > self._most:
            known.popitem(last=False)
        return found
