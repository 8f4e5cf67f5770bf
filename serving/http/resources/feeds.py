"""`/feeds/{codeBodyId}.json` and `.atom`: the changes of a code body for readers of feeds, without a key."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any
from uuid import UUID

import falcon.asgi

from serving.api import parameters
from serving.api.feeds import ATOM, JSON_FEED, atom_feed, json_feed
from serving.concurrency.pool import BoundedPool
from serving.metering.addresses import network_of
from serving.responses.bodies import send_stored
from serving.responses.documents import ready_to_send
from serving.responses.leases import lease_for
from serving.responses.negotiation import accepted_type
from serving.services.feeds import Feed, make_feed
from serving.services.snapshots import SnapshotHolder
from serving.snapshot.table import StoredBody

PUBLIC = "public, max-age=300"
"""Cache header of feeds, whose readers ask again and again: they change with a publication alone."""
KEPT = 64
"""Feeds of each format that a worker keeps ready, of some 100 KB each."""
LIMIT, SHARE = 64, 16
"""Feeds of a worker that are being made or wait, and of them those of one network: no key limits them."""


def add_feeds(app: falcon.asgi.App[Any, Any], snapshots: SnapshotHolder, public_url: str) -> BoundedPool:
    """Add the feeds to the application, and return the pool in which they are made."""
    pool = BoundedPool("feeds", threads=1, limit=LIMIT, share=SHARE)
    for suffix, media_type, write in (("json", JSON_FEED, json_feed), ("atom", ATOM, atom_feed)):
        resource = FeedResource(snapshots, pool, public_url, media_type=media_type, write=write)
        app.add_route(f"/feeds/{{code_body}}.{suffix}", resource)
    return pool


class FeedResource:
    """The feeds of all code bodies in one format."""

    def __init__(
        self,
        snapshots: SnapshotHolder,
        pool: BoundedPool,
        public_url: str,
        *,
        media_type: str,
        write: Callable[[Feed, str], bytes],
    ) -> None:
        self._snapshots = snapshots
        self._pool = pool
        self._public_url = public_url
        self._media_type = media_type
        self._write = write
        self._feed = lru_cache(maxsize=KEPT)(self._make)

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, code_body: str) -> None:
        """Answer with the feed of a code body."""
        parameters.parse(req.params, parameters.NONE, req.query_string)
        wanted = parameters.parse_id(code_body, "codeBodyId")
        accepted_type(req.get_header("Accept"), (self._media_type,))
        with await lease_for(req, self._snapshots, None) as served:
            # Which snapshots are there is read from their folder, too.
            feed = await self._pool.run(
                lambda: self._feed(wanted, served.id, self._snapshots.retained()),
                client=network_of(req.remote_addr),
            )
        send_stored(req, resp, feed, cache=PUBLIC, content_type=self._media_type)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, code_body: str) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp, code_body)

    def _make(self, code_body: UUID, current: str, retained: tuple[str, ...]) -> StoredBody:
        """Return a feed; `current` and `retained` are here because others make another feed."""
        del current, retained
        # Not by its id: one that has just gone out of service would be opened again for it.
        with self._snapshots.lease() as served:
            feed = make_feed(self._snapshots, served, code_body)
        return ready_to_send(self._write(feed, self._public_url))
