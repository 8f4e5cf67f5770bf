"""Division of the counters among processes: the master makes the board and assigns each worker its row."""

import os

from serving.counting.board import Board


class Share:
    """The part of the board that this process has: a master all of it, a worker one row."""

    def __init__(self) -> None:
        self.board: Board | None = None
        self.row: int | None = None
        self.died_at: float | None = None
        """Time at which a worker last died without leaving its row, in seconds since 1970; None: none did
        before the fork."""

    def open(self, rows: int) -> Board:
        """Make the board, once: reloading the configuration resets no counts."""
        if self.board is None:
            self.board = Board(rows)
        return self.board

    def own(self, layout: int) -> tuple[Board, memoryview]:
        """Return the board and the row to count in; one of its own if no row was assigned, as in tests."""
        board, number = self.board, self.row
        if board is None or number is None:
            board, number = Board(1), 0
        return board, board.own(number, layout=layout, owner=os.getpid())


SHARE = Share()
"""The part of this process, which its children inherit at the fork."""
