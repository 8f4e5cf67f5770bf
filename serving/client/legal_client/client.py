"""The synchronous client: a method for each call of the API, and iterators over pages and code bodies."""

import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Self, Unpack

import httpx

from legal_client import calls, results
from legal_client.calls import Call, Result, SearchFilters
from legal_client.connection import DEFAULT_URL, Connection
from legal_client.downloading import Downloader
from legal_client.exchange import Answer, Cache, common_headers, exchange
from legal_client.methods import Methods, Sender


class Client(Methods, Sender):
    """Calls the API. Use it as a context manager, or `close` it. It may be shared between threads.

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
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
        **options: Any,
    ) -> None:
        self._connection = Connection(base_url, key, **options)
        self._http = httpx.Client(
            headers=common_headers(self._connection), timeout=self._connection.timeout, transport=transport
        )
        self._cache = Cache(self._connection.kept_answers)
        self._sleep = sleep

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def pages(self, q: str, **filters: Unpack[SearchFilters]) -> Iterator[results.SearchPage]:
        """Yield one page of results after the other, all from the snapshot of the first."""
        call: Call[results.SearchPage] | None = calls.search(q, **filters)
        while call is not None:
            page = self.send(call)
            yield page
            call = calls.following(call, page.meta)

    def search_all(
        self, q: str, *, most: int | None = None, **filters: Unpack[SearchFilters]
    ) -> Iterator[results.SearchItem]:
        """Yield one result after the other, over all pages, a credit for each 100; `most` bounds how many."""
        filters.setdefault("limit", calls.page_for(most))
        found = (item for page in self.pages(q, **filters) for item in page.results)
        return islice(found, most)

    def resolve(self, *citations: str) -> tuple[results.Resolution, ...]:
        """Resolve citations, however many, 25 a call."""
        return tuple(result for call in calls.resolve_all(citations) for result in self.send(call).results)

    def walk(self, code_body: str, *, parent: str | None = None) -> Iterator[results.BrowseNode]:
        """Yield every node below another in document order, asking as far as the iterator is read."""
        for child in self.browse(code_body, parent=parent).nodes:
            yield child
            if child.has_children:
                yield from self.walk(code_body, parent=child.id)

    def download(
        self,
        file: results.Download | results.DataPackage,
        folder: Path | str = ".",
        *,
        progress: Callable[[int], None] = lambda _: None,
    ) -> Path:
        """Download a file that `downloads` lists, and return its path. It is free.

        What breaks off goes on where it was, in this call and in a later one; the file has its name only once
        it is whole and has the hash that the list tells.

        Args:
            file: the file.
            folder: takes it.
            progress: called with the number of bytes that are there.
        """
        return Downloader(self._http, self._connection, self._sleep).download(file, Path(folder), progress)

    def send(self, call: Call[Result]) -> Result:
        """Make a call of `legal_client.calls`."""
        answer = self.fetch(call)
        return call.parse(answer.body, answer.meta)

    def fetch(self, call: Call[Result]) -> Answer:
        """Make a call and return its JSON body as it came, and what its headers say."""
        steps = exchange(self._connection, self._cache, call)
        request = next(steps)
        try:
            while True:
                if request.pause:
                    self._sleep(request.pause)
                try:
                    response = self._http.request(
                        request.method, request.address, headers=request.headers, json=request.sent
                    )
                except httpx.HTTPError as error:
                    request = steps.throw(error)
                else:
                    request = steps.send(response)
        except StopIteration as done:
            answer: Answer = done.value
            return answer
