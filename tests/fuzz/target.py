"""What is fuzzed: a part of the product that takes bytes from anybody, and what must hold whatever they are."""

import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType

from hypothesis import strategies as st

from tests.serving.servers import KeyRing, Server

Check = Callable[[bytes], None]
"""Gives an input to the part; raises where something does not hold."""


class TooSlowError(Exception):
    """An input took longer than any input may."""


class Grounds:
    """What the parts work on.

    Args:
        snapshots: folder in which the sample law is published.
        database: URL of a store of accounts of their own.
        folder: for what they write.
    """

    def __init__(self, snapshots: Path, database: str, folder: Path) -> None:
        self.snapshots = snapshots
        self.folder = folder
        self._database = database
        self._running: tuple[Server, KeyRing] | None = None
        self._read = 0

    def server(self) -> tuple[Server, KeyRing]:
        """A server of one worker and its keys, started when it is first needed."""
        if self._running is None:
            keys = KeyRing(self._database, accounts=3)
            server = Server(self.snapshots, self.folder / "server.log", self._database, workers=1)
            self._running = server, keys
            server.wait_until_ready()
        return self._running

    def require_no_traceback(self) -> None:
        """Assert that the server has logged no failure since this was last asked."""
        server, _ = self.server()
        with server.log.open("rb") as log:
            log.seek(self._read)
            said = log.read()
            self._read = log.tell()
        assert b"Traceback" not in said, said[: said.index(b"Traceback") + 4_000].decode()

    def close(self) -> None:
        """Stop the server."""
        if self._running is not None:
            self._running[0].kill()


@dataclass(frozen=True)
class Target:
    """One part.

    Attributes:
        name: of it, and of its folder in the corpus.
        inputs: draws inputs.
        check: gives one to it; None where it has to be opened on the grounds first.
        opened: opens it.
        examples: inputs of the short run.
        seconds: of the processor that one input may take.
    """

    name: str
    inputs: st.SearchStrategy[bytes]
    check: Check | None = None
    opened: Callable[[Grounds], AbstractContextManager[Check]] | None = None
    examples: int = 100
    seconds: float = 10.0

    @contextmanager
    def ready(self, grounds: Grounds | None) -> Iterator[Check]:
        """The check, bounded in time."""
        if self.check is not None:
            room: AbstractContextManager[Check] = nullcontext(self.check)
        else:
            assert grounds is not None
            assert self.opened is not None
            room = self.opened(grounds)
        with room as check:
            yield partial(_bounded, check, self.seconds)


def _bounded(check: Check, seconds: float, data: bytes) -> None:
    def stop(number: int, frame: FrameType | None) -> None:
        raise TooSlowError(f"{len(data):,} bytes took more than {seconds:g} s of the processor")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        check(data)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
