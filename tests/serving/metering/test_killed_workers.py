"""A worker is killed every second while a crowd spends an account's credits: no answer without its charge."""

import asyncio
import os
import random
import signal
from collections.abc import Iterator

import pytest

from tests.serving.metering.crowds import Ask, Crowd, asks, statuses

pytestmark = pytest.mark.e2e
KILLS = int(os.environ.get("TEST_KILLS", "8"))
"""One a second. Set it higher for a long run."""
CREDITS_PER_KILL = 250
REFUSED = 100
"""Answers 402 that end the run: the credits are spent, and more were asked for."""


def test_no_answer_without_its_charge(clocked, clocked_books, clock, paths):
    customer = clocked_books.customer(balance=CREDITS_PER_KILL * KILLS, tier="bulk", keys=10)
    start = clocked_books.balance(customer.account_id)
    killed: list[int] = []

    async def kill(crowd: Crowd) -> None:
        """Kill a worker a second, one that serves, and make room in the windows."""
        while len(killed) < KILLS or statuses(crowd.answers)[402] < REFUSED:
            await asyncio.sleep(1)
            clock.pass_(61)
            held = await asyncio.to_thread(clocked.connections)
            serving = [pid for pid, number in held.items() if number]
            if serving:
                killed.append(random.choice(serving))
                os.kill(killed[-1], signal.SIGKILL)

    async def scenario() -> Crowd:
        async with Crowd(clocked.port) as crowd:
            killing = asyncio.create_task(kill(crowd))

            def until_done() -> Iterator[Ask]:
                every = asks(paths, customer.keys, 10**9, name=f"k{customer.account_id}")
                while not killing.done():
                    yield next(every)

            await crowd.ask(until_done())
            await killing
        return crowd

    crowd = asyncio.run(scenario())
    clocked.wait_for_workers(4)
    seen = statuses(crowd.answers)
    print(f"{len(killed)} kills, answers {dict(seen)}, broken {len(crowd.broken)}")
    assert crowd.broken, "no kill met a request"
    assert set(seen) <= {200, 402, 429, 503}
    paid = [answer.ask.request_id for answer in crowd.answers if answer.status == 200]
    charged = clocked_books.charged(customer.account_id)
    assert len(paid) <= start
    assert len(charged) == len(set(charged)) == start, "the credits are spent, each once"
    assert set(paid) <= set(charged)
    unanswered = set(charged) - set(paid)
    assert unanswered <= {ask.request_id for ask in crowd.broken}
    assert clocked_books.balance(customer.account_id) == clocked_books.sum(customer.account_id) == 0
    assert not clocked_books.credits.check_ledger()
    assert clocked.process.poll() is None
