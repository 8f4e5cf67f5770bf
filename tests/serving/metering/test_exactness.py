"""Not one credit and not one request too many or too few, however many ask four workers at once."""

import asyncio
from collections.abc import Iterator
from itertools import pairwise

import pytest

from serving.metering.clock import MINUTE, SECOND
from serving.metering.tiers import TIERS
from tests.serving.metering.crowds import Answer, Ask, Crowd, asks, statuses

pytestmark = pytest.mark.e2e
CREDITS = 1_500
ASKED = 2_400
"""Below what ten keys of the largest tier may ask in a minute: 3,000."""
FREE = TIERS["free"].per_minute


def test_of_a_crowd_exactly_as_many_are_answered_as_there_are_credits(server, books, paths):
    customer = books.customer(balance=CREDITS, tier="bulk", keys=10)

    async def scenario() -> Crowd:
        async with Crowd(server.port) as crowd:
            await crowd.spread(server)
            await crowd.ask(asks(paths, customer.keys, ASKED, name=f"n{customer.account_id}"))
        return crowd

    crowd = asyncio.run(scenario())
    assert crowd.broken == []
    assert statuses(crowd.answers) == {200: CREDITS, 402: ASKED - CREDITS}
    paid = {answer.headers["x-request-id"] for answer in crowd.answers if answer.status == 200}
    charged = books.charged(customer.account_id)
    assert len(charged) == CREDITS
    assert set(charged) == paid
    assert books.balance(customer.account_id) == books.sum(customer.account_id) == 0
    left = [int(answer.headers["x-credits-remaining"]) for answer in crowd.answers if answer.status == 200]
    assert sorted(left) == list(range(CREDITS)), "every answer tells the balance that it left, each its own"
    assert not books.credits.check_ledger()


def passed_at(books, account_id: int) -> list[int]:
    """When the requests of an account's one key passed, oldest first; each costs a credit and has one."""
    return [entry.at for entry in books.entries(account_id, "charge")]


def assert_never_too_many(instants: list[int], limit: int) -> None:
    """Of any `limit` + 1 requests that passed, the last is a minute after the first."""
    assert instants == sorted(instants)
    for first, last in zip(instants, instants[limit:], strict=False):
        assert last - first >= MINUTE


def assert_rightly_refused(refusal: Answer, instants: list[int], limit: int) -> None:
    """As many as may had passed in the minute before, and the wait ends when the oldest of them is a minute old."""
    assert sum(refusal.asked_at - MINUTE < at <= refusal.answered_at for at in instants) >= limit
    wait = int(refusal.headers["retry-after"]) * SECOND
    oldest = [at for at in instants if at <= refusal.answered_at][-limit]
    free_at = oldest + MINUTE
    assert free_at - refusal.answered_at <= wait < free_at - refusal.asked_at + SECOND


def test_of_a_crowd_exactly_the_limit_of_each_key_passes(server, books, paths):
    customers = [books.customer() for _ in range(8)]
    keys = tuple(customer.key for customer in customers)
    number = 2 * FREE * len(keys)

    async def scenario() -> Crowd:
        async with Crowd(server.port) as crowd:
            await crowd.ask(asks(paths, keys, number, name=f"l{customers[0].account_id}"))
        return crowd

    crowd = asyncio.run(scenario())
    assert crowd.broken == []
    assert crowd.answers[-1].answered_at - crowd.answers[0].asked_at < MINUTE, "too slow to tell anything"
    for customer in customers:
        answers = [answer for answer in crowd.answers if answer.ask.key == customer.key]
        assert statuses(answers) == {200: FREE, 429: FREE}
        instants = passed_at(books, customer.account_id)
        assert len(instants) == FREE
        for answer in answers:
            if answer.status == 429:
                assert_rightly_refused(answer, instants, FREE)
    assert not books.credits.check_ledger()


def test_the_minute_slides(clocked, clocked_books, clock, paths):
    """All that is asked at one instant is answered before the clock moves on: what passes can be foretold."""
    customer = clocked_books.customer()

    async def scenario() -> None:
        async with Crowd(clocked.port) as crowd:
            past: list[int] = []
            for step, (number, seconds) in enumerate(
                [
                    (10, 20),
                    (15, 20),
                    (64, 19.999999),
                    (5, 0.000001),
                    (64, 20),
                    (64, 59),
                    (1, 1),
                    (64, 60),
                    (64, 1),
                ]
            ):
                now = clock.now()
                name = f"slide{customer.account_id}-{step}"
                answers = await crowd.ask(asks(paths, (customer.key,), number, name=name))
                free = FREE - sum(now - at < MINUTE for at in past)
                seen = statuses(answers)
                assert (seen[200], seen[429]) == (min(number, free), max(0, number - free)), step
                past += [now] * seen[200]
                expected = -(-(past[-FREE] + MINUTE - now) // SECOND) if seen[429] else None
                waits = {answer.json["retryAfterSec"] for answer in answers if answer.status == 429}
                assert waits == ({expected} if expected else set())
                clock.pass_(seconds)
            assert crowd.broken == []

    asyncio.run(scenario())
    assert_never_too_many(passed_at(clocked_books, customer.account_id), FREE)
    assert not clocked_books.credits.check_ledger()


def test_never_too_many_pass_while_time_flies(clocked, clocked_books, clock, paths):
    """The clock runs while the crowd asks without pause; every minute lets the limit pass and no more."""
    customer = clocked_books.customer(balance=100_000)
    end = clock.now() + 5 * MINUTE
    step, answered_in_a_step = 1.3, 20

    async def scenario() -> Crowd:
        async with Crowd(clocked.port) as crowd:

            def until_the_end() -> Iterator[Ask]:
                taken = 0
                for ask in asks(paths, (customer.key,), 1_000_000, name=f"fly{customer.account_id}"):
                    if len(crowd.answers) > answered_in_a_step * taken:
                        taken += 1
                        clock.pass_(step)
                    if clock.now() >= end:
                        return
                    yield ask

            await crowd.ask(until_the_end())
        return crowd

    crowd = asyncio.run(scenario())
    assert crowd.broken == []
    seen = statuses(crowd.answers)
    assert set(seen) == {200, 429}
    instants = passed_at(clocked_books, customer.account_id)
    assert len(instants) == seen[200]
    assert_never_too_many(instants, FREE)
    longest = max(later - earlier for earlier, later in pairwise(instants[::FREE]))
    # All that is under way when a place falls free is answered within five steps.
    assert longest <= MINUTE + 5 * step * SECOND, "requests are refused although they may pass"


def test_waiting_as_told_is_waiting_long_enough(clocked, clocked_books, clock, paths):
    customer = clocked_books.customer()

    async def scenario() -> None:
        async with Crowd(clocked.port, connections=8) as crowd:

            async def one(name: str) -> Answer:
                (answer,) = await crowd.ask(
                    asks(paths, (customer.key,), 1, name=f"{name}{customer.account_id}")
                )
                return answer

            await crowd.ask(asks(paths, (customer.key,), FREE, name=f"w{customer.account_id}"))
            clock.pass_(17.25)
            refusal = await one("refused")
            assert refusal.status == 429
            wait = int(refusal.headers["retry-after"])
            assert wait == 43
            clock.pass_(wait - 0.250001)
            assert (await one("early")).status == 429
            clock.pass_(0.250001)
            assert (await one("late")).status == 200

    asyncio.run(scenario())
