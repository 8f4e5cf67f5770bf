"""A clock for several processes: it stands where a file says, and a test moves it."""

import mmap
import os
import struct
from pathlib import Path

from serving.metering.clock import SECOND

CLOCK = "TEST_CLOCK"
"""Variable that names the file to a server's workers."""

_INSTANT = struct.Struct("<q")


class FileClock:
    """Tells the instant that a file holds, in microseconds since 1970 UTC.

    Args:
        path: the file, shared by all processes that go by this clock.
        start: where the clock stands at first; without it the file is there already.
    """

    def __init__(self, path: Path, *, start: int | None = None) -> None:
        self.path = path
        if start is not None:
            path.write_bytes(_INSTANT.pack(start))
        descriptor = os.open(path, os.O_RDWR)
        self._file = mmap.mmap(descriptor, _INSTANT.size)
        os.close(descriptor)

    def now(self) -> int:
        return int(_INSTANT.unpack(self._file[:])[0])

    def set(self, instant: int) -> None:
        self._file[:] = _INSTANT.pack(instant)

    def pass_(self, seconds: float) -> None:
        self.set(self.now() + round(seconds * SECOND))
