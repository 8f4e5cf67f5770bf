"""The worksheet: memory on which a confined process notes what it has in hand and how far it is.

Noting costs some microseconds and asks nobody, so that readers can do it for each of many thousand files;
and what stands there outlives a crash.
"""

import mmap
import os
import struct
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

_NOTE = struct.Struct("<QddQQQ")
"""Length of the name, when it was taken up by both clocks, its bytes, how far the work is, of how much."""
_ROOM = 4096
"""Bytes of a note with its name."""
_LONGEST_NAME = _ROOM - _NOTE.size
_TURN, _NOTES = 0, 8
"""The number of the turn, which no process lives to see again, in eight bytes; and the notes."""
_SIZE = _NOTES + 2 * _ROOM


@dataclass(frozen=True, slots=True)
class InHand:
    """The file that a process works on.

    Attributes:
        name: its name; "" between two files.
        size: its bytes.
        since: when it was taken up, by the monotonic clock.
        spent: seconds of processor time that the process had taken by then.
    """

    name: str
    size: int
    since: float
    spent: float


@dataclass(frozen=True, slots=True)
class _Note:
    """The content of a worksheet at one time."""

    name: bytes = b""
    since: float = 0.0
    spent: float = 0.0
    size: int = 0
    done: int = 0
    total: int = 0


class Worksheet:
    """Memory that two processes share: one writes, the other looks.

    There is room for two notes. Each is written where the one before does not stand, and counts once the
    number of the turn says so: whoever looks meanwhile, for however long the writer is kept from going on,
    sees the one before.
    """

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._memory = mmap.mmap(descriptor, _SIZE)
        # Read and written in one step: it is the old number or the new one.
        self._turns = memoryview(self._memory).cast("Q")
        self._note = _Note()

    @classmethod
    @contextmanager
    def blank(cls) -> Iterator["Worksheet"]:
        """Yield an empty worksheet, whose descriptor another process may inherit."""
        with tempfile.TemporaryFile() as file:
            os.ftruncate(file.fileno(), _SIZE)
            sheet = cls(file.fileno())
            try:
                yield sheet
            finally:
                sheet._turns.release()
                sheet._memory.close()

    def take_up(self, name: str, size: int) -> None:
        """Note that work on a file of `size` bytes begins; the work before is done."""
        text = name.encode("utf-8", "replace")[:_LONGEST_NAME]
        before = self._note
        self._write(_Note(text, time.monotonic(), time.process_time(), size, before.done, before.total))

    def put_down(self) -> None:
        """Note that the file in hand is done and that the work goes on without one."""
        self.take_up("", 0)

    def in_hand(self) -> InHand | None:
        """Return what was taken up last; None before the first."""
        note = self._read()
        if not note.since:
            return None
        return InHand(note.name.decode("utf-8", "replace"), note.size, note.since, note.spent)

    def advance(self, done: int, total: int) -> None:
        """Note how far the work is, in whatever it counts."""
        self._write(replace(self._note, done=done, total=total))

    def progress(self) -> tuple[int, int]:
        """Return how far the work is, as (done, in all)."""
        note = self._read()
        return note.done, note.total

    def _write(self, note: _Note) -> None:
        turn = self._turns[_TURN] + 1
        start = _place(turn)
        numbers = (len(note.name), note.since, note.spent, note.size, note.done, note.total)
        _NOTE.pack_into(self._memory, start, *numbers)
        start += _NOTE.size
        self._memory[start : start + len(note.name)] = note.name
        self._turns[_TURN] = turn
        self._note = note

    def _read(self) -> _Note:
        while True:
            turn = self._turns[_TURN]
            start = _place(turn)
            length, since, spent, size, done, total = _NOTE.unpack_from(self._memory, start)
            start += _NOTE.size
            name = self._memory[start : start + length]
            if self._turns[_TURN] == turn:
                return _Note(name, since, spent, size, done, total)


def _place(turn: int) -> int:
    """Return where the note of a turn stands."""
    return _NOTES + turn % 2 * _ROOM
