"""A store knows keys by their numbers, and nothing else of them: what changes is seen in the next transaction."""

import sqlalchemy as sa

from serving.metering import schema
from serving.metering.known_keys import KnownKeys, Numbers
from serving.metering.records import Charge, KeyRefused, Settled


def test_what_is_too_much_is_forgotten_oldest_first():
    known = KnownKeys(most=2)
    known.learn([("a", 3, 1), ("b", 2, 1)])
    assert known.numbers(["a", "b"]) == [Numbers(2, 1), Numbers(3, 1)]
    known.learn([("c", 1, 1)])
    assert known.numbers(["a", "b", "c"]) == [Numbers(1, 1), Numbers(2, 1), Numbers(3, 1)]
    assert known.missing(["a", "b", "c"]) == ["a"]


def test_a_batch_of_more_keys_than_are_remembered_is_whole():
    known = KnownKeys(most=2)
    hashes = [f"{number}" for number in range(5)]
    known.learn([(one, int(one), 1) for one in hashes])
    assert [key.key_id for key in known.numbers(hashes)] == [0, 1, 2, 3, 4]
    assert known.missing(hashes) == ["0", "1", "2"]


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
