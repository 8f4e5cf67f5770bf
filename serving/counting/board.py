"""Counters of several processes: a row a worker, which alone writes it, in memory that all of them see.

The memory belongs to no file. It is made before the workers are forked, and outlives each of them: a worker
that takes over a row counts on from where the one before it stopped, so that sums never fall.
"""

import mmap

WIDTH = 4096
"""Numbers of a row, the two that describe it included."""
FIRST = 2
"""Number of a row from which on it counts; before it stand what its layout is, and whose it is."""
_LAYOUT, _OWNER = 0, 1
_BYTES = 8


class Board:
    """The rows."""

    def __init__(self, rows: int) -> None:
        self._rows = rows
        self._cells = memoryview(mmap.mmap(-1, rows * WIDTH * _BYTES)).cast("q")
        self._free = list(range(rows - 1, -1, -1))

    def take(self) -> int | None:
        """Reserve a row, before the fork; None where all are taken."""
        return self._free.pop() if self._free else None

    def give_back(self, number: int) -> None:
        """Let another worker have a row, once its own is gone."""
        self.leave(number)
        self._free.append(number)

    def is_owned(self, number: int) -> bool:
        """Whether the process that counts in a row has not left it."""
        return self._row(number)[_OWNER] != 0

    def leave(self, number: int) -> None:
        """Note that the process that counts in a row ends as it should."""
        self._row(number)[_OWNER] = 0

    def own(self, number: int, *, layout: int, owner: int) -> memoryview:
        """Return a row to count in.

        Args:
            number: as it was taken.
            layout: what its numbers mean; numbers of another meaning are forgotten.
            owner: id of the process.
        """
        row = self._row(number)
        if row[_LAYOUT] != layout:
            row[:] = memoryview(bytes(WIDTH * _BYTES)).cast("q")
        row[_LAYOUT], row[_OWNER] = layout, owner
        return row

    def sums(self, layout: int) -> list[int]:
        """Return the numbers of a layout, all rows added up."""
        rows = [self._row(number).tolist() for number in range(self._rows)]
        counted = [row for row in rows if row[_LAYOUT] == layout]
        return [sum(column) for column in zip(*counted, strict=True)] if counted else [0] * WIDTH

    def owners(self) -> list[int]:
        """Return the ids of the processes that have a row."""
        return [owner for number in range(self._rows) if (owner := self._row(number)[_OWNER])]

    def _row(self, number: int) -> memoryview:
        return self._cells[number * WIDTH : (number + 1) * WIDTH]
