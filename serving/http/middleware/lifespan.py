"""The life of a worker: open the snapshot in service, follow the pointer, let go of everything at the end."""

import asyncio
import contextlib
import logging
from collections.abc import Mapping
from typing import Any

from serving.contract.errors import LawError
from serving.services.snapshots import SnapshotHolder

_log = logging.getLogger(__name__)


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
        if self._polling is not None:
            self._polling.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._polling
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
