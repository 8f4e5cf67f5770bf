"""Counters in memory that several processes share: each worker has a row, which it alone writes.

The memory belongs to no file. It is made before the workers are forked, and outlives each of them: a worker
that takes over a row counts on from where the one before it stopped, so that sums never fall.
"""

import mmap

WIDTH = 4096
"""Numbers in a row, including the two that describe it."""
FIRST = 2
"""Position of a row's first counter; before it stand the row's layout and its owner."""
_LAYOUT, _OWNER = 0, 1
_BYTES = 8


class Board:
    """Shared memory with a row of counters for each process."""

    def __init__(self, rows: int) -> None:
        self._rows = rows
        self._cells = memoryview(mmap.mmap(-1, rows * WIDTH * _BYTES)).cast("q")
        self._free = list(range(rows - 1, -1, -1))

    def take(self) -> int | None:
        """Reserve a row, before the fork; return None if all are taken."""
        return self._free.pop() if self._free else None

    def give_back(self, number: int) -> None:
        """Release a row whose worker is gone, for another worker."""
        self.leave(number)
        self._free.append(number)

    def is_owned(self, number: int) -> bool:
        """Return whether the row's process is still counting, or died without leaving the row."""
        return self._row(number)[_OWNER] != 0

    def leave(self, number: int) -> None:
        """Mark a row as left by its process, which ends normally."""
        self._row(number)[_OWNER] = 0

    def own(self, number: int, *, layout: int, owner: int) -> memoryview:
        """Return a row to count in.

        Args:
            number: the row's number, as `take` returned it.
            layout: identifies the meaning of the counters; counters of another layout are reset.
            owner: id of the process.
        """
        row = self._row(number)
        if row[_LAYOUT] != layout:
            row[:] = memoryview(bytes(WIDTH * _BYTES)).cast("q")
        row[_LAYOUT], row[_OWNER] = layout, owner
        return row

    def sums(self, layout: int, *, of_owned: bool = False) -> list[int]:
        """Return the sums of each counter over all rows of a layout, or over those that a process owns."""
        rows = [self._row(number).tolist() for number in range(self._rows)]
        counted = [row for row in rows if row[_LAYOUT] == layout and (row[_OWNER] or not of_owned)]
        return [sum(column) for column in zip(*counted, strict=True)] if counted else [0] * WIDTH

    def owners(self) -> list[int]:
        """Return the ids of the processes that have a row."""
        return [owner for number in range(self._rows) if (owner := self._row(number)[_OWNER])]

    def _row(self, number: int) -> memoryview:
        return self._cells[number * WIDTH : (number + 1) * WIDTH]
