"""Settlements on both engines: keys, windows, credits, the turn of the month, refunds."""

import random
from datetime import UTC, datetime

import pytest

from serving.metering.clock import DAY, SECOND
from serving.metering.records import (
    Charge,
    InsufficientCredits,
    KeyRefused,
    NothingToRefund,
    RateLimited,
    Receipt,
    Refund,
    Refunded,
    Settled,
)
from tests.serving.metering.posted import post_all


def at(year: int, month: int, day: int, hour: int = 0, minute: int = 0, second: int = 0) -> int:
    return int(datetime(year, month, day, hour, minute, second, tzinfo=UTC).timestamp()) * SECOND


def test_a_charge_draws_on_the_allotment(meter):
    account, key = meter.key()
    (outcome,) = meter.charge(key, cost=5)
    assert isinstance(outcome, Settled)
    assert (outcome.allotment, outcome.wallet, outcome.balance, outcome.cost) == (995, 0, 995, 5)
    entry = meter.accounts.ledger(account)[0]
    assert (entry.kind, entry.allotment, entry.wallet, entry.balance_after) == ("charge", -5, 0, 995)
    assert (entry.endpoint, entry.request_id, entry.at) == ("node", "r0", meter.clock.instant)
    assert outcome.receipt == Receipt(account, entry.entry_no)


def test_a_charge_takes_the_rest_from_the_wallet(meter):
    account, key = meter.key(wallet=10)
    meter.charge(key, cost=997)
    (outcome,) = meter.charge(key, cost=5)
    assert (outcome.allotment, outcome.wallet) == (0, 8)
    entry = meter.accounts.ledger(account)[0]
    assert (entry.allotment, entry.wallet) == (-3, -2)


def test_nothing_is_taken_if_both_do_not_suffice(meter):
    account, key = meter.key(wallet=2)
    meter.charge(key, cost=999)
    (refused,) = meter.charge(key, cost=5)
    assert isinstance(refused, InsufficientCredits)
    assert (refused.allotment, refused.wallet, refused.balance) == (1, 2, 3)
    assert refused.windows.minute.remaining == 28
    assert meter.accounts.get(account).wallet == 2
    (last,) = meter.charge(key, cost=3)
    assert last.balance == 0


@pytest.mark.parametrize("cost", [5, 1])
def test_an_outcome_knows_when_the_allotment_renews(meter, cost):
    account, key = meter.key()
    meter.charge(key, cost=999)
    (outcome,) = meter.charge(key, cost=cost)
    assert isinstance(outcome, InsufficientCredits if cost == 5 else Settled)
    assert outcome.renews_at == meter.accounts.get(account).renews_at


def test_the_refund_of_a_charge_names_its_endpoint(meter):
    account, key = meter.key()
    (outcome,) = meter.charge(key, cost=5)
    meter.store.settle([Refund(outcome.receipt, "r1")])
    refund, charge, *_ = meter.accounts.ledger(account)
    assert (refund.kind, refund.endpoint, refund.request_id) == ("refund", charge.endpoint, "r1")
    assert (refund.reference, charge.reference) == (None, None)


def test_a_batch_settles_in_order(meter):
    _, key = meter.key()
    meter.charge(key, cost=997)
    outcomes = [meter.store.settle([Charge(key, cost, "node", "r") for cost in (2, 2, 1, 1)])][0]
    assert [type(outcome).__name__ for outcome in outcomes] == [
        "Settled",
        "InsufficientCredits",
        "Settled",
        "InsufficientCredits",
    ]


def test_a_free_request_counts_and_takes_nothing(meter):
    account, key = meter.key()
    (outcome,) = meter.charge(key, cost=0)
    assert (outcome.receipt, outcome.balance, outcome.windows.minute.remaining) == (None, 1000, 29)
    assert [entry.kind for entry in meter.accounts.ledger(account)] == ["allotment"]


def test_an_empty_batch_does_nothing(meter):
    assert meter.store.settle([]) == []


@pytest.mark.parametrize("reason", ["unknown", "revoked", "expired"])
def test_a_dead_key_is_refused(meter, reason):
    account = meter.accounts.create().account_id
    key, minted = meter.accounts.create_key(
        account, name="k", scopes=["node"], expires_at=meter.clock.instant + SECOND
    )
    assert isinstance(meter.charge(minted.digest)[0], Settled)
    if reason == "revoked":
        meter.accounts.revoke_key(account, key.key_id)
    if reason == "expired":
        meter.clock.pass_(1)
    assert meter.charge("0" * 64 if reason == "unknown" else minted.digest) == [KeyRefused(reason)]
    assert meter.accounts.get(account).allotment == 999


def test_the_minute_slides(meter):
    _, key = meter.key()
    assert all(isinstance(outcome, Settled) for outcome in meter.charge(key, times=20))
    meter.clock.pass_(40)
    outcomes = meter.charge(key, times=12)
    assert [isinstance(outcome, Settled) for outcome in outcomes] == [True] * 10 + [False] * 2
    refused = outcomes[-1]
    assert (refused.window, refused.retry_after_seconds) == ("minute", 20)
    meter.clock.pass_(20 - 0.000001)
    assert isinstance(meter.charge(key)[0], RateLimited)
    meter.clock.pass_(0.000001)
    outcomes = meter.charge(key, times=21)
    assert [isinstance(outcome, Settled) for outcome in outcomes] == [True] * 20 + [False]
    assert outcomes[-1].retry_after_seconds == 40


def test_a_limited_request_counts_for_nothing(meter):
    account, key = meter.key()
    meter.charge(key, times=30)
    meter.clock.pass_(59)
    assert {type(outcome) for outcome in meter.charge(key, times=100)} == {RateLimited}
    meter.clock.pass_(1)
    assert {type(outcome) for outcome in meter.charge(key, times=30)} == {Settled}
    assert meter.accounts.get(account).allotment == 940


def test_the_day_slides(meter):
    _, key = meter.key(wallet=5_000)
    for _ in range(34):
        meter.charge(key, times=30)
        meter.clock.pass_(60)
    (refused,) = meter.charge(key)
    assert (refused.window, refused.windows.day.remaining) == ("day", 0)
    assert refused.retry_after_seconds == DAY // SECOND - 34 * 60
    meter.clock.pass_(refused.retry_after_seconds)
    outcomes = meter.charge(key, times=31)
    assert sum(isinstance(outcome, Settled) for outcome in outcomes) == 30


def test_limits_are_per_key_and_credits_per_account(meter):
    account, first = meter.key()
    _, second = meter.accounts.create_key(account, name="second", scopes=["node"])
    meter.charge(first, times=30)
    (outcome,) = meter.charge(second.digest)
    assert isinstance(outcome, Settled)
    assert outcome.balance == 969


def test_a_purchase_raises_the_limits_at_once(meter):
    account, key = meter.key()
    meter.charge(key, times=31)
    meter.credits.purchase(account, "starter", event_id="evt")
    outcomes = meter.charge(key, times=31)
    assert [type(outcome) for outcome in outcomes] == [Settled] * 30 + [RateLimited]
    assert outcomes[0].tier == "starter"


def test_a_clock_that_steps_back_lets_nobody_through(meter):
    _, key = meter.key()
    meter.charge(key, times=30)
    meter.clock.pass_(-3600)
    assert isinstance(meter.charge(key)[0], RateLimited)


def test_rows_of_windows_do_not_pile_up(meter):
    _, key = meter.key(wallet=5_000)
    for _ in range(60):
        assert isinstance(meter.charge(key)[0], Settled)
        meter.clock.pass_(3600)
    post_all(meter.url)
    with meter.database.reading() as connection:
        rows = connection.exec_driver_sql("SELECT count(*) FROM marks").scalar_one()
        waiting = connection.exec_driver_sql("SELECT count(*) FROM batches").scalar_one()
    assert 20 <= rows <= 26
    assert waiting == 1, "the newest record stays, so that numbers go on from it"


def test_the_month_turns_on_its_first_use(meter):
    account, key = meter.key(wallet=7)
    meter.clock.instant = at(2026, 11, 30, 23, 59, 59)
    meter.charge(key, cost=400)
    meter.clock.instant = at(2026, 12, 1)
    assert meter.accounts.get(account).allotment == 1000
    (outcome,) = meter.charge(key)
    assert (outcome.allotment, outcome.wallet) == (999, 7)
    entries = [(e.kind, e.allotment, e.balance_after) for e in meter.accounts.ledger(account)]
    assert entries[:3] == [("charge", -1, 1006), ("allotment", 1000, 1007), ("expiry", -600, 7)]
    assert meter.accounts.get(account).renews_at == at(2027, 1, 1)
    assert not meter.credits.check_ledger()


def test_an_empty_allotment_expires_without_an_entry(meter):
    account, key = meter.key()
    meter.charge(key, cost=1000)
    meter.clock.instant = at(2027, 3, 1)
    meter.charge(key)
    assert [entry.kind for entry in meter.accounts.ledger(account)][:3] == ["charge", "allotment", "charge"]


def test_a_refund_gives_back_both_parts_once(meter):
    account, key = meter.key(wallet=10)
    meter.charge(key, cost=997)
    (charged,) = meter.charge(key, cost=5)
    assert meter.refund(charged.receipt) == Refunded(account, 3, 10)
    assert meter.refund(charged.receipt) == Refunded(account, 3, 10)
    entry = meter.accounts.ledger(account)[0]
    assert (entry.kind, entry.allotment, entry.wallet, entry.refers_to) == (
        "refund",
        3,
        2,
        charged.receipt.entry_no,
    )
    assert not meter.credits.check_ledger()


def test_a_refund_twice_in_one_batch_gives_back_once(meter):
    account, key = meter.key()
    (charged,) = meter.charge(key)
    twice = [Refund(charged.receipt, "a"), Refund(charged.receipt, "b")]
    assert meter.store.settle(twice) == [Refunded(account, 1000, 0)] * 2
    assert not meter.credits.check_ledger()


def test_a_refund_after_the_turn_of_the_month_gives_back_the_wallet_only(meter):
    account, key = meter.key(wallet=10)
    meter.charge(key, cost=997)
    (charged,) = meter.charge(key, cost=5)
    meter.clock.instant = at(2026, 12, 1)
    meter.charge(key)
    assert meter.refund(charged.receipt) == Refunded(account, 999, 10)
    assert not meter.credits.check_ledger()


def test_only_charges_can_be_refunded(meter):
    account, _ = meter.key(wallet=10)
    for number in (1, 2, 99):
        assert meter.refund(Receipt(account, number)) == NothingToRefund()


def test_a_mixed_batch_of_many_accounts_is_exact(meter):
    seeded = random.Random(3)
    keys = [meter.key(wallet=wallet) for wallet in (0, 3, 50)]
    left = {key: 1000 + wallet for (_, key), wallet in zip(keys, (0, 3, 50), strict=True)}
    for _ in range(12):
        work = [Charge(seeded.choice(keys)[1], seeded.choice((0, 1, 5, 300)), "gis", "r") for _ in range(6)]
        for charge, outcome in zip(work, meter.store.settle(work), strict=True):
            if charge.cost <= left[charge.key_hash]:
                left[charge.key_hash] -= charge.cost
                assert isinstance(outcome, Settled)
            else:
                assert isinstance(outcome, InsufficientCredits)
            assert outcome.balance == left[charge.key_hash]
        meter.clock.pass_(61)
    assert not meter.credits.check_ledger()
