"""Pools: what exceeds the bound or a client's share is refused, and what nobody waits for is dropped."""

import asyncio
import threading
from collections.abc import Iterator

import pytest

from serving.concurrency.pool import BoundedPool
from serving.concurrency.presence import Presence
from serving.contract.errors import AbandonedError, OverloadedError


class Client:
    """A client that leaves when it is told to."""

    def __init__(self) -> None:
        self.left = asyncio.Event()
        self.presence = Presence(self._receive)

    async def _receive(self) -> dict[str, object]:
        await self.left.wait()
        return {"type": "http.disconnect"}


@pytest.fixture
def pool() -> Iterator[BoundedPool]:
    pool = BoundedPool("tests", threads=1, limit=4, share=2)
    yield pool
    pool.close()


async def begun(count: int = 1) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


def test_one_client_has_its_share_and_others_the_rest(pool):
    gate = threading.Event()

    async def scenario() -> None:
        first = [asyncio.ensure_future(pool.run(gate.wait, client="a")) for _ in range(2)]
        await begun()
        with pytest.raises(OverloadedError, match="tests"):
            await pool.run(gate.wait, client="a")
        others = [asyncio.ensure_future(pool.run(gate.wait, client=name)) for name in ("b", "c")]
        await begun()
        with pytest.raises(OverloadedError):
            await pool.run(gate.wait, client="d")
        gate.set()
        assert await asyncio.gather(*first, *others) == [True] * 4
        assert await pool.run(lambda: 5, client="a") == 5

    asyncio.run(scenario())


def test_clients_take_turns_however_many_calls_one_sends():
    gate, order = threading.Event(), []
    pool = BoundedPool("tests", threads=1, limit=100)

    async def scenario() -> None:
        def call(name: str):
            return asyncio.ensure_future(pool.run(lambda: order.append(name), client=name))

        first = asyncio.ensure_future(pool.run(gate.wait, client="a"))
        await begun()
        many = [call("a") for _ in range(50)]
        await begun()
        few = [call("b"), call("b"), call("c")]
        await begun()
        gate.set()
        await asyncio.gather(first, *many, *few)

    asyncio.run(scenario())
    pool.close()
    assert order[:6] == ["a", "b", "c", "a", "b", "a"]
    assert order.count("a") == 50


def test_where_there_is_no_room_who_has_most_makes_it():
    gate, order = threading.Event(), []
    pool = BoundedPool("tests", threads=1, limit=4)

    async def scenario() -> None:
        def call(name: str, number: int):
            return asyncio.ensure_future(pool.run(lambda: order.append((name, number)), client=name))

        first = asyncio.ensure_future(pool.run(gate.wait, client="a"))
        await begun()
        waiting = [call("a", number) for number in range(3)]
        await begun()
        with pytest.raises(OverloadedError):
            await call("a", 3)
        other = call("b", 0)
        await begun(4)
        with pytest.raises(OverloadedError, match="Try again") as refused:
            await waiting[2]
        assert refused.value.retry_after_seconds
        gate.set()
        await asyncio.gather(first, *waiting[:2], other)
        assert await pool.run(lambda: 5, client="c") == 5, "all places are free again"

    asyncio.run(scenario())
    pool.close()
    assert order == [("a", 0), ("b", 0), ("a", 1)]


def test_what_waits_is_dropped_when_its_client_leaves(pool):
    gate = threading.Event()
    ran = []

    async def scenario() -> None:
        client = Client()
        running = asyncio.ensure_future(pool.run(gate.wait))
        waiting = asyncio.ensure_future(pool.run(lambda: ran.append(1), presence=client.presence))
        await begun(3)
        client.left.set()
        with pytest.raises(AbandonedError):
            await waiting
        assert client.presence.is_gone
        gate.set()
        assert await running

    asyncio.run(scenario())
    assert ran == []


@pytest.mark.parametrize("fails", [False, True])
def test_what_runs_is_waited_for_when_its_client_leaves(pool, fails):
    started, gate = threading.Event(), threading.Event()
    seen = []

    async def scenario() -> None:
        client = Client()

        def work() -> None:
            started.set()
            gate.wait()
            seen.append(client.presence.is_gone)
            if fails:
                raise ValueError("nobody is told")

        running = asyncio.ensure_future(pool.run(work, presence=client.presence))
        await asyncio.to_thread(started.wait)
        client.left.set()
        await asyncio.sleep(0.01)
        assert not running.done(), "what it reads must stay open"
        gate.set()
        with pytest.raises(AbandonedError):
            await running

    asyncio.run(scenario())
    assert seen == [True]


def test_who_stays_gets_the_answer_or_the_failure(pool):
    async def scenario() -> None:
        assert await pool.run(lambda: 7, presence=Client().presence) == 7
        with pytest.raises(ZeroDivisionError):
            await pool.run(lambda: 1 // 0, presence=Client().presence)

    asyncio.run(scenario())
