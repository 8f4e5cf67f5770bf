"""Durations of the arms of searches, kept until the operator's monitoring takes them."""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

ARMS = ("encoder", "keyword", "questions", "ranking", "semantic")
MOST = 8_192
"""Durations that are kept; the oldest are dropped first."""


class Timings:
    """Durations by arm. Every method may be called from any thread.

    Attributes:
        heard: function that is told of each, at its end, on its thread.
    """

    def __init__(self) -> None:
        self.heard: Callable[[str, float], None] = _nothing
        # One call to append or take is whole between threads.
        self._seen: deque[tuple[str, float]] = deque(maxlen=MOST)

    def add(self, arm: str, seconds: float) -> None:
        """Keep the duration of one arm."""
        self._seen.append((arm, seconds))
        self.heard(arm, seconds)

    @contextmanager
    def timed(self, arm: str) -> Iterator[None]:
        """Keep the duration of what is done inside; a failure has none."""
        started = perf_counter()
        yield
        self.add(arm, perf_counter() - started)

    def take(self) -> dict[str, list[float]]:
        """Return the durations since the last call, by arm."""
        taken: dict[str, list[float]] = {}
        for _ in range(len(self._seen)):
            arm, seconds = self._seen.popleft()
            taken.setdefault(arm, []).append(seconds)
        return taken


def _nothing(_arm: str, _seconds: float) -> None:
    """Do nothing."""
