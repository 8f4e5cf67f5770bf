"""The services that tools work with in one process: snapshots, accounts, search and its pool."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import TypeVar

import anyio

from serving.accounts.billing import Billing
from serving.api.parameters import wanted_snapshot
from serving.concurrency.pool import BoundedPool
from serving.mcp.callers import McpCaller
from serving.services.search import SearchService
from serving.services.snapshots import Lease, SnapshotHolder
from serving.settings.settings import Settings

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class ToolContext:
    """The services of this process.

    Attributes:
        pool: limits the number of searches that run, for all doors together.
        public_url: address of the service, for links.
        opening: opens the first snapshot, if calls wait for it.
    """

    snapshots: SnapshotHolder
    billing: Billing
    search: SearchService
    pool: BoundedPool
    public_url: str
    opening: asyncio.Future[None] | None = None

    @classmethod
    def create(
        cls,
        settings: Settings,
        snapshots: SnapshotHolder,
        billing: Billing,
        *,
        opening: asyncio.Future[None] | None = None,
    ) -> "ToolContext":
        """Return the services of this process, with one pool for the searches of every door."""
        threads = settings.search_threads
        return cls(
            snapshots=snapshots,
            billing=billing,
            search=SearchService(),
            pool=BoundedPool("searches", threads=threads, limit=settings.max_concurrent_searches),
            public_url=settings.public_url,
            opening=opening,
        )

    async def lease(self, snapshot: str | None, day: date | None = None) -> Lease:
        """Lease a snapshot, by id or by day, or the current one, without blocking the event loop.

        Raises:
            NoSnapshotByDateError: none that was published by the end of the day is retained.
            NoSnapshotError: none is open yet.
            SnapshotGoneError: the one named is not retained.
            ValidationError: both an id and a day are given.
        """
        wanted = wanted_snapshot({"snapshot": snapshot, "date": day})
        if self.opening is not None:
            await asyncio.shield(self.opening)
        lease = self.snapshots.try_lease(wanted)
        if lease is None:
            lease = await asyncio.to_thread(self.snapshots.lease, wanted)
        return lease

    async def run(self, caller: McpCaller, call: Callable[[], _Result]) -> _Result:
        """Run a blocking call in the pool, and return or raise its result.

        Raises:
            OverloadedError: as many calls as are allowed are under way.
            AbandonedError: the client closed its connection meanwhile.
        """
        # The transport cancels a request that nobody waits for, but what reads a snapshot has to end first.
        with anyio.CancelScope(shield=True):
            result = await self.pool.run(call, client=caller.identity.key_hash, presence=caller.presence)
        return result  # noqa: RET504 (a scope may swallow what leaves it, for all that mypy knows)
