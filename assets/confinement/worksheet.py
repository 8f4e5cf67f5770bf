"""The worksheet: a page of memory on which a confined process notes what it has in hand and how far it is.

Noting costs about a microsecond and asks nobody, so that readers can do it for each of many thousand files;
and what stands there outlives a crash.
"""

import mmap
import os
import struct
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

_PAGE = 4096
_ENTRY = struct.Struct("<QdQ")  # length of the name, when it was taken up, its bytes
_PROGRESS = struct.Struct("<QQ")
_PROGRESS_AT = _ENTRY.size
_NAME_AT = _PROGRESS_AT + _PROGRESS.size
_LONGEST_NAME = _PAGE - _NAME_AT


@dataclass(frozen=True, slots=True)
class InHand:
    """The file that a process works on: its name, its bytes, and since when by the monotonic clock."""

    name: str
    size: int
    since: float


class Worksheet:
    """A page of memory that two processes share: one writes, the other looks."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._page = mmap.mmap(descriptor, _PAGE)

    @classmethod
    @contextmanager
    def blank(cls) -> Iterator["Worksheet"]:
        """Yield an empty worksheet, whose descriptor another process may inherit."""
        with tempfile.TemporaryFile() as file:
            os.ftruncate(file.fileno(), _PAGE)
            sheet = cls(file.fileno())
            try:
                yield sheet
            finally:
                sheet._page.close()

    def take_up(self, name: str, size: int) -> None:
        """Note that work on a file of `size` bytes begins; the work before is done."""
        text = name.encode("utf-8", "replace")[:_LONGEST_NAME]
        # The name first and its length with the time last: who looks between sees the old entry or this.
        self._page[_NAME_AT : _NAME_AT + len(text)] = text
        _ENTRY.pack_into(self._page, 0, len(text), time.monotonic(), size)

    def put_down(self) -> None:
        """Note that the file in hand is done and that the work goes on without one."""
        self.take_up("", 0)

    def in_hand(self) -> InHand | None:
        """Return what was taken up last; None before the first."""
        length, since, size = _ENTRY.unpack_from(self._page, 0)
        if not since:
            return None
        name = self._page[_NAME_AT : _NAME_AT + length].decode("utf-8", "replace")
        return InHand(name, size, since)

    def advance(self, done: int, total: int) -> None:
        """Note how far the work is, in whatever it counts."""
        _PROGRESS.pack_into(self._page, _PROGRESS_AT, done, total)

    def progress(self) -> tuple[int, int]:
        """Return how far the work is, as (done, in all)."""
        done, total = _PROGRESS.unpack_from(self._page, _PROGRESS_AT)
        return done, total
