"""`/api/v1/search`: provisions by words and meaning."""

import hashlib
from time import perf_counter
from urllib.parse import quote, urlencode

import falcon
import falcon.asgi

from serving.api import operations, parameters
from serving.api.rendering import ANSWERS
from serving.api.requests import search_request
from serving.concurrency.pool import BoundedPool
from serving.concurrency.presence import presence_in
from serving.http.charging import Meter
from serving.responses.bodies import not_modified, send_made
from serving.responses.leases import lease_for
from serving.responses.negotiation import accepted_type
from serving.services.known_values import known_request
from serving.services.requests import RESULT_WINDOW, SearchRequest, search_page
from serving.services.search import SearchService
from serving.services.snapshots import SnapshotHolder


class SearchResource:
    """Search results, a page at a time."""

    def __init__(
        self,
        meter: Meter,
        snapshots: SnapshotHolder,
        service: SearchService,
        pool: BoundedPool,
        *,
        public_url: str,
    ) -> None:
        self._meter = meter
        self._snapshots = snapshots
        self._service = service
        self._pool = pool
        self._address = f"{public_url}/api/v1/search"

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer a search."""
        started = perf_counter()
        async with self._meter.charging(req, resp, operations.SEARCH) as charging:
            values = parameters.parse(req.params, parameters.SEARCH, req.query_string)
            request = search_request(values)
            accepted_type(req.get_header("Accept"), (falcon.MEDIA_JSON,))
            with await lease_for(req, self._snapshots, parameters.wanted_snapshot(values)) as snapshot:
                request = known_request(snapshot, request)
                if not_modified(req, resp, _etag(snapshot.id, request)):
                    return
                await charging.settle()
                presence = presence_in(req.scope)
                results = await self._pool.run(
                    lambda: self._service.search(snapshot, request, is_abandoned=lambda: presence.is_gone),
                    client=charging.caller.key_hash,
                    presence=presence,
                )
            seen = request.offset + request.limit
            if seen < results.total and seen + request.limit <= RESULT_WINDOW:
                query = urlencode(_next_page(request, snapshot.id), quote_via=quote)
                resp.set_header("Link", f'<{self._address}?{query}>; rel="next"')
            took = int((perf_counter() - started) * 1000)
            body = ANSWERS.json(search_page(results, request, took_ms=took))
            send_made(req, resp, body, content_type=falcon.MEDIA_JSON)


def _etag(snapshot: str, request: SearchRequest) -> str:
    """Return the weak entity tag of an answer: the same query on the same snapshot, apart from `tookMs`."""
    digest = hashlib.blake2b(f"{snapshot}\0{request!r}".encode("utf-8", "replace"), digest_size=16)
    return f'W/"{digest.hexdigest()}"'


def _next_page(request: SearchRequest, snapshot: str) -> dict[str, str]:
    """Return the query string parameters of the next page, in the same snapshot."""
    query = {"q": request.query, "mode": str(request.mode)}
    if request.jurisdiction is not None:
        query["jurisdiction"] = request.jurisdiction
    if request.code_body is not None:
        query["codeBody"] = str(request.code_body)
    if request.level is not None:
        query["level"] = request.level
    if request.tag is not None:
        query["tag"] = request.tag
    query["status"] = ",".join(request.statuses)
    if request.facets:
        query["facets"] = "true"
    return query | {"page": str(request.page + 1), "limit": str(request.limit), "snapshot": snapshot}
