"""The drain before a stop: the server says that it is not ready and serves on, until balancers have seen it.

The master begins it at SIGTERM. Workers read a byte that they share with it; another SIGTERM ends the wait.
"""

import mmap
import signal
from collections.abc import Callable
from types import FrameType


class Drain:
    """The drain of one server, made before its workers are forked."""

    def __init__(self) -> None:
        self._flag = mmap.mmap(-1, 1)

    def is_under_way(self) -> bool:
        """Return whether the server is about to stop. Every process may ask."""
        return self._flag[0] != 0

    def watch(self, seconds: float, stop: Callable[[], None]) -> None:
        """Make SIGTERM begin the drain of this process's workers.

        Args:
            seconds: how long the drain lasts.
            stop: stops the server; called at its end, in a signal handler.
        """

        def ended(_number: int, _frame: FrameType | None) -> None:
            signal.setitimer(signal.ITIMER_REAL, 0)
            stop()

        def asked(number: int, frame: FrameType | None) -> None:
            if self.is_under_way():
                ended(number, frame)
                return
            self._flag[0] = 1
            signal.setitimer(signal.ITIMER_REAL, seconds)

        signal.signal(signal.SIGALRM, ended)
        signal.signal(signal.SIGTERM, asked)


DRAIN = Drain()
"""That of this server."""
