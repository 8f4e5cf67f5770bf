"""The life of a worker: open accounts and the snapshot in service, follow the pointer, let go at the end."""

import asyncio
import contextlib
import logging
from collections.abc import Mapping
from typing import Any

from serving.contract.errors import LawError, StoreUnavailableError
from serving.metering.billing import Billing
from serving.services.snapshots import SnapshotHolder

RETRY_SECONDS = 1.0
"""Pause between attempts to open a store that does not answer."""

_log = logging.getLogger(__name__)


class BillingLifespan:
    """Opens the store of accounts in the worker. While it cannot be opened, keyed calls are answered 503."""

    def __init__(self, billing: Billing) -> None:
        self._billing = billing
        self._opening: asyncio.Task[None] | None = None

    async def process_startup(self, scope: Mapping[str, Any], event: Mapping[str, Any]) -> None:
        """Open the store, or go on trying beside the worker's other work."""
        del scope, event
        if not await self._opened():
            self._opening = asyncio.create_task(self._open())

    async def process_shutdown(self, scope: Mapping[str, Any], event: Mapping[str, Any]) -> None:
        """Settle what waits and close the store."""
        del scope, event
        await _end(self._opening)
        await self._billing.close()

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
    """Keeps a worker's snapshot holder up with the pointer. It is opened in the worker, after the fork."""

    def __init__(self, snapshots: SnapshotHolder, *, poll_seconds: float) -> None:
        self._snapshots = snapshots
        self._poll_seconds = poll_seconds
        self._polling: asyncio.Task[None] | None = None
        self._problem: str | None = None

    async def process_startup(self, scope: Mapping[str, Any], event: Mapping[str, Any]) -> None:
        """Open the snapshot in service, if there is one, and begin to poll."""
        del scope, event
        await self._follow()
        self._polling = asyncio.create_task(self._poll())

    async def process_shutdown(self, scope: Mapping[str, Any], event: Mapping[str, Any]) -> None:
        """Stop polling and close what is open."""
        del scope, event
        await _end(self._polling)
        self._snapshots.close()

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(self._poll_seconds)
            await self._follow()

    async def _follow(self) -> None:
        """Follow the pointer once. What goes wrong is logged once, and the old snapshot stays in service."""
        before = self._snapshots.current_id
        try:
            moved = await asyncio.to_thread(self._snapshots.refresh)
        except (LawError, OSError) as error:
            if str(error) != self._problem:
                self._problem = str(error)
                _log.error("snapshot_not_opened", extra={"problem": self._problem, "in_service": before})
            return
        self._problem = None
        if moved:
            extra = {"snapshot": self._snapshots.current_id, "before": before}
            _log.info("snapshot_in_service", extra=extra)


async def _end(task: asyncio.Task[None] | None) -> None:
    if task is None:
        return
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
