"""Turns between processes that write one SQLite file: those that wait sleep, and each gets its turn.

SQLite's own waiting polls with growing pauses: a process that has just committed mostly takes the lock again
while the others sleep. Here a process first locks the place of the next one in line, then waits for the turn
itself. A process that ends its turn must queue behind the holder of that place, and the kernel wakes that
holder at once. Both locks of a process that dies are released.
"""

import fcntl
import os
from pathlib import Path
from types import TracebackType
from typing import Self

BUSY_SECONDS = 10
"""Seconds that SQLite waits for a program that does not take turns, such as its own shell."""


class Turns:
    """One participant: one thread of one process. A context manager; not reentrant."""

    def __init__(self, database: Path) -> None:
        self._next = os.open(f"{database}-next", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._turn = os.open(f"{database}-turn", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def try_take(self) -> bool:
        """Take the turn if nobody has it and nobody waits for it; `give_back` ends it."""
        try:
            fcntl.flock(self._next, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        try:
            fcntl.flock(self._turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        finally:
            fcntl.flock(self._next, fcntl.LOCK_UN)
        return True

    def give_back(self) -> None:
        """End the turn."""
        fcntl.flock(self._turn, fcntl.LOCK_UN)

    def __enter__(self) -> Self:
        fcntl.flock(self._next, fcntl.LOCK_EX)
        try:
            fcntl.flock(self._turn, fcntl.LOCK_EX)
        finally:
            fcntl.flock(self._next, fcntl.LOCK_UN)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.give_back()

    def close(self) -> None:
        """Close the two lock files."""
        os.close(self._next)
        os.close(self._turn)
