"""Clients that ask a server without pause while something happens to it, and what they saw."""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Self

from tests.serving.metering.crowds import Answer, Ask, Crowd, asks

CONNECTIONS = 6
AWAY_SECONDS = 180
"""How long a server may take no connections, on a busy machine, before the clients give up."""
PAUSE_SECONDS = 0.01
"""Between two requests of all clients together, so that no key meets its limit."""
WELL = 40
"""Good answers in a row after which a server has recovered."""


class Load(AbstractContextManager["Load"]):
    """Requests on several connections, from a thread of their own, until the context is left.

    Args:
        port: of the server on this machine.
        paths: that are asked for in turn, each of one credit.
        keys: that ask in turn.
    """

    def __init__(self, port: int, paths: Sequence[str], keys: Sequence[str]) -> None:
        self._crowd = Crowd(port, connections=CONNECTIONS, away_seconds=AWAY_SECONDS)
        self._asks = asks(paths, keys, 10**9, name=f"fault{port}")
        self._ended = threading.Event()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()
        if self._failure is not None and error is None:
            raise self._failure

    @property
    def answers(self) -> Sequence[Answer]:
        """All answers so far, in the order in which they came."""
        return self._crowd.answers

    @property
    def broken(self) -> Sequence[Ask]:
        """Requests that were never answered."""
        return self._crowd.broken

    def statuses(self) -> Counter[int]:
        """How often each status came."""
        return Counter(answer.status for answer in tuple(self.answers))

    def wait_until_well(self, *, seconds: float) -> float:
        """Wait for good answers in a row; return how long ago from now the first of them was asked for.

        The time counts from this call: 0 if nothing failed since.
        """
        begun = time.time_ns() // 1000
        deadline = time.monotonic() + seconds
        while True:
            since = [answer for answer in tuple(self.answers) if answer.asked_at >= begun]
            bad = [answer.answered_at for answer in since if answer.status != 200]
            good = [answer for answer in since if answer.asked_at >= max(bad, default=begun)]
            if len(good) >= WELL:
                return (max(bad) - begun) / 1e6 if bad else self._first_answer(since, begun)
            if self._failure is not None:
                raise self._failure
            if time.monotonic() > deadline:
                raise AssertionError(f"not well after {seconds} s: {Counter(one.status for one in since)}")
            time.sleep(0.05)

    @staticmethod
    def _first_answer(since: Sequence[Answer], begun: int) -> float:
        return (min(answer.answered_at for answer in since) - begun) / 1e6

    def _run(self) -> None:
        try:
            asyncio.run(self._ask())
        except BaseException as error:
            self._failure = error

    async def _ask(self) -> None:
        async with self._crowd as crowd:
            await crowd.ask(self._paced())

    def _paced(self) -> Iterator[Ask]:
        for ask in self._asks:
            if self._ended.is_set():
                return
            time.sleep(PAUSE_SECONDS)  # on the thread of the clients alone
            yield ask
