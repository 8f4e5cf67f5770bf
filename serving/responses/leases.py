"""Leases of the snapshot that a request reads, made without blocking the event loop."""

import asyncio
from datetime import date

import falcon.asgi

from serving.services.snapshots import Lease, SnapshotHolder


async def lease_for(req: falcon.asgi.Request, snapshots: SnapshotHolder, wanted: str | date | None) -> Lease:
    """Lease the snapshot that a request wants, by id or by day, or the current one; note its id.

    Raises:
        NoSnapshotError: none is open yet.
        NoSnapshotByDateError: none that was published by the end of the day is retained.
        SnapshotGoneError: the one named is not retained.
    """
    lease = snapshots.try_lease(wanted)
    if lease is None:
        lease = await asyncio.to_thread(snapshots.lease, wanted)
    req.context.snapshot_id = lease.snapshot_id
    return lease
