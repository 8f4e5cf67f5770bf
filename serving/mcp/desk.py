"""What tools work with in one process: the snapshots, the accounts and the pool that searches run on."""

import asyncio
from dataclasses import dataclass

from serving.concurrency import BoundedPool
from serving.metering.billing import Billing
from serving.services.search import SearchService
from serving.services.snapshots import Lease, SnapshotHolder


@dataclass(frozen=True, slots=True)
class Desk:
    """The services of this process.

    Attributes:
        pool: bounds the searches that run, whichever door they came through.
        public_url: address of the service, for links.
    """

    snapshots: SnapshotHolder
    billing: Billing
    search: SearchService
    pool: BoundedPool
    public_url: str

    async def lease(self, snapshot: str | None) -> Lease:
        """Lease a snapshot, or the current one, without blocking the event loop.

        Raises:
            NoSnapshotError: none is open yet.
            SnapshotGoneError: the one named is not retained.
        """
        lease = self.snapshots.try_lease(snapshot)
        if lease is None:
            lease = await asyncio.to_thread(self.snapshots.lease, snapshot)
        return lease
