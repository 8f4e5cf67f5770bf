"""Files of whole code bodies, without a key, and the list of them."""

from functools import partial
from typing import Any

import falcon.asgi

from serving.api import parameters
from serving.concurrency.pool import BoundedPool
from serving.contract.downloads import ADDRESS, media_type_of
from serving.contract.errors import SnapshotGoneError
from serving.http.resources.stored import MINUTES, StoredResource
from serving.metering.addresses import network_of
from serving.metering.allowances import Allowances
from serving.responses.files import StoredFile, send_file
from serving.responses.negotiation import accepted_type
from serving.services.downloads import downloads, find_download
from serving.services.snapshots import SnapshotHolder

_REFUSAL = (
    "This network has begun {most} downloads within a minute. Wait a little; what broke off goes on with "
    "`Range`."
)


THREADS, LIMIT = 2, 4096
"""Threads of a worker that read files, and the most reads that run or wait. Each download has one at a time:
there may be as many downloads as connections."""


def add_downloads(
    app: falcon.asgi.App[Any, Any], snapshots: SnapshotHolder, *, per_minute: int
) -> BoundedPool:
    """Add the files and their list to the application, and return the pool in which files are read.

    Args:
        app: application to add the routes to.
        snapshots: the retained snapshots.
        per_minute: downloads that a network may begin.
    """
    # Of their own: what needs no key must not hold up those threads that open snapshots.
    pool = BoundedPool("downloads", threads=THREADS, limit=LIMIT)
    app.add_route(ADDRESS, StoredResource(snapshots, downloads, cache=MINUTES))
    app.add_route(
        f"{ADDRESS}/{{snapshot}}/{{code_body}}/{{file}}",
        DownloadResource(snapshots, pool, per_minute=per_minute),
    )
    return pool


class DownloadResource:
    """One file, which never changes under its address.

    Args:
        snapshots: the retained snapshots.
        pool: reads the files.
        per_minute: downloads that a network may begin.
    """

    def __init__(self, snapshots: SnapshotHolder, pool: BoundedPool, *, per_minute: int) -> None:
        self._snapshots = snapshots
        self._pool = pool
        self._begun = Allowances(per_minute, refusal=_REFUSAL)

    async def on_get(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, snapshot: str, code_body: str, file: str
    ) -> None:
        """Answer with the file, or with a range of it."""
        parameters.refuse_key(req.params)
        self._begun.take(req.remote_addr)
        parameters.parse(req.params, parameters.NONE, req.query_string)
        wanted = parameters.parse_snapshot(snapshot)
        run = partial(self._pool.run, client=network_of(req.remote_addr))
        path, entry = await run(lambda: find_download(self._snapshots, wanted, code_body, file))
        req.context.snapshot_id = wanted
        media_type = media_type_of(file)
        accepted_type(req.get_header("Accept"), (media_type,))
        stored = StoredFile(path, f"{code_body}-{wanted}-{file}", entry.bytes, entry.sha256, media_type)
        try:
            await send_file(req, resp, stored, run=run)
        except FileNotFoundError:
            raise SnapshotGoneError(wanted) from None  # it was dropped a moment ago

    async def on_head(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, snapshot: str, code_body: str, file: str
    ) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp, snapshot, code_body, file)
