"""Pairs of provisions of two snapshots that are one provision: by their id, and by a text that moved."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from serving.comparison.digest_table import DigestColumns

NONE = -1
"""The row of a side that is not there."""


class Side(NamedTuple):
    """One code body in one snapshot: ids and rows of its provisions, and the digests of all rows."""

    ids: np.ndarray
    rows: np.ndarray
    digests: DigestColumns

    def column(self, name: str) -> np.ndarray:
        """Return a column of digests for these rows."""
        values: np.ndarray = self.digests[name][self.rows]
        return values


class Pair(NamedTuple):
    """Rows of a provision before and after; `NONE` where it is not there. `moved`: known by its text."""

    before: int
    after: int
    moved: bool = False


def changed_pairs(old: Side, new: Side) -> Iterator[Pair]:
    """Yield the provisions of a code body that changed.

    A text that stands once in the old snapshot and once in the new one, under another id, has moved. Then
    what stood at its new place is gone unless it moved as well, and what stands at its old place is new.
    """
    _, in_old, in_new = np.intersect1d(old.ids, new.ids, assume_unique=True, return_indices=True)
    same = (old.column("content_hi")[in_old] == new.column("content_hi")[in_new]) & (
        old.column("content_lo")[in_old] == new.column("content_lo")[in_new]
    )
    after_of = np.full(len(old.ids), NONE)
    after_of[in_old] = in_new
    before_of = np.full(len(new.ids), NONE)
    before_of[in_new] = in_old
    moves = _moves(old.column("text"), new.column("text"), after_of)
    origins = {after: before for before, after in moves.items()}
    unchanged = set(in_new[same].tolist())
    texts = new.column("text")
    for after, before in enumerate(before_of.tolist()):
        row = int(new.rows[after])
        if after in origins:
            yield Pair(int(old.rows[origins[after]]), row, moved=True)
            if before != NONE and before not in moves and old.column("text")[before]:
                yield Pair(int(old.rows[before]), NONE)
        elif before == NONE or (before in moves and texts[after]):
            yield Pair(NONE, row)
        elif after not in unchanged:
            yield Pair(int(old.rows[before]), row)
    for before in np.flatnonzero(after_of == NONE).tolist():
        if before not in moves:
            yield Pair(int(old.rows[before]), NONE)


def _moves(before: np.ndarray, after: np.ndarray, after_of: np.ndarray) -> dict[int, int]:
    """Return the places of texts that stand once in each snapshot, and at another id in the later one."""
    first, second = _single(before), _single(after)
    _, one, other = np.intersect1d(before[first], after[second], assume_unique=True, return_indices=True)
    places = zip(first[one].tolist(), second[other].tolist(), strict=True)
    return {old: new for old, new in places if after_of[old] != new}


def _single(texts: np.ndarray) -> np.ndarray:
    """Return the places of the texts that occur once and are evidence."""
    values, places, counts = np.unique(texts, return_index=True, return_counts=True)
    single: np.ndarray = places[(counts == 1) & (values != 0)]
    return single
