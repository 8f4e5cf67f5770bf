"""What the settings page shows of an account's calls: usage by day and endpoint, pages of the ledger."""

from datetime import UTC, date, datetime

from serving.accounts.customers import Customers
from serving.metering.clock import SECOND
from serving.metering.records import Charge, Settled


def call(meter, key: str, endpoint: str, *, cost: int = 1):
    (outcome,) = meter.store.settle([Charge(key, cost, endpoint, "r")])
    assert isinstance(outcome, Settled)
    return outcome.receipt


def set_time(meter, year: int, month: int, day: int, hour: int = 0, minute: int = 0, second: int = 0) -> None:
    when = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    meter.clock.instant = int(when.timestamp()) * SECOND


def told(customers, account: int) -> list[tuple[date, str, int, int]]:
    return [(row.day, row.endpoint, row.calls, row.credits) for row in customers.usage(account)]


def test_keys_are_told_apart(meter):
    account, key = meter.key()
    made, other = meter.accounts.create_key(account, name="other", scopes=["node"])
    for _ in range(3):
        call(meter, other.digest, "node", cost=2)
    call(meter, key, "node")
    usage = Customers(meter.database).usage(account)
    (first,) = {one.key_id for one in meter.accounts.list_keys(account)} - {made.key_id}
    assert {row.key_id: (row.calls, row.credits) for row in usage} == {first: (1, 1), made.key_id: (3, 6)}


def test_calls_are_summed_by_day_and_endpoint(meter):
    customers = Customers(meter.database)
    account, key = meter.key()
    stranger, other = meter.key()
    set_time(meter, 2026, 11, 19, 23, 59, 59)
    call(meter, key, "search", cost=2)
    call(meter, key, "node")
    meter.clock.pass_(0.999999)
    call(meter, key, "node")
    meter.clock.pass_(0.000001)
    call(meter, key, "node", cost=5)
    call(meter, other, "browse")
    assert told(customers, account) == [
        (date(2026, 11, 19), "node", 2, 2),
        (date(2026, 11, 19), "search", 1, 2),
        (date(2026, 11, 20), "node", 1, 5),
    ]
    assert told(customers, stranger) == [(date(2026, 11, 20), "browse", 1, 1)]


def test_thirty_days_are_shown_with_today(meter):
    customers = Customers(meter.database)
    account, key = meter.key()
    for day in (1, 2, 3, 30):
        set_time(meter, 2026, 12, day)
        call(meter, key, "node")
    set_time(meter, 2026, 12, 31, 23, 59, 59)
    assert [usage.day.day for usage in customers.usage(account)] == [2, 3, 30]
    assert [usage.day.day for usage in customers.usage(account, days=2)] == [30]
    assert customers.usage(account, days=1) == []
    meter.clock.pass_(1)
    assert [usage.day.day for usage in customers.usage(account)] == [3, 30]
    set_time(meter, 2027, 2, 1)
    assert customers.usage(account) == []


def test_what_was_given_back_counts_for_nothing_on_any_day(meter):
    customers = Customers(meter.database)
    account, key = meter.key(wallet=5)
    set_time(meter, 2026, 11, 30, 23, 59, 59)
    call(meter, key, "search")
    failed = call(meter, key, "search", cost=3)
    set_time(meter, 2026, 12, 1)
    meter.refund(failed)
    call(meter, key, "search")
    meter.refund(call(meter, key, "node"))
    assert told(customers, account) == [
        (date(2026, 11, 30), "search", 1, 1),
        (date(2026, 12, 1), "search", 1, 1),
    ]


def test_what_comes_from_the_wallet_is_spent_too(meter):
    account, key = meter.key(wallet=50)
    call(meter, key, "node", cost=990)
    call(meter, key, "node", cost=30)
    assert [(usage.calls, usage.credits) for usage in Customers(meter.database).usage(account)] == [(2, 1020)]


def test_grants_purchases_and_their_refunds_are_no_use(meter):
    account = meter.accounts.create().account_id
    meter.credits.grant(account, 7)
    assert Customers(meter.database).usage(account) == []
    assert Customers(meter.database).usage(account + 1) == []


def test_a_clock_that_was_set_back_hides_no_call(meter):
    customers = Customers(meter.database)
    account, key = meter.key()
    other = meter.accounts.create_key(account, name="other", scopes=["node"])[1].digest
    set_time(meter, 2026, 12, 1, 6)
    call(meter, key, "node")
    set_time(meter, 2026, 11, 30, 22)
    for _ in range(4):
        call(meter, other, "node")
    set_time(meter, 2026, 12, 1, 7)
    call(meter, key, "node")
    set_time(meter, 2026, 12, 30)
    assert [(usage.day.day, usage.calls) for usage in customers.usage(account)] == [(1, 2)]


def test_the_ledger_is_read_page_by_page(meter):
    customers = Customers(meter.database)
    account, key = meter.key()
    meter.charge(key, times=6)
    first = customers.ledger_page(account, before=None, limit=3)
    second = customers.ledger_page(account, before=first[-1].entry_no, limit=3)
    third = customers.ledger_page(account, before=second[-1].entry_no, limit=3)
    assert [entry.entry_no for entry in (*first, *second, *third)] == [7, 6, 5, 4, 3, 2, 1]
    assert third[0].kind == "allotment"
    assert customers.ledger_page(account, before=1, limit=3) == []
