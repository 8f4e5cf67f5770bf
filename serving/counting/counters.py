"""The numbers of all families, in memory that workers share: each writes its own, and reads the sums."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from serving.counting.board import FIRST, WIDTH, Board
from serving.counting.families import BOUNDS, Family
from serving.counting.processes import SHARE

_NANOSECONDS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Sums:
    """The numbers of a family, summed over all workers, by the values of its labels.

    A histogram has one number for each class, one for what lies above all bounds, and the nanoseconds.
    """

    family: Family
    series: Mapping[tuple[str, ...], tuple[int, ...]]


class Counters:
    """Numbers of this process, and their sums over all processes.

    Args:
        families: the families of numbers.
    """

    def __init__(self, families: Sequence[Family]) -> None:
        self._families = tuple(families)
        self._places: dict[str, dict[tuple[str, ...], int]] = {}
        place = FIRST
        for family in families:
            places = self._places[family.name] = {}
            for series in family.series:
                places[series] = place
                place += family.width
        if place > WIDTH:
            raise ValueError(f"{place} numbers do not fit into {WIDTH}")
        digest = hashlib.sha256(repr((self._families, BOUNDS)).encode()).digest()
        self._layout = int.from_bytes(digest[:7], "big")
        self._board, self._row = SHARE.own(self._layout)
        self._leave_gauges()

    def _leave_gauges(self) -> None:
        """Set gauges to zero: the worker whose row this was had other things open."""
        for family in self._families:
            if family.kind == "gauge":
                for place in self._places[family.name].values():
                    self._row[place] = 0

    @property
    def board(self) -> Board:
        """The numbers of all workers."""
        return self._board

    def add(self, family: str, series: tuple[str, ...], number: int) -> None:
        """Add to a counter."""
        self._row[self._places[family][series]] += number

    def set(self, family: str, series: tuple[str, ...], number: int) -> None:
        """Set a gauge to what it is in this process."""
        self._row[self._places[family][series]] = number

    def observe(self, family: str, series: tuple[str, ...], seconds: Sequence[float]) -> None:
        """Sort durations into the classes of a histogram."""
        row, first = self._row, self._places[family][series]
        spans = np.bincount(np.searchsorted(BOUNDS, seconds))
        for place, number in enumerate(spans.tolist(), start=first):
            row[place] += number
        row[first + len(BOUNDS) + 1] += int(sum(seconds) * _NANOSECONDS)

    def sums(self) -> Iterator[Sums]:
        """Yield the sums of each family; those of other processes are as of their last writing."""
        counted = self._board.sums(self._layout)
        held = self._board.sums(self._layout, of_owned=True)
        for family in self._families:
            numbers = held if family.kind == "gauge" else counted
            yield Sums(
                family,
                {
                    series: tuple(numbers[place : place + family.width])
                    for series, place in self._places[family.name].items()
                },
            )
