"""`/api/v1/resolve`: citations, in the spellings that people type."""

import hashlib
from collections.abc import Sequence

import falcon
import falcon.asgi

from serving.api import operations, parameters
from serving.api.faulty import Faulty, unread
from serving.api.rendering import ANSWERS
from serving.concurrency.pool import BoundedPool
from serving.concurrency.presence import presence_in
from serving.http.charging import Meter
from serving.responses.bodies import not_modified, send_made
from serving.responses.leases import lease_for
from serving.responses.negotiation import accepted_type
from serving.services.citations.answers import resolutions_answer
from serving.services.citations.resolution import Resolution
from serving.services.citations.resolve import resolve
from serving.services.snapshots import SnapshotHolder
from serving.snapshot.store import Snapshot


class ResolveResource:
    """Resolved citations, one result for each."""

    def __init__(self, meter: Meter, snapshots: SnapshotHolder, pool: BoundedPool) -> None:
        self._meter = meter
        self._snapshots = snapshots
        self._pool = pool

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with the resolutions, in the order of the citations."""
        async with self._meter.charging(req, resp, operations.RESOLVE) as charging:
            values = parameters.parse(req.params, parameters.RESOLVE, req.query_string)
            citations: Sequence[str | Faulty] = values["citation"]
            accepted_type(req.get_header("Accept"), (falcon.MEDIA_JSON,))
            with await lease_for(req, self._snapshots, parameters.wanted_snapshot(values)) as snapshot:
                if not_modified(req, resp, _etag(snapshot.id, citations)):
                    return
                # A pin cite into a long section reads all of it: too long for the event loop.
                body = await self._pool.run(
                    lambda: ANSWERS.json(
                        resolutions_answer([_resolved(snapshot, citation) for citation in citations])
                    ),
                    client=charging.caller.key_hash,
                    presence=presence_in(req.scope),
                )
            send_made(req, resp, body, content_type=falcon.MEDIA_JSON)


def _resolved(snapshot: Snapshot, citation: str | Faulty) -> Resolution:
    return unread(citation) if isinstance(citation, Faulty) else resolve(snapshot, citation)


def _etag(snapshot: str, citations: Sequence[str | Faulty]) -> str:
    """Return the weak entity tag of an answer: the same citations to the same snapshot."""
    given = [one.given if isinstance(one, Faulty) else one for one in citations]
    # Written as a list: a citation that is wrong may hold any character, so that none could part them.
    asked = repr((snapshot, given)).encode("utf-8", "replace")
    return f'W/"{hashlib.blake2b(asked, digest_size=16).hexdigest()}"'
