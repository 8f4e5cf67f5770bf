"""The turn of a month and the end of a day, met by many requests at once."""

import asyncio
from collections.abc import Iterator

import pytest

from serving.metering.clock import DAY, SECOND, month_of, month_start, rfc3339
from serving.metering.tiers import ALLOTMENT, TIERS
from tests.serving.metering.crowds import Answer, Ask, Crowd, asks, statuses

pytestmark = pytest.mark.e2e
FREE = TIERS["free"]


def test_month_turns_once_for_every_account(clocked, clocked_books, clock, paths):
    """Half of the requests are answered in the old month, then the clock steps over its end in mid-load."""
    customers = [clocked_books.customer(balance=ALLOTMENT + 15_000, tier="bulk", keys=2) for _ in range(8)]
    turn = month_start(month_of(clock.now()) + 1)
    clock.set(turn - SECOND // 10)
    keys = tuple(key for customer in customers for key in customer.keys)
    number = 150 * len(customers)

    async def scenario() -> Crowd:
        async with Crowd(clocked.port) as crowd:

            def over_the_end() -> Iterator[Ask]:
                for ask in asks(paths, keys, number, name=f"month{customers[0].account_id}"):
                    if len(crowd.answers) > number // 2:
                        clock.set(turn + SECOND // 10)
                    yield ask

            await crowd.ask(over_the_end())
        return crowd

    crowd = asyncio.run(scenario())
    assert crowd.broken == []
    assert statuses(crowd.answers) == {200: number}
    for customer in customers:
        entries = clocked_books.entries(customer.account_id)
        # In the order of the ledger: PostgreSQL reads an injected clock, unlike its own, before it waits for
        # the account, so that a charge may bear an instant just before the turn and follow it.
        kinds = [entry.kind for entry in entries]
        assert kinds.count("expiry") == 1
        assert kinds.count("allotment") == 2
        turned = kinds.index("expiry")
        old, new = entries[:turned], entries[turned:]
        spent = sum(entry.kind == "charge" for entry in old)
        assert all(entry.at < turn for entry in old)
        assert [entry.kind for entry in new[:2]] == ["expiry", "allotment"]
        assert min(entry.at for entry in new[:2]) >= turn
        assert new[0].allotment == -(ALLOTMENT - spent)
        assert new[1].allotment == ALLOTMENT
        assert {entry.kind for entry in new[2:]} == {"charge"}
        asked = [answer for answer in crowd.answers if answer.ask.key in customer.keys]
        assert spent + len(new) - 2 == len(asked)
        assert spent > 0
        account = clocked_books.accounts.get(customer.account_id)
        assert account.allotment == ALLOTMENT - (len(new) - 2)
        assert account.wallet == 15_000
    assert not clocked_books.credits.check_ledger()


def test_allotment_runs_out_and_comes_back_on_the_first(clocked, clocked_books, clock, paths):
    customer = clocked_books.customer(balance=1)
    turn = month_start(month_of(clock.now()) + 1)

    async def scenario() -> list[Answer]:
        async with Crowd(clocked.port, connections=4) as crowd:
            for name in ("last", "none"):
                await crowd.ask(asks(["/api/v1/me"], (customer.key,), 1, name=f"{name}{customer.account_id}"))
            clock.set(turn - 1)
            await crowd.ask(asks(["/api/v1/me"], (customer.key,), 1, name=f"before{customer.account_id}"))
            clock.set(turn)
            await crowd.ask(asks(["/api/v1/me"], (customer.key,), 1, name=f"first{customer.account_id}"))
        return crowd.answers

    last, none, before, first = asyncio.run(scenario())
    assert last.json["researchAllotment"]["renewsAt"] == rfc3339(turn)
    assert [answer.status for answer in (last, none, before, first)] == [200, 402, 402, 200]
    assert first.headers["x-research-allotment-remaining"] == str(ALLOTMENT - 1)
    assert [entry["kind"] for entry in first.json["ledger"][:3]] == ["charge", "allotment", "charge"]


def test_of_a_day_exactly_a_thousand_pass(clocked, clocked_books, clock, paths):
    customer = clocked_books.customer(balance=2_000)
    started = clock.now()

    async def scenario() -> None:
        async with Crowd(clocked.port) as crowd:

            async def ask(number: int) -> list[Answer]:
                name = f"day{customer.account_id}-{len(crowd.answers)}"
                return await crowd.ask(asks(paths, (customer.key,), number, name=name))

            rounds, rest = divmod(FREE.per_day, FREE.per_minute)
            for _ in range(rounds):
                assert statuses(await ask(FREE.per_minute)) == {200: FREE.per_minute}
                clock.pass_(61)
            answers = await ask(64)
            assert statuses(answers) == {200: rest, 429: 64 - rest}
            clock.pass_(61)
            (refusal,) = await ask(1)
            assert refusal.status == 429
            assert "24 hours" in refusal.json["message"]
            assert '"day";r=0' in refusal.headers["ratelimit"]
            wait = -(-(started + DAY - clock.now()) // SECOND)
            assert int(refusal.headers["retry-after"]) == refusal.json["retryAfterSec"] == wait
            clock.set(started + DAY - 1)
            assert statuses(await ask(1)) == {429: 1}
            clock.set(started + DAY)
            assert statuses(await ask(64)) == {200: FREE.per_minute, 429: 64 - FREE.per_minute}

    asyncio.run(scenario())
    assert len(clocked_books.charged(customer.account_id)) == FREE.per_day + FREE.per_minute


def test_key_that_expires_opens_nothing_from_that_instant_on(clocked, clocked_books, clock):
    account_id = clocked_books.customer().account_id
    end = clock.now() + DAY
    _, minted = clocked_books.accounts.create_key(
        account_id, name="short-lived", scopes=["search"], expires_at=end
    )

    async def scenario() -> list[set[int]]:
        seen = []
        async with Crowd(clocked.port, connections=8) as crowd:
            await crowd.spread(clocked)
            for instant in (end - 1, end):
                clock.set(instant)
                name = f"expiry{account_id}-{instant}"
                answers = await crowd.ask(asks(["/api/v1/coverage"], (minted.text,), 24, name=name))
                seen.append(set(statuses(answers)))
        return seen

    assert asyncio.run(scenario()) == [{200}, {401}]
