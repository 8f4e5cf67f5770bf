"""What a connection follows in memory: changes are seen in the next transaction, and nothing needed is dropped."""

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from serving.metering import followed as followed_module
from serving.metering import following, rate_limits, schema
from serving.metering.batches import Changes
from serving.metering.clock import DAY, MINUTE
from serving.metering.followed import Followed
from serving.metering.records import Charge, KeyRefused, RateLimited, Settled
from serving.metering.store import Store, store_opener
from tests.serving.metering.posted import post_all
from tests.serving.metering.test_random_histories import History, steps


def settled_by(store: Store, key: str) -> Settled:
    """The outcome of one charge that passes."""
    (outcome,) = store.settle([Charge(key, 1, "node", "r")])
    assert isinstance(outcome, Settled)
    return outcome


def test_what_waits_is_kept_however_many_keys_there_are():
    followed = Followed(most=2)
    followed.add(
        [(1, "free", 1000, 1000, 0, 0, 1), (2, "free", 1000, 1000, 0, 0, 1)],
        [(number, 1 + number % 2, f"{number}", None, None, 0, 0) for number in range(4)],
        {},
        {},
    )
    assert followed.is_full()
    followed.apply([(7, Changes([3, 1_000, 0, 1], [2, 999, 0, 0, 2], []))], {}, ())
    followed.drop(posted=6)
    assert (set(followed.keys), set(followed.by_hash), set(followed.balances)) == ({3}, {"3"}, {2})
    assert followed.balances[2].allotment == 999
    assert not followed.is_full()
    followed.drop(posted=7)
    assert not followed.keys
    assert not followed.balances


def test_a_record_that_is_applied_again_changes_nothing():
    followed = Followed()
    followed.add([(1, "free", 1000, 1000, 0, 0, 1)], [(5, 1, "5", None, None, 0, 0)], {}, {})
    records = [
        (number, Changes([5, number * 100, number - 1, 1], [1, 1000 - number, 0, 0, 1 + number], []))
        for number in (1, 2, 3)
    ]
    followed.apply(records, {}, ())
    use = followed.keys[5]
    before = list(use.minute), list(use.day), use.passed, use.last_used_at, use.balance.allotment
    followed.apply(records, {}, ())
    assert before == (list(use.minute), list(use.day), use.passed, use.last_used_at, use.balance.allotment)
    assert before[2:] == (3, 300, 997)


def test_a_known_key_that_is_revoked_is_refused_at_once(meter):
    account, key = meter.key()
    (settled,) = meter.charge(key)
    meter.accounts.revoke_key(account, settled.key_id)
    assert meter.charge(key) == [KeyRefused("revoked")]


def test_a_renewed_token_replaces_the_one_before_it_also_in_one_batch(meter):
    _, before = meter.key()
    (settled,) = meter.charge(before)
    after = "f" * 64
    with meter.database.writing() as connection:
        one = schema.keys.c.key_id == settled.key_id
        connection.execute(sa.update(schema.keys).where(one).values(key_hash=after))
    assert meter.charge(before) == [KeyRefused("unknown")]
    assert isinstance(meter.charge(after)[0], Settled)
    batch = [Charge(key_hash, 1, "node", "r") for key_hash in (before, after, before, after)]
    outcomes = meter.store.settle(batch)
    assert outcomes[0] == outcomes[2] == KeyRefused("unknown")
    assert [outcome.balance for outcome in outcomes[1::2]] == [997, 996]
    assert outcomes[3].windows.minute.remaining == 26


def test_a_key_made_after_it_was_refused_is_found(meter):
    account = meter.accounts.create().account_id
    later = "e" * 64
    assert meter.charge(later) == [KeyRefused("unknown")]
    with meter.database.writing() as connection:
        row = {"account_id": account, "key_hash": later, "prefix": "p", "name": "k", "scopes": "node"}
        connection.execute(sa.insert(schema.keys).values(**row, created_at=0))
    assert isinstance(meter.charge(later)[0], Settled)


def test_terms_that_change_count_in_the_next_transaction_of_every_worker(meter):
    account, key = meter.key()
    other = store_opener(meter.url, clock=meter.clock)()
    assert settled_by(other, key).tier == "free"
    meter.credits.purchase(account, "pro", event_id="evt")
    for store in (meter.store, other):
        outcome = settled_by(store, key)
        assert (outcome.tier, outcome.windows.minute.limit) == ("pro", 120)
    assert (outcome.allotment, outcome.wallet) == (997, 5_000)
    meter.credits.grant(account, 7)
    assert settled_by(other, key).wallet == 5_007
    other.close()


def test_a_worker_that_slept_while_records_were_dropped_reads_the_tables_anew(meter):
    account, key = meter.key()
    sleeper = store_opener(meter.url, clock=meter.clock)()
    settled_by(sleeper, key)
    for _ in range(9):
        assert isinstance(meter.charge(key)[0], Settled)
        meter.clock.pass_(1)
    post_all(meter.url)
    outcome = settled_by(sleeper, key)
    assert (outcome.balance, outcome.windows.minute.remaining) == (989, 19)
    assert meter.accounts.get(account).allotment == 989
    sleeper.close()


def test_the_day_is_counted_from_marks_in_memory_in_records_and_in_the_table(meter, monkeypatch):
    """A key that uses up its day evenly gets each place back after exactly a day."""
    for module in (followed_module, following, rate_limits):
        monkeypatch.setattr(module, "MOST_OLDEST", 4)
    _, key = meter.key(wallet=5_000)
    step = DAY // 50
    start = meter.clock.instant
    for number in range(50):
        assert all(isinstance(one, Settled) for one in meter.charge(key, times=20)), number
        meter.clock.instant += step
        if number in (10, 30):
            post_all(meter.url)
    for number in range(50):
        meter.clock.instant = start + DAY + number * step - 1
        assert isinstance(meter.charge(key)[0], RateLimited), number
        meter.clock.instant += 1
        outcomes = meter.charge(key, times=21)
        assert [type(one) for one in outcomes] == [Settled] * 20 + [RateLimited], number
        if number == 25:
            post_all(meter.url)
    assert not meter.credits.check_ledger()


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps_taken=st.lists(steps, min_size=8, max_size=24))
def test_histories_are_the_same_where_little_is_kept(meter, steps_taken):
    with pytest.MonkeyPatch.context() as patch:
        for module in (followed_module, following, rate_limits):
            patch.setattr(module, "MOST_OLDEST", 2)
        patch.setattr(Followed.__init__, "__kwdefaults__", {"most": 1})
        history = History(meter)
        for kind, what in steps_taken:
            getattr(history, kind)(what)
        history.check()
        history.close()


def test_marks_of_a_minute_are_exact_to_the_microsecond(meter):
    _, key = meter.key()
    start = meter.clock.instant
    assert len([one for one in meter.charge(key, times=30) if isinstance(one, Settled)]) == 30
    post_all(meter.url)
    fresh = store_opener(meter.url, clock=meter.clock)()
    meter.clock.instant = start + MINUTE - 1
    assert isinstance(fresh.settle([Charge(key, 1, "node", "r")])[0], RateLimited)
    meter.clock.instant = start + MINUTE
    settled_by(fresh, key)
    fresh.close()
