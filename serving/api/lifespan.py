"""Start and end of a worker: open the accounts and the snapshot, follow the pointer, close all at the end."""

import asyncio
import contextlib
import logging
from collections.abc import Mapping
from typing import Any

from serving.accounts.billing import Billing
from serving.contract.errors import LawError, StoreUnavailableError
from serving.services.inspector import Inspector
from serving.services.retained_laws import close_removed
from serving.services.snapshots import SnapshotHolder

RETRY_SECONDS = 1.0
"""Pause between attempts to open a store that does not answer."""

_log = logging.getLogger(__name__)


class BillingLifespan:
    """Opens the store of accounts in the worker, and tests regularly whether an idle store can be written.

    While it cannot be opened, keyed calls are answered 503.
    """

    def __init__(self, billing: Billing, *, probe_seconds: float) -> None:
        self._billing = billing
        self._probe_seconds = probe_seconds
        self._opening: asyncio.Task[None] | None = None
        self._probing: asyncio.Task[None] | None = None

    async def process_startup(self, scope: Mapping[str, Any], event: Mapping[str, Any]) -> None:
        """Open the store, or keep trying in the background until it answers; begin to watch its health."""
        del scope, event
        if not await self._opened():
            self._opening = asyncio.create_task(self._open())
        self._probing = asyncio.create_task(self._probe())

    async def process_shutdown(self, scope: Mapping[str, Any], event: Mapping[str, Any]) -> None:
        """Settle the work that waits and close the store."""
        del scope, event
        await _end(self._probing)
        await _end(self._opening)
        await self._billing.close()

    async def _probe(self) -> None:
        health, failed = self._billing.health, asyncio.Event()
        loop = asyncio.get_running_loop()

        def wake() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(failed.set)

        health.failed_now = wake
        try:
            while True:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(failed.wait(), self._probe_seconds)
                    # What broke for a moment, as one connection does, is not to keep a worker out for longer.
                    await asyncio.sleep(min(RETRY_SECONDS, self._probe_seconds))
                if health.cause is not None or health.idle_seconds >= self._probe_seconds:
                    await self._billing.try_writing()
                failed.clear()
        finally:
            health.failed_now = _nothing

    async def _open(self) -> None:
        while not await self._opened(quietly=True):
            await asyncio.sleep(RETRY_SECONDS)
        _log.info("store_opened")

    async def _opened(self, *, quietly: bool = False) -> bool:
        try:
            await self._billing.start()
        except StoreUnavailableError as error:
            if not quietly:
                _log.error("store_not_opened", exc_info=error)
            return False
        return True


class SnapshotLifespan:
    """Keeps a worker's snapshots in step with the pointer, and has the open ones inspected.

    It is opened in the worker, after the fork.
    """

    def __init__(self, snapshots: SnapshotHolder, *, poll_seconds: float, verify_hours: float) -> None:
        self._snapshots = snapshots
        self._poll_seconds = poll_seconds
        self._inspector = Inspector(snapshots, hours=verify_hours)
        self._tasks: list[asyncio.Task[None]] = []
        self._problem: str | None = None
        self._in_service: str | None = None

    async def process_startup(self, scope: Mapping[str, Any], event: Mapping[str, Any]) -> None:
        """Open the snapshot in service, if there is one, and begin to poll and to inspect."""
        del scope, event
        await self._follow()
        self._tasks = [asyncio.create_task(self._poll()), asyncio.create_task(self._inspect())]

    async def process_shutdown(self, scope: Mapping[str, Any], event: Mapping[str, Any]) -> None:
        """Stop polling and inspecting, and close all snapshots."""
        del scope, event
        self._inspector.stop()
        for task in self._tasks:
            await _end(task)
        self._snapshots.close()

    async def _poll(self) -> None:
        condemned, loop = asyncio.Event(), asyncio.get_running_loop()

        def wake() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(condemned.set)

        self._snapshots.condemned = wake
        try:
            while True:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(condemned.wait(), self._poll_seconds)
                condemned.clear()
                await self._follow()
        finally:
            self._snapshots.condemned = _nothing

    async def _inspect(self) -> None:
        while True:
            try:
                await asyncio.to_thread(self._inspector.run)
            except (LawError, OSError) as error:
                _log.error("snapshots_not_inspected", exc_info=error)
            await asyncio.sleep(self._poll_seconds)

    def _refresh(self) -> None:
        try:
            self._snapshots.refresh()
        finally:
            close_removed()

    async def _follow(self) -> None:
        """Follow the pointer once; log each failure only once."""
        before, problem = self._in_service, None
        try:
            await asyncio.to_thread(self._refresh)
        except (LawError, OSError) as error:
            problem = str(error)
        self._in_service = self._snapshots.current_id
        if problem is not None and problem != self._problem:
            extra = {"problem": problem, "in_service": self._in_service}
            _log.error("snapshot_not_opened", extra=extra)
        self._problem = problem
        if self._in_service not in (before, None):
            extra = {"snapshot": self._in_service, "before": before}
            _log.info("snapshot_in_service", extra=extra)


def _nothing() -> None:
    """Do nothing."""


async def _end(task: asyncio.Task[None] | None) -> None:
    if task is None:
        return
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
