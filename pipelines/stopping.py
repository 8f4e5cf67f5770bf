"""The end of a command by a signal: told in one line, with the exit status that shells know it by."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

STOPS = (signal.SIGINT, signal.SIGTERM)


class Stops:
    """The signals to stop that this process was sent."""

    def __init__(self) -> None:
        self._read, self._written = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._ours = signal.set_wakeup_fd(self._written, warn_on_full_buffer=False)
        self._first: signal.Signals | None = None

    def close(self) -> None:
        """Stop noting them."""
        signal.set_wakeup_fd(self._ours)
        os.close(self._read)
        os.close(self._written)

    def first(self) -> signal.Signals | None:
        """Return the first of them; None where none was noted."""
        if self._first is None:
            try:
                noted = os.read(self._read, 64)
            except BlockingIOError:
                noted = b""
            self._first = next((one for number in noted if (one := signal.Signals(number)) in STOPS), None)
        return self._first


_noting: ContextVar[Stops | None] = ContextVar("stops", default=None)


@contextmanager
def stoppable() -> Iterator[Stops]:
    """Raise `KeyboardInterrupt` in the block where the process is told to stop, by whichever signal.

    Dagster takes over the handlers while it runs a job: which signal it was is noted beside them.
    """
    before = {number: signal.getsignal(number) for number in STOPS}
    stops = Stops()
    token = _noting.set(stops)
    for number in STOPS:
        signal.signal(number, signal.default_int_handler)
    try:
        yield stops
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        _noting.reset(token)
        stops.close()


def is_stopped() -> bool:
    """Return whether this process was told to stop, also where what ran meanwhile did not heed it."""
    stops = _noting.get()
    return stops is not None and stops.first() is not None


def say_stopped(command: str, stops: Stops) -> int:
    """Say that a command was stopped; return its exit status."""
    for number in STOPS:
        signal.signal(number, signal.SIG_IGN)  # it is ending already
    stop = stops.first() or signal.SIGINT  # its handler was called without a signal
    sys.stderr.write(f"{command}: stopped by {stop.name}; the next build goes on where this one was.\n")
    return 128 + stop
