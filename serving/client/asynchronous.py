"""The client for programs on an event loop: `Client`, with every call awaited."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from types import TracebackType
from typing import Any, Unpack

import httpx

from serving.client import calls, results
from serving.client.calls import Call, Result, SearchFilters
from serving.client.connection import DEFAULT_URL, Connection
from serving.client.exchange import (
    Cache,
    Waits,
    address_of,
    common_headers,
    headers_of,
    not_answered,
    not_readable,
    read_answer,
)


class AsyncClient:
    """Calls the API. Use it as an asynchronous context manager, or `close` it.

    Every method raises `LegalError`, whose `code`, `status`, `request_id` and `retry_after` say what to do.

    Args:
        base_url: address of the service.
        key: API key; the free calls need none.
        transport: sends the requests in place of the network, in tests.
        sleep: waits so many seconds.
        options: further fields of `Connection`.
    """

    def __init__(
        self,
        base_url: str = DEFAULT_URL,
        *,
        key: str | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        **options: Any,
    ) -> None:
        self._connection = Connection(base_url, key, **options)
        self._http = httpx.AsyncClient(
            headers=common_headers(self._connection), timeout=self._connection.timeout, transport=transport
        )
        self._cache = Cache(self._connection.kept_answers)
        self._sleep = sleep

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def search(self, q: str, **filters: Unpack[SearchFilters]) -> results.SearchPage:
        """Search by words and by meaning; `filters` are those of `calls.search`."""
        return await self.send(calls.search(q, **filters))

    async def pages(self, q: str, **filters: Unpack[SearchFilters]) -> AsyncIterator[results.SearchPage]:
        """Give one page of results after the other, all from the snapshot of the first."""
        call: Call[results.SearchPage] | None = calls.search(q, **filters)
        while call is not None:
            page = await self.send(call)
            yield page
            call = calls.following(call, page.meta)

    async def search_all(
        self, q: str, *, most: int | None = None, **filters: Unpack[SearchFilters]
    ) -> AsyncIterator[results.SearchItem]:
        """Give one result after the other, over all pages, a credit for each 100; `most` bounds how many."""
        filters.setdefault("limit", calls.page_for(most))
        left = most
        async for page in self.pages(q, **filters):
            for item in page.results[:left]:
                yield item
            left = None if left is None else left - len(page.results)
            if left is not None and left <= 0:
                return

    async def node(self, node_id: str) -> results.Node:
        """Read a provision."""
        return await self.send(calls.node(node_id))

    async def resolve(self, *citations: str) -> tuple[results.Resolution, ...]:
        """Resolve citations, however many, 25 a call."""
        found = [await self.send(call) for call in calls.resolve_all(citations)]
        return tuple(result for resolutions in found for result in resolutions.results)

    async def code_bodies(self) -> results.CodeBodies:
        """List the code bodies."""
        return await self.send(calls.code_bodies())

    async def browse(self, code_body: str, *, parent: str | None = None) -> results.Children:
        """List the children of a node, or the top level of a code body."""
        return await self.send(calls.browse(code_body, parent=parent))

    async def walk(self, code_body: str, *, parent: str | None = None) -> AsyncIterator[results.BrowseNode]:
        """Give every node below another in document order, asking as far as the iterator is read."""
        for child in (await self.browse(code_body, parent=parent)).nodes:
            yield child
            if child.has_children:
                async for below in self.walk(code_body, parent=child.id):
                    yield below

    async def gis(self, short_code: str) -> results.GisLayer:
        """Fetch the zoning layer of a place, for 5 credits."""
        return await self.send(calls.gis(short_code))

    async def gis_at(self, short_code: str, *, lat: float, lon: float) -> results.Location:
        """Find the zones at a point."""
        return await self.send(calls.gis_at(short_code, lat=lat, lon=lon))

    async def coverage(self) -> results.Coverage:
        """Say what is held, and what is missing."""
        return await self.send(calls.coverage())

    async def me(self) -> results.Account:
        """Show the account of the key."""
        return await self.send(calls.me())

    async def order(self, order_id: str, *, token: str) -> results.Order:
        """Show how far a formation order has come."""
        return await self.send(calls.order(order_id, token=token))

    async def compare(self) -> results.Comparison:
        """Fetch the comparison of formation providers, which is free."""
        return await self.send(calls.compare())

    async def prices(self) -> results.Prices:
        """Fetch the list of formation prices, which is free."""
        return await self.send(calls.prices())

    async def send(self, call: Call[Result]) -> Result:
        """Make a call of `serving.client.calls`."""
        body, meta = await self.fetch(call)
        return call.parse(body, meta)

    async def fetch(self, call: Call[Result]) -> tuple[Any, results.Meta]:
        """Make a call and give its JSON body as it came, and what its headers say."""
        address = address_of(self._connection, call)
        kept = self._cache.find(address)
        answer = await self._answer(address, headers_of(kept))
        found = read_answer(answer, kept)
        if found.etag:
            self._cache.keep(address, found)
        return found.body, found.meta

    async def _answer(self, address: str, headers: dict[str, str]) -> httpx.Response:
        """Send a request, again after each wait that the service asks for."""
        waits = Waits(self._connection.patience)
        while True:
            try:
                answer = await self._http.get(address, headers=headers)
                pause = waits.before_retry(answer)
                if pause is None:
                    return answer
            except httpx.TransportError as error:
                pause = waits.before_retry(error)
                if pause is None:
                    raise not_answered(error) from error
            except httpx.DecodingError as error:
                raise not_readable(error) from error
            await self._sleep(pause)
