"""Progress of long stages, as whoever watches wants to see it."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

Advance = Callable[[int, int], None]
"""Called with (done, in all) as a stage goes on; in all is 0 while it is unknown."""


class Progress(Protocol):
    """Shows how far stages are."""

    def stage(self, name: str, unit: str) -> AbstractContextManager[Advance]:
        """Begin a stage, such as `us-usc: provisions` counted in `files`; leaving it ends it."""
        ...


class ProgressLines:
    """Progress as lines, one every few seconds and one at the end: for logs, pipes and files."""

    def __init__(self, write: Callable[[str], object], *, seconds: float = 10.0) -> None:
        self._write = write
        self._seconds = seconds

    @contextmanager
    def stage(self, name: str, unit: str) -> Iterator[Advance]:
        """Write how far the stage is, how fast it goes and how long it will take."""
        began = said = time.monotonic()
        last = (0, 0)

        def advance(done: int, total: int) -> None:
            nonlocal said, last
            last = (done, total)
            now = time.monotonic()
            if now - said >= self._seconds:
                said = now
                self._write(f"{name}: {describe(done, total, unit, now - began)}")

        yield advance
        seconds = time.monotonic() - began
        self._write(f"{name}: {last[0]:,} {unit} in {seconds:.1f} s")


def describe(done: int, total: int, unit: str, seconds: float) -> str:
    """Return a stage's progress in words: `1,200 of 4,000 files, 310/s, 9 s left`."""
    rate = done / seconds if seconds > 0 else 0.0
    words = f"{done:,} of {total:,} {unit}" if total else f"{done:,} {unit}"
    words += f", {rate:,.0f}/s"
    if total and rate:
        words += f", {max(total - done, 0) / rate:,.0f} s left"
    return words


def counted(advance: Advance, total: int) -> Callable[[int], None]:
    """Return a callback that takes what was done since its last call and advances a stage of `total`."""
    done = 0

    def more(count: int) -> None:
        nonlocal done
        done += count
        advance(done, total)

    return more
