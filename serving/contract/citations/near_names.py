"""Known names that are spelled like an unknown one."""

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

_MAX_NEAR = 3
_LETTERS_PER_CHANGE = 4
_MAX_CHANGES = 3


class _Known(NamedTuple):
    """A known name, its place among all, its key, and the set of letters in that as bits."""

    place: int
    key: str
    letters: int
    written: str


class NearNames:
    """Known names, by the number of letters in their keys. They are put in order when first asked for."""

    def __init__(self, known: Mapping[str, str]) -> None:
        """Take known names by their keys."""
        self._known = known

    def near(
        self, key: str, *, most: int = _MAX_NEAR, letters_per_change: int = _LETTERS_PER_CHANGE
    ) -> list[str]:
        """Return the names whose keys differ from this one by a few letters, the nearest first.

        Args:
            key: the key.
            most: most names.
            letters_per_change: letters of the key for each one that may differ; of a short one, one may.
        """
        bound = min(_MAX_CHANGES, max(1, len(key) // letters_per_change))
        letters = _letters(key)
        found = []
        for length in range(len(key) - bound, len(key) + bound + 1):
            for other in self._by_length.get(length, ()):
                # A letter more changes the set by one, another letter by two.
                if (letters ^ other.letters).bit_count() <= 2 * bound - abs(len(key) - length):
                    changes = letters_changed(key, other.key, bound)
                    if changes <= bound:
                        found.append((changes, other.place, other.written))
        found.sort()  # names as near as each other stay in their order: held codes first
        return [written for _, _, written in found[:most]]

    @cached_property
    def _by_length(self) -> Mapping[int, list[_Known]]:
        ordered: dict[int, list[_Known]] = {}
        for place, (key, written) in enumerate(self._known.items()):
            ordered.setdefault(len(key), []).append(_Known(place, key, _letters(key), written))
        return ordered


def _letters(key: str) -> int:
    """Return the set of characters in a key, a bit for each."""
    letters = 0
    for character in key:
        letters |= 1 << ord(character)
    return letters


def letters_changed(one: str, other: str, bound: int) -> int:
    """Count letters inserted, left out, changed or swapped; beyond `bound` any greater number is returned."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        current = [row]
        for column, opposite in enumerate(other, 1):
            cost = min(last[column] + 1, current[-1] + 1, last[column - 1] + (letter != opposite))
            if before and column > 1 and letter == other[column - 2] and opposite == one[row - 2]:
                cost = min(cost, before[column - 2] + 1)
            current.append(cost)
        if min(current) > bound:
            return bound + 1
        before, last = last, current
    return last[-1]
