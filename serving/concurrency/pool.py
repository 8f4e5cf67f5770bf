"""Blocking work with limits, run beside the event loop: clients take turns, with a limit on what waits.

What no client waits for any more is dropped.
"""

import asyncio
import threading
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import Any, NamedTuple, TypeVar

from serving.concurrency.presence import Presence
from serving.contract.errors import AbandonedError, OverloadedError

_Result = TypeVar("_Result")
RETRY_AFTER_SECONDS = 1


class _Job(NamedTuple):
    call: Callable[[], Any]
    result: Future[Any]


class BoundedPool:
    """Runs blocking calls on a few threads, while `limit` of them run or wait at most.

    For use from one event loop. Each kind of work has a pool of its own: however much there is of one, the
    others do not wait for it. Clients take turns: one call of each is begun before the next of any, however
    many a client sends. Where there is no room, the client with the most calls makes it: its newest call that
    waits is refused, or the call that comes if that is its own.

    Args:
        work: plural noun for what runs here, used in the message of a refusal.
        threads: calls that run at once.
        limit: calls that run or wait.
        share: calls that one client may have running or waiting; None for all.
    """

    def __init__(self, work: str, *, threads: int, limit: int, share: int | None = None) -> None:
        self._work = work
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=work.replace(" ", "-"))
        self._limit = limit
        self._share = limit if share is None else share
        self._taken = 0
        self._clients: Counter[str | None] = Counter()
        self._lock = threading.Lock()
        self._waiting: dict[str | None, deque[_Job]] = {}

    def depth(self) -> int:
        """Return the number of calls that run or wait."""
        return self._taken

    async def run(
        self,
        call: Callable[[], _Result],
        *,
        client: str | None = None,
        presence: Presence | None = None,
    ) -> _Result:
        """Run a blocking call on a thread, in the context of the caller, and return or raise its result.

        Args:
            call: the blocking function.
            client: name of the client; calls without one are those of one client.
            presence: presence of the client. Once it is gone, a call that has not begun is dropped; one that
                runs is awaited, so that files it reads stay open. It may check the presence and stop early.

        Raises:
            OverloadedError: as many calls as are allowed are under way, for everybody or for this client.
            AbandonedError: the client closed its connection meanwhile.
        """
        self._take(client)
        try:
            result: Future[_Result] = Future()
            with self._lock:
                self._waiting.setdefault(client, deque()).append(
                    _Job(partial(copy_context().run, call), result)
                )
            self._threads.submit(self._run_next)
            if presence is None:
                return await asyncio.wrap_future(result)
            return await _awaited(result, presence)
        finally:
            self._give_back(client)

    def close(self) -> None:
        """Stop the threads once their current calls are done."""
        self._threads.shutdown()

    def _run_next(self) -> None:
        """Run the first call of the client whose turn it is."""
        with self._lock:
            if not self._waiting:
                return  # the call that this turn was for has been refused
            client = next(iter(self._waiting))
            jobs = self._waiting.pop(client)
            job = jobs.popleft()
            if jobs:
                self._waiting[client] = jobs  # behind the others
        if not job.result.set_running_or_notify_cancel():
            return
        try:
            job.result.set_result(job.call())
        except BaseException as error:
            job.result.set_exception(error)

    def _take(self, client: str | None) -> None:
        is_full = self._taken >= self._limit and not self._make_room(client)
        if is_full or (client is not None and self._clients[client] >= self._share):
            raise self._overloaded()
        self._taken += 1
        self._clients[client] += 1

    def _make_room(self, client: str | None) -> bool:
        """Refuse the newest waiting call of the client that has the most; return False if it is `client`."""
        with self._lock:
            if not self._waiting:
                return False
            heaviest = max(self._waiting, key=self._clients.__getitem__)
            # With one call more the newcomer must not have as many as the other keeps.
            if self._clients[client] + 1 >= self._clients[heaviest] - 1:
                return False
            jobs = self._waiting[heaviest]
            job = jobs.pop()
            if not jobs:
                del self._waiting[heaviest]
        if job.result.set_running_or_notify_cancel():
            job.result.set_exception(self._overloaded())
        return True

    def _overloaded(self) -> OverloadedError:
        return OverloadedError(
            f"The server has as many {self._work} under way as it takes on; nothing was charged. Try again.",
            retry_after_seconds=RETRY_AFTER_SECONDS,
        )

    def _give_back(self, client: str | None) -> None:
        self._taken -= 1
        self._clients[client] -= 1
        if not self._clients[client]:
            del self._clients[client]


async def _awaited(job: Future[_Result], presence: Presence) -> _Result:
    """Return or raise the result of a job, unless the client leaves before it is done."""
    done = asyncio.wrap_future(job)
    leaving = asyncio.ensure_future(presence.departure())
    try:
        await asyncio.wait((done, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not leaving.done():
            return await done
        leaving.result()
        if not job.cancel():
            await asyncio.gather(done, return_exceptions=True)
        raise AbandonedError("The client closed its connection before the answer was ready.")
    except asyncio.CancelledError:
        presence.is_gone = True
        done.cancel()
        raise
    finally:
        leaving.cancel()
