"""Many clients at once: connections that each ask, wait for the answer and ask again, without pause."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import cycle
from types import TracebackType
from typing import Any, Self

from tests.serving.servers import Server

ANSWER_SECONDS = 180
"""How long an answer may take before the test fails: a request that hangs is no broken connection."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One request, with an id of its own."""

    path: str
    key: str
    request_id: str
    headers: Mapping[str, str] = field(default_factory=dict)

    def written(self) -> bytes:
        lines = [
            f"GET {self.path} HTTP/1.1",
            "Host: law.example",
            f"Authorization: Bearer {self.key}",
            f"X-Request-Id: {self.request_id}",
            *(f"{name}: {value}" for name, value in self.headers.items()),
        ]
        return "\r\n".join([*lines, "", ""]).encode()


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. The instants are of this machine's clock, in microseconds since 1970 UTC."""

    ask: Ask
    status: int
    headers: Mapping[str, str]
    body: bytes
    asked_at: int
    answered_at: int

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def asks(paths: Iterable[str], keys: Iterable[str], number: int, *, name: str) -> Iterator[Ask]:
    """So many requests, to the paths and by the keys in turn."""
    dealt = zip(cycle(paths), cycle(keys), range(number), strict=False)
    return (Ask(path, key, f"{name}-{n}") for path, key, n in dealt)


def statuses(answers: Iterable[Answer]) -> Counter[int]:
    return Counter(answer.status for answer in answers)


class Crowd:
    """Connections to one server, open inside of the context. `broken` were asked and never answered."""

    def __init__(self, port: int, *, connections: int = 64, away_seconds: float = ANSWER_SECONDS) -> None:
        self._port = port
        self._away_seconds = away_seconds
        self._size = connections
        self._open: list[_Connection] = []
        self.answers: list[Answer] = []
        self.broken: list[Ask] = []

    async def __aenter__(self) -> Self:
        self._open = [await self._connect() for _ in range(self._size)]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for connection in self._open:
            connection.close()

    async def spread(self, server: Server) -> None:
        """Connect anew, one by one, until every worker holds some: the kernel deals as it likes."""
        deadline = time.monotonic() + ANSWER_SECONDS
        number = 0
        while min((await asyncio.to_thread(server.connections)).values()) == 0:
            assert time.monotonic() < deadline, "a worker takes no connections"
            self._open[number].close()
            self._open[number] = await self._connect()
            number = (number + 1) % self._size

    async def ask(self, asks: Iterator[Ask]) -> list[Answer]:
        """Put all requests, each by whichever connection is free; give the answers to them."""
        before = len(self.answers)
        async with asyncio.TaskGroup() as group:
            for number in range(self._size):
                group.create_task(self._keep_asking(number, asks))
        return self.answers[before:]

    async def _keep_asking(self, number: int, asks: Iterator[Ask]) -> None:
        for ask in asks:
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    self.answers.append(await self._open[number].answer(ask))
            except (ConnectionError, asyncio.IncompleteReadError):
                self.broken.append(ask)
                self._open[number].close()
                self._open[number] = await self._connect()

    async def _connect(self) -> "_Connection":
        deadline = time.monotonic() + self._away_seconds
        while True:
            try:
                return _Connection(*await asyncio.open_connection("127.0.0.1", self._port))
            except ConnectionError:
                assert time.monotonic() < deadline, "the server takes no connection any more"
                await asyncio.sleep(0.02)


class _Connection:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def answer(self, ask: Ask) -> Answer:
        asked_at = time.time_ns() // 1000
        self._writer.write(ask.written())
        await self._writer.drain()
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.split("\r\n")[:-2]
        pairs = (line.split(": ", 1) for line in lines)
        headers = {name.lower(): value for name, value in pairs}
        body = await self._reader.readexactly(int(headers.get("content-length", 0)))
        return Answer(ask, int(first.split()[1]), headers, body, asked_at, time.time_ns() // 1000)

    def close(self) -> None:
        self._writer.close()
