"""Citations of a snapshot: found by their key, with the neighbours of missing ones."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from serving.contract.citations.keys import (
    NAME_END,
    act_name_key,
    beside_key,
    elsewhere_key,
    is_key_of_name,
    key_head,
)
from serving.contract.records import SNAPSHOT_CITATIONS
from serving.snapshot.table import Strings, integers, map_table

_NAME = re.compile(f"(?:{act_name_key(())}|{elsewhere_key(())})([^{NAME_END}]*){NAME_END}[0-9]*")
_AFTER_SPACE = b"!"
_STEP = 16
"""Entries from one whose key is held in memory to the next: a key is sought among those first."""


class NamedElsewhere(NamedTuple):
    """The name of an act of which no place is held.

    Attributes:
        words: how many words it has; 0 where nothing is named.
        places: where the act is known to stand, as citations are shown; "" where that is not known.
        anywhere: it names the act among other words as well.
    """

    words: int
    places: str
    anywhere: bool


class CitationTable:
    """Table of `citations.arrow`. An entry is a row of this table, which names a row of `nodes.arrow`."""

    __slots__ = ("_keys", "_rows", "_steps", "_successors", "_whole")

    def __init__(self, path: Path) -> None:
        batch = map_table(path, SNAPSHOT_CITATIONS)
        self._keys = Strings(batch.column("key"))
        self._rows = integers(batch.column("row"), "I")
        self._steps = [self._keys.copy(entry) for entry in range(0, len(batch), _STEP)]
        self._whole = integers(batch.column("whole").cast(pa.uint8()), "B")
        successors = batch.column("successor")
        # Few nodes have one: a dictionary is smaller than the column and answers sooner.
        self._successors: dict[int, str] = {
            entry: successors[entry].as_py() for entry in successors.is_valid().to_numpy(False).nonzero()[0]
        }

    def __len__(self) -> int:
        return len(self._rows)

    def find(self, key: str) -> range:
        """Return the entries under a key, as `citation_key` makes it: empty, one, or several."""
        wanted = key.encode()
        return self._equal(self._first(wanted), wanted)

    def neighbours(self, key: str) -> tuple[range, range]:
        """Return the entries before and after a key that is missing, of the same title or set of rules.

        Each is the entries of one key; empty where the missing one would be the first or the last.
        """
        head = key_head(key).encode()
        found = self.find(key)
        return self._sharing(found.start - 1, head), self._sharing(found.stop, head)

    def around(self, key: str) -> tuple[Iterator[int], Iterator[int]]:
        """Return the entries before a key and those after it, nearest first, of its title or rules."""
        head = key_head(key).encode()
        found = self.find(key)
        before = range(found.start - 1, -1, -1)
        after = range(found.stop, len(self))
        return self._while_under(before, head), self._while_under(after, head)

    def _while_under(self, entries: range, head: bytes) -> Iterator[int]:
        return takewhile(lambda entry: bytes(self._keys.view(entry)).startswith(head), entries)

    def under(self, head: str) -> Iterator[int]:
        """Yield the entries whose keys begin with `head`, in the order of their numbers."""
        wanted = head.encode()
        entry = self._first(wanted)
        while entry < len(self) and self._keys.copy(entry).startswith(wanted):
            yield entry
            entry += 1

    def name_at(self, words: Sequence[str]) -> tuple[int, list[int]]:
        """Return how many of the first words are the longest name of an act, and the entries of its places.

        The places are in the order in which they lead; there are none where the words begin with no name.
        """
        count, first = self._longest(words, act_name_key)
        return count, self._places(act_name_key(words[:count]), first) if count else []

    def elsewhere_at(self, words: Sequence[str]) -> NamedElsewhere:
        """Return the longest name of an act of which no place is held, with which the words begin."""
        count, first = self._longest(words, elsewhere_key)
        if not count:
            return NamedElsewhere(0, "", False)
        return NamedElsewhere(count, self._keys.text(first).partition(NAME_END)[2], self.is_whole(first))

    def _longest(self, words: Sequence[str], key_of: Callable[[Sequence[str]], str]) -> tuple[int, int]:
        """Return how many of the first words are the longest name, and its first entry."""
        count, first = 0, 0
        for length in range(1, len(words) + 1):
            begun = key_of(words[:length])
            entry = self._first(begun.encode())
            key = self._keys.text(entry) if entry < len(self) else ""
            if is_key_of_name(key, begun):
                count, first = length, entry
            elif not key.startswith(begun + " "):
                break
        return count, first

    def begins_name(self, words: Sequence[str]) -> tuple[bool, bool]:
        """Return whether words are the name of an act, and whether they are the beginning of a longer one."""
        begun = act_name_key(words)
        longer = f"{begun} "
        return is_key_of_name(self._not_before(begun), begun), self._not_before(longer).startswith(longer)

    def names(self) -> list[str]:
        """Return the names of acts, each once, in their order: the words of each with a space between."""
        return self._names(act_name_key(()))

    def names_elsewhere(self) -> list[str]:
        """Return likewise the names that are known of acts of which no place is held."""
        return self._names(elsewhere_key(()))

    def _names(self, begun: str) -> list[str]:
        first, last = (self._first(key) for key in (begun.encode(), begun[:-1].encode() + _AFTER_SPACE))
        # All at once: to read tens of thousands of keys one by one takes ten times as long.
        keys = str(self._keys.run(first, last), "utf-8")
        return list(dict.fromkeys(_NAME.findall(keys)))

    def _not_before(self, begun: str) -> str:
        """Return the first key that is not before this beginning; "" where there is none."""
        entry = self._first(begun.encode())
        return self._keys.text(entry) if entry < len(self) else ""

    def means_an_act(self, words: Sequence[str], beside: Sequence[str]) -> bool:
        """Return True where a name that is an ordinary word too means its act beside one of other words."""
        return any(len(self.find(beside_key(words, word))) for word in beside)

    def _places(self, begun: str, first: int) -> list[int]:
        last = first
        while last < len(self) and is_key_of_name(self._keys.text(last), begun):
            last += 1
        return list(range(first, last))

    def key(self, entry: int) -> str:
        """Return the key of an entry."""
        return self._keys.text(entry)

    def node(self, entry: int) -> int:
        """Return the row in `nodes.arrow` that an entry names."""
        return int(self._rows[entry])

    def is_whole(self, entry: int) -> bool:
        """Return False where the key is that of a member of the node's list or range."""
        return self._whole[entry] != 0

    def successor(self, entry: int) -> str | None:
        """Return the canonical citation that the source names as the new place; None if it names none."""
        return self._successors.get(entry)

    def successors(self) -> Mapping[int, str]:
        """Return all citations of new places, by the entry of what has moved there."""
        return self._successors

    def _sharing(self, entry: int, head: bytes) -> range:
        """Return the entries that have the key of one, if it begins with `head`."""
        if not 0 <= entry < len(self) or not (key := self._keys.copy(entry)).startswith(head):
            return range(0)
        first = entry
        while first > 0 and self._keys.copy(first - 1) == key:
            first -= 1
        return self._equal(first, key)

    def _equal(self, first: int, key: bytes) -> range:
        """Return the entries of a key from the first on."""
        last, count = first, len(self._rows)
        while last < count and self._keys.copy(last) == key:
            last += 1
        return range(first, last)

    def _first(self, wanted: bytes) -> int:
        """Return the first entry whose key is not before the wanted one."""
        step = bisect_left(self._steps, wanted)
        low, high = max(0, (step - 1) * _STEP), min(step * _STEP, len(self._rows))
        return bisect_left(range(high), wanted, low, high, key=self._keys.copy)
