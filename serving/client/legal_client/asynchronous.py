"""The asynchronous client: the calls of `Client`, awaited on an event loop."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Unpack

import httpx

from legal_client import calls, results
from legal_client.calls import Call, Result, SearchFilters
from legal_client.connection import DEFAULT_URL, Connection
from legal_client.downloading import Downloader
from legal_client.exchange import Answer, Cache, common_headers, exchange
from legal_client.methods import AsyncSender, Methods


class AsyncClient(Methods, AsyncSender):
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

    async def pages(self, q: str, **filters: Unpack[SearchFilters]) -> AsyncIterator[results.SearchPage]:
        """Yield one page of results after the other, all from the snapshot of the first."""
        call: Call[results.SearchPage] | None = calls.search(q, **filters)
        while call is not None:
            page = await self.send(call)
            yield page
            call = calls.following(call, page.meta)

    async def search_all(
        self, q: str, *, most: int | None = None, **filters: Unpack[SearchFilters]
    ) -> AsyncIterator[results.SearchItem]:
        """Yield one result after the other, over all pages, a credit for each 100; `most` bounds how many."""
        filters.setdefault("limit", calls.page_for(most))
        left = most
        async for page in self.pages(q, **filters):
            for item in page.results[:left]:
                yield item
            left = None if left is None else left - len(page.results)
            if left is not None and left <= 0:
                return

    async def resolve(self, *citations: str) -> tuple[results.Resolution, ...]:
        """Resolve citations, however many, 25 a call."""
        found = [await self.send(call) for call in calls.resolve_all(citations)]
        return tuple(result for resolutions in found for result in resolutions.results)

    async def walk(self, code_body: str, *, parent: str | None = None) -> AsyncIterator[results.BrowseNode]:
        """Yield every node below another in document order, asking as far as the iterator is read."""
        for child in (await self.browse(code_body, parent=parent)).nodes:
            yield child
            if child.has_children:
                async for below in self.walk(code_body, parent=child.id):
                    yield below

    async def download(
        self,
        file: results.Download | results.DataPackage,
        folder: Path | str = ".",
        *,
        progress: Callable[[int], None] = lambda _: None,
    ) -> Path:
        """Download a file as `Client.download` does, on a thread with a connection of its own.

        `progress` is called on that thread. Who stops waiting does not stop the download.
        """

        def run() -> Path:
            headers, timeout = common_headers(self._connection), self._connection.timeout
            with httpx.Client(headers=headers, timeout=timeout) as http:
                return Downloader(http, self._connection, time.sleep).download(file, Path(folder), progress)

        return await asyncio.to_thread(run)

    async def send(self, call: Call[Result]) -> Result:
        """Make a call of `legal_client.calls`."""
        answer = await self.fetch(call)
        return call.parse(answer.body, answer.meta)

    async def fetch(self, call: Call[Result]) -> Answer:
        """Make a call and return its JSON body as it came, and what its headers say."""
        steps = exchange(self._connection, self._cache, call)
        request = next(steps)
        try:
            while True:
                if request.pause:
                    await self._sleep(request.pause)
                try:
                    response = await self._http.request(
                        request.method, request.address, headers=request.headers, json=request.sent
                    )
                except httpx.HTTPError as error:
                    request = steps.throw(error)
                else:
                    request = steps.send(response)
        except StopIteration as done:
            answer: Answer = done.value
            return answer
