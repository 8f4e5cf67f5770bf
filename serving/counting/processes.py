"""Which row this process counts in: the master makes the board and deals rows, a worker takes up its own."""

import os

from serving.counting.board import Board


class Share:
    """What this process has of a board: a master all of it, a worker a row."""

    def __init__(self) -> None:
        self.board: Board | None = None
        self.row: int | None = None
        self.died_at: float | None = None
        """When a worker last died without leaving, in seconds since 1970; None: none did before the fork."""

    def open(self, rows: int) -> Board:
        """Make the board, once: a server that reads its configuration again goes on counting."""
        if self.board is None:
            self.board = Board(rows)
        return self.board

    def own(self, layout: int) -> tuple[Board, memoryview]:
        """Return the board and the row to count in; one of its own where none was dealt, as in tests."""
        board, number = self.board, self.row
        if board is None or number is None:
            board, number = Board(1), 0
        return board, board.own(number, layout=layout, owner=os.getpid())


SHARE = Share()
"""Of this process. Forked with it."""
