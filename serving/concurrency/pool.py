"""Blocking work with limits, run beside the event loop: refused above a limit, dropped if no client waits."""

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from serving.concurrency.presence import Presence
from serving.contract.errors import AbandonedError, OverloadedError

_Result = TypeVar("_Result")
RETRY_AFTER_SECONDS = 1


class BoundedPool:
    """Runs blocking calls on a few threads, and refuses a call while `limit` others run or wait.

    For use from one event loop. Each kind of work has a pool of its own: however much there is of one, the
    others do not wait for it.

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
        self._clients: Counter[str] = Counter()

    async def run(
        self,
        call: Callable[[], _Result],
        *,
        client: str | None = None,
        presence: Presence | None = None,
    ) -> _Result:
        """Run a blocking call on a thread, and return or raise its result.

        Args:
            call: the blocking function.
            client: name of the client, where each client has a share.
            presence: presence of the client. Once it is gone, a call that has not begun is dropped; one that
                runs is awaited, so that files it reads stay open. It may check the presence and stop early.

        Raises:
            OverloadedError: as many calls as are allowed are under way, for everybody or for this client.
            AbandonedError: the client closed its connection meanwhile.
        """
        self._take(client)
        try:
            job = self._threads.submit(call)
            if presence is None:
                return await asyncio.wrap_future(job)
            return await _awaited(job, presence)
        finally:
            self._give_back(client)

    def close(self) -> None:
        """Stop the threads once their current calls are done."""
        self._threads.shutdown()

    def _take(self, client: str | None) -> None:
        if self._taken >= self._limit or (client is not None and self._clients[client] >= self._share):
            raise OverloadedError(
                f"The server has as many {self._work} under way as it takes on; nothing was charged. "
                "Try again.",
                retry_after_seconds=RETRY_AFTER_SECONDS,
            )
        self._taken += 1
        if client is not None:
            self._clients[client] += 1

    def _give_back(self, client: str | None) -> None:
        self._taken -= 1
        if client is not None:
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
