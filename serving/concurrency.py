"""Bounded work beside the event loop: what exceeds the bound is refused at once instead of queueing."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from serving.contract.errors import OverloadedError

_Result = TypeVar("_Result")
RETRY_AFTER_SECONDS = 1


class BoundedPool:
    """Runs blocking calls on a few threads, and refuses more than `limit` that run or wait.

    For use from one event loop.

    Args:
        work: what runs here, in the plural, as a refusal names it.
    """

    def __init__(self, work: str, *, threads: int, limit: int) -> None:
        self._work = work
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=work.replace(" ", "-"))
        self._limit = limit
        self._taken = 0

    async def run(self, call: Callable[[], _Result]) -> _Result:
        """Return what the call returns or raises.

        Raises:
            OverloadedError: as many calls as are allowed are under way.
        """
        if self._taken >= self._limit:
            raise OverloadedError(
                f"The server has as many {self._work} under way as it takes on; nothing was charged. "
                "Try again.",
                retry_after_seconds=RETRY_AFTER_SECONDS,
            )
        self._taken += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, call)
        finally:
            self._taken -= 1

    def close(self) -> None:
        """Stop the threads once what they run is done."""
        self._threads.shutdown()
