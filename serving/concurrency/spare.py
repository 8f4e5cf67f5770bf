"""A spare thread: work beside the thread that asks for it, as long as nobody else works."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import TypeVar

_Result = TypeVar("_Result")


class SpareThread:
    """One thread that halves of one call share: while several are under way, each has its own thread alone.

    With one call under way a processor is idle, and its two halves are done sooner than one after the other.
    With several a further thread would only wait for a processor. For use from any thread; the spare one is
    started when it is first needed, so not before a fork.

    Args:
        work: name of what runs here, of which the thread has its name.
    """

    def __init__(self, work: str) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=work)
        self._lock = threading.Lock()
        self._under_way = 0

    @contextmanager
    def beside(self, half: Callable[[], _Result]) -> Iterator[Callable[[], _Result]]:
        """Begin one half of a call; the other is done inside, and asks for the result of the first.

        Args:
            half: begun on the spare thread where no other call is inside; otherwise run when its result is
                asked for. It has ended when the context does.
        """
        with self._lock:
            is_alone = not self._under_way
            self._under_way += 1
        try:
            if not is_alone:
                yield half
                return
            begun = self._thread.submit(half)
            try:
                yield begun.result
            finally:
                wait((begun,))
        finally:
            with self._lock:
                self._under_way -= 1
