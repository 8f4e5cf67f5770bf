"""Politeness: one request at a time to a host, with a pause between them."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock


@dataclass(slots=True)
class _Host:
    lock: Lock = field(default_factory=Lock)
    free_at: float = float("-inf")


class Pace:
    """Lets requests to a host through one after another, `pause` seconds apart."""

    def __init__(
        self,
        pause: float,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._pause = pause
        self._clock = clock
        self._sleep = sleep
        self._hosts: defaultdict[str, _Host] = defaultdict(_Host)

    @contextmanager
    def turn(self, host: str) -> Iterator[None]:
        """Wait for a turn at a host, and hold it until the block ends."""
        state = self._hosts[host]
        with state.lock:
            wait = state.free_at - self._clock()
            if wait > 0:
                self._sleep(wait)
            try:
                yield
            finally:
                state.free_at = self._clock() + self._pause
