"""A worker is killed every second while a crowd spends credits: no answer without its charge."""

import asyncio
import os
import random
import signal
from collections.abc import Callable, Iterator

import pytest

from serving.metering.tiers import ALLOTMENT
from tests.serving.metering.clocks import FileClock
from tests.serving.metering.crowds import Ask, Crowd, asks, statuses
from tests.serving.servers import Server

pytestmark = pytest.mark.e2e
KILLS = int(os.environ.get("TEST_KILLS", "8"))
"""One a second. Set it higher for a long run."""
CREDITS_PER_KILL = 250
REFUSED = 100
"""Answers 402 that end the run: the credits are spent, and more were asked for."""


async def _asked_under_kills(
    server: Server, clock: FileClock, every: Iterator[Ask], is_enough: Callable[[Crowd, int], bool]
) -> Crowd:
    """A crowd that asks until it is enough, while each second a worker that serves is killed."""
    killed: list[int] = []

    async def kill(crowd: Crowd) -> None:
        while not is_enough(crowd, len(killed)):
            await asyncio.sleep(1)
            # Make room in the windows.
            clock.pass_(61)
            held = await asyncio.to_thread(server.connections)
            serving = [pid for pid, number in held.items() if number]
            if serving:
                killed.append(random.choice(serving))
                os.kill(killed[-1], signal.SIGKILL)

    async with Crowd(server.port) as crowd:
        killing = asyncio.create_task(kill(crowd))

        def until_done() -> Iterator[Ask]:
            while not killing.done():
                yield next(every)

        await crowd.ask(until_done())
        await killing
    return crowd


def test_no_answer_without_its_charge(clocked, clocked_books, clock, paths):
    customer = clocked_books.customer(balance=CREDITS_PER_KILL * KILLS, tier="bulk", keys=10)
    start = clocked_books.balance(customer.account_id)

    def is_enough(crowd: Crowd, kills: int) -> bool:
        return kills >= KILLS and bool(crowd.broken) and statuses(crowd.answers)[402] >= REFUSED

    every = asks(paths, customer.keys, 10**9, name=f"k{customer.account_id}")
    crowd = asyncio.run(_asked_under_kills(clocked, clock, every, is_enough))
    clocked.wait_for_workers(4)
    seen = statuses(crowd.answers)
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


def test_of_a_thousand_keys_each_is_charged_for_its_own_answers(clocked, clocked_books, clock, paths):
    """Batches then have a key and an account for nearly each call: all are settled, or none of a batch is."""
    customers = clocked_books.customers(100, keys=10)
    name = f"crowd{customers[0].account_id}"
    # Neighbours are of different accounts.
    keys = [key for turn in zip(*(customer.keys for customer in customers), strict=True) for key in turn]
    every = asks(paths, keys, 10**9, name=name)

    def is_enough(crowd: Crowd, kills: int) -> bool:
        answered = {answer.ask.key for answer in crowd.answers if answer.status == 200}
        return kills >= KILLS // 2 and bool(crowd.broken) and len(answered) > len(keys) // 2

    crowd = asyncio.run(_asked_under_kills(clocked, clock, every, is_enough))
    clocked.wait_for_workers(4)
    assert set(statuses(crowd.answers)) <= {200, 503}
    paid = [answer.ask for answer in crowd.answers if answer.status == 200]
    charged: dict[str, int] = {}
    for customer in customers:
        ids = clocked_books.charged(customer.account_id)
        assert len(ids) == len(set(ids)), "charged twice"
        assert clocked_books.balance(customer.account_id) == ALLOTMENT - len(ids)
        charged |= dict.fromkeys(ids, customer.account_id)
    owners = {key: customer.account_id for customer in customers for key in customer.keys}
    assert {ask.request_id: owners[ask.key] for ask in paid}.items() <= charged.items()
    assert charged.keys() - {ask.request_id for ask in paid} <= {ask.request_id for ask in crowd.broken}
    passed = {
        customer.account_id: sum(key.passed for key in clocked_books.accounts.list_keys(customer.account_id))
        for customer in customers
    }
    assert passed == {one.account_id: len(clocked_books.charged(one.account_id)) for one in customers}
    assert not clocked_books.credits.check_ledger()
