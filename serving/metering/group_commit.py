"""Group commit: the requests that wait while one transaction runs go together in the next.

The event loop hands work to one thread, which owns the store. Every caller awaits its own outcome, and none
leaves before the transaction that holds it is committed.
"""

import asyncio
import logging
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from serving.contract.errors import OverloadedError, StoreUnavailableError
from serving.metering.records import Outcome, Work
from serving.metering.store import Store

MAX_WAITING = 2_048
MAX_BATCH = 256

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Waiting:
    work: Work
    future: asyncio.Future[Outcome]


class GroupCommit:
    """Settles work for the coroutines of one event loop.

    Args:
        open_store: opens the store, in the thread that is to own it; `store_opener` gives it.
        max_waiting: how many may wait before more are turned away.
        max_batch: how many go in one transaction at most.
    """

    def __init__(
        self,
        open_store: Callable[[], Store],
        *,
        max_waiting: int = MAX_WAITING,
        max_batch: int = MAX_BATCH,
    ) -> None:
        self._open_store = open_store
        self._max_waiting = max_waiting
        self._max_batch = max_batch
        self._waiting: deque[_Waiting] = deque()
        self._wake = threading.Condition(threading.Lock())
        self._closing = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    async def start(self) -> None:
        """Start the thread and open the store.

        Raises:
            StoreUnavailableError: the store cannot be opened.
        """
        self._loop = asyncio.get_running_loop()
        opened: asyncio.Future[None] = self._loop.create_future()
        self._thread = threading.Thread(target=self._run, args=(opened,), name="metering", daemon=True)
        self._thread.start()
        await opened

    async def settle(self, work: Work) -> Outcome:
        """Settle one piece of work; return once it is committed.

        A caller cancelled before its work goes into a transaction pays nothing; later it may have paid.

        Raises:
            OverloadedError: too many wait already; nothing was taken.
            StoreUnavailableError: the store gave up; whether the work was done is not known.
        """
        if self._loop is None or self._closing:
            raise StoreUnavailableError("The meter is not running.")
        future: asyncio.Future[Outcome] = self._loop.create_future()
        with self._wake:
            if len(self._waiting) >= self._max_waiting:
                raise OverloadedError(
                    "Too many requests wait to be settled; nothing was charged.", retry_after_seconds=1
                )
            self._waiting.append(_Waiting(work, future))
            if len(self._waiting) == 1:
                self._wake.notify()
        return await future

    async def close(self) -> None:
        """Settle what waits, then end the thread."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join)

    def _run(self, opened: asyncio.Future[None]) -> None:
        try:
            store = self._open_store()
        except Exception as error:
            self._call(_fail, opened, error)
            return
        self._call(opened.set_result, None)
        try:
            while batch := self._next():
                self._call(_deliver, batch, self._settle(store, batch))
        finally:
            store.close()

    def _next(self) -> Sequence[_Waiting]:
        """Wait for work; nothing once the meter closes and all is settled."""
        while True:
            with self._wake:
                while not self._waiting and not self._closing:
                    self._wake.wait()
                size = min(len(self._waiting), self._max_batch)
                taken = [self._waiting.popleft() for _ in range(size)]
            wanted = [item for item in taken if not item.future.cancelled()]
            if wanted or not taken:
                return wanted

    def _settle(self, store: Store, batch: Sequence[_Waiting]) -> Sequence[Outcome | Exception]:
        try:
            return store.settle([item.work for item in batch])
        except StoreUnavailableError as error:
            # It may have committed: to settle again could charge twice.
            return [error] * len(batch)
        except Exception as error:
            if len(batch) == 1:
                return [error]
            _log.warning("batch_failed", exc_info=error)
            return [outcome for item in batch for outcome in self._settle(store, [item])]

    def _call(self, function: Callable[..., object], *arguments: object) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function, *arguments)


def _fail(future: asyncio.Future[None], error: Exception) -> None:
    if not future.done():
        future.set_exception(error)


def _deliver(batch: Sequence[_Waiting], outcomes: Sequence[Outcome | Exception]) -> None:
    for item, outcome in zip(batch, outcomes, strict=True):
        if item.future.done():
            continue
        if isinstance(outcome, Exception):
            item.future.set_exception(outcome)
        else:
            item.future.set_result(outcome)
