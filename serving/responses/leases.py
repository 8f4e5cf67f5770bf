"""Leases of the snapshot that a request reads, made without blocking the event loop."""

import asyncio

import falcon.asgi

from serving.services.snapshots import Lease, SnapshotHolder


async def lease_for(req: falcon.asgi.Request, snapshots: SnapshotHolder, snapshot: str | None) -> Lease:
    """Lease the snapshot that a request names, or the current one, and note its id for the answer.

    Raises:
        NoSnapshotError: none is open yet.
        SnapshotGoneError: the one named is not retained.
    """
    lease = snapshots.try_lease(snapshot)
    if lease is None:
        lease = await asyncio.to_thread(snapshots.lease, snapshot)
    req.context.snapshot_id = lease.snapshot_id
    return lease
