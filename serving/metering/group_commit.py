"""Group commit: requests that arrive while one transaction runs go together into the next.

Every caller awaits its own outcome, and none leaves before the transaction that holds it is committed. A
small batch that the store can settle without waiting is settled on the event loop; any other goes to a
thread, which waits its turn and takes along what has gathered meanwhile. The store, and what waits, are taken
from by one of the two at a time.
"""

import asyncio
import logging
import queue
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Protocol

from serving.contract.errors import OverloadedError, StoreUnavailableError
from serving.metering.health import StoreHealth
from serving.metering.records import Joining, Outcome, Refund, Work, nobody
from serving.metering.store import Store
from serving.metering.tally import Tally

MAX_WAITING = 2_048
MAX_BATCH = 256
MAX_INLINE = 64
"""Pieces of work in a batch that may run on the event loop: they take about a millisecond."""

_log = logging.getLogger(__name__)


class Taker(Protocol):
    """Receives the outcome of a piece of work, on the event loop."""

    def cancelled(self) -> bool:
        """Return whether nobody waits any more: work that is not in a transaction yet is then dropped."""
        ...

    def take(self, outcome: Outcome | Exception) -> None:
        """Receive the outcome, once it is committed."""
        ...


class _Awaited:
    """A coroutine that waits for its outcome."""

    __slots__ = ("_future", "cancelled")

    def __init__(self, future: asyncio.Future[Outcome]) -> None:
        self._future = future
        self.cancelled = future.cancelled

    def take(self, outcome: Outcome | Exception) -> None:
        """Resume the coroutine with the outcome."""
        if self._future.done():
            return
        if isinstance(outcome, Exception):
            self._future.set_exception(outcome)
        else:
            self._future.set_result(outcome)


_Waiting = tuple[Work, Taker]


class GroupCommit:
    """Settles work for the coroutines of one event loop.

    Args:
        open_store: opens the store, in a thread; `store_opener` gives it.
        max_waiting: pieces of work that may wait before more are refused.
        max_batch: most pieces of work in one transaction.
        health: receives the success or failure of each batch.
        tally: receives the outcome of each piece of work.
    """

    def __init__(
        self,
        open_store: Callable[[], Store],
        *,
        max_waiting: int = MAX_WAITING,
        max_batch: int = MAX_BATCH,
        health: StoreHealth | None = None,
        tally: Tally | None = None,
    ) -> None:
        self._health = health or StoreHealth()
        self._tally = tally or Tally()
        self._open_store = open_store
        self._max_waiting = max_waiting
        self._max_batch = max_batch
        self._waiting: deque[_Waiting] = deque()
        self._flush_is_due = False
        self._thread_is_busy = False
        self._idle: asyncio.Future[None] | None = None
        self._closing = False
        self._batches: queue.SimpleQueue[list[_Waiting] | None] = queue.SimpleQueue()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._store: Store | None = None
        self._thread: threading.Thread | None = None

    async def start(self) -> None:
        """Start the thread and open the store.

        Raises:
            StoreUnavailableError: the store cannot be opened.
        """
        loop = asyncio.get_running_loop()
        opened: asyncio.Future[Store] = loop.create_future()
        thread = threading.Thread(target=self._run, args=(loop, opened), name="metering", daemon=True)
        thread.start()
        try:
            self._store = await opened
        except StoreUnavailableError as error:
            self._health.failed(error)
            raise
        self._thread, self._loop = thread, loop

    @property
    def waiting(self) -> int:
        """Pieces of work that wait for their transaction."""
        return len(self._waiting)

    async def settle(self, work: Work) -> Outcome:
        """Settle one piece of work; return its outcome once it is committed.

        A caller that is cancelled before its work is in a transaction pays nothing; after that it may have
        paid.

        Raises:
            OverloadedError: too many wait already; nothing was taken.
            StoreUnavailableError: the store failed; it is unknown whether the work was done.
        """
        future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self.submit(work, _Awaited(future))
        return await future

    def submit(self, work: Work, taker: Taker) -> None:
        """Settle one piece of work; `taker` receives the outcome once it is committed.

        Raises:
            OverloadedError: too many wait already; nothing was taken.
            StoreUnavailableError: the group commit is not running.
        """
        if self._loop is None or self._closing:
            raise StoreUnavailableError("The meter is not running.")
        # Refunds are of charges that were taken on, so there are never more; one that is lost is paid for.
        if len(self._waiting) >= self._max_waiting and not isinstance(work, Refund):
            raise OverloadedError(
                "Too many requests wait to be settled; nothing was charged.", retry_after_seconds=1
            )
        self._waiting.append((work, taker))
        if not self._flush_is_due:
            # Not at once: the requests that the loop is about to handle go in the same transaction.
            self._flush_is_due = True
            self._loop.call_soon(self._flush)

    async def close(self) -> None:
        """Settle the work that waits, then end the thread."""
        self._closing = True
        if self._thread is None or self._loop is None:
            return
        if self._waiting or self._thread_is_busy:
            self._idle = self._loop.create_future()
            await self._idle
        self._batches.put(None)
        await asyncio.to_thread(self._thread.join)

    def _flush(self) -> None:
        """Settle the next batch here or on the thread; while the thread is busy, work gathers."""
        self._flush_is_due = False
        while self._store is not None and not self._thread_is_busy and (batch := self._next(self._max_batch)):
            outcomes = self._settled_at_once(self._store, batch)
            if outcomes is None:
                self._thread_is_busy = True
                self._batches.put(batch)
            else:
                self._tell(outcomes[0])
                self._deliver(batch, outcomes)
        if self._idle is not None and not self._waiting and not self._thread_is_busy:
            self._idle.set_result(None)
            self._idle = None

    def _finish(self, batch: Sequence[_Waiting], outcomes: Sequence[Outcome | Exception]) -> None:
        """Deliver the outcomes of the thread's batch, and continue with the work that has gathered."""
        self._thread_is_busy = False
        self._tell(outcomes[0])
        self._deliver(batch, outcomes)
        self._flush()

    def _tell(self, first: Outcome | Exception) -> None:
        """Tell `health` of a batch by its first outcome: a failure is that of the whole batch."""
        if isinstance(first, StoreUnavailableError):
            self._health.failed(first)
        elif not isinstance(first, Exception):
            self._health.worked()

    def _deliver(self, batch: Sequence[_Waiting], outcomes: Sequence[Outcome | Exception]) -> None:
        for (work, taker), outcome in zip(batch, outcomes, strict=True):
            self._tally.settled(work, outcome)
            try:
                taker.take(outcome)
            except Exception as error:
                # The others of the batch have paid too.
                _log.error("outcome_not_taken", exc_info=error)

    def _next(self, most: int) -> list[_Waiting]:
        """Take the oldest work that somebody still waits for; empty once there is none."""
        while self._waiting and most:
            size = min(len(self._waiting), most)
            taken = [self._waiting.popleft() for _ in range(size)]
            wanted = [waiting for waiting in taken if not waiting[1].cancelled()]
            if wanted:
                return wanted
        return []

    @staticmethod
    def _settled_at_once(
        store: Store, batch: Sequence[_Waiting]
    ) -> Sequence[Outcome | StoreUnavailableError] | None:
        """Return the outcomes settled on the event loop; None, with nothing done, if a thread must do it."""
        if len(batch) > MAX_INLINE:
            return None
        try:
            return store.try_settle([work for work, _ in batch])
        except StoreUnavailableError as error:
            return [error] * len(batch)
        except Exception as error:
            # Rolled back; the thread finds out which piece it was.
            _log.warning("batch_failed", exc_info=error)
            return None

    def _run(self, loop: asyncio.AbstractEventLoop, opened: asyncio.Future[Store]) -> None:
        try:
            store = self._open_store()
        except Exception as error:
            _call(loop, _fail, opened, error)
            return
        _call(loop, opened.set_result, store)
        try:
            while (batch := self._batches.get()) is not None:
                _call(loop, self._finish, batch, self._settle_joined(store, batch))
        finally:
            store.close()

    def _settle_joined(self, store: Store, batch: list[_Waiting]) -> Sequence[Outcome | Exception]:
        """Settle a batch on the thread, and what has gathered until its transaction has the turn with it."""

        def joining() -> Sequence[Work]:
            joined = self._next(self._max_batch - len(batch))
            batch.extend(joined)
            return [work for work, _ in joined]

        return _settle(store, batch, joining)


def _settle(store: Store, batch: list[_Waiting], joining: Joining = nobody) -> Sequence[Outcome | Exception]:
    try:
        return store.settle([work for work, _ in batch], joining)
    except StoreUnavailableError as error:
        # It may have committed: to settle again could charge twice.
        return [error] * len(batch)
    except Exception as error:
        if len(batch) == 1:
            return [error]
        _log.warning("batch_failed", exc_info=error)
        return [outcome for waiting in batch for outcome in _settle(store, [waiting])]


def _call(loop: asyncio.AbstractEventLoop, function: Callable[..., object], *arguments: object) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(function, *arguments)


def _fail(future: asyncio.Future[Store], error: Exception) -> None:
    if not future.done():
        future.set_exception(error)
