"""Purchases that were made before payments had reversals."""

from itertools import count

import psycopg
import pytest
import sqlalchemy as sa

from serving.accounts.credits import Credits
from serving.metering.database import Database
from serving.metering.migrations import migrate, upgrade

_numbers = count(1)


@pytest.fixture(params=["sqlite", "postgres"])
def empty_url(request, tmp_path):
    """URL of a database without tables."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'empty.db'}"
        return
    server = request.getfixturevalue("postgres")
    name = f"law_empty_{next(_numbers)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    yield server.replace("/postgres?", f"/{name}?")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_older_purchases_are_kept_with_what_was_taken_back(empty_url):
    database = Database(empty_url)
    with database.writing() as connection:
        upgrade(connection, to="0002")
        connection.exec_driver_sql(
            "INSERT INTO accounts (account_id, tier, allotment_limit, allotment, allotment_month, wallet, "
            "entry_no, created_at) VALUES (1, 'pro', 1000, 0, 0, 0, 0, 0)"
        )
        connection.exec_driver_sql(
            "INSERT INTO purchases (event_id, account_id, pack, credits, at, refunded_at, taken_back) VALUES "
            "('evt_a', 1, 'starter', 1000, 5, NULL, 0), ('evt_b', 1, 'pro', 5000, 6, 7, 4000), "
            "('evt_c', 1, 'bulk', 15000, 8, NULL, 0)"
        )
    migrate(empty_url)
    looked_for = [Credits(database).find_purchase(f"evt_{letter}") for letter in "abc"]
    found = [each for each in looked_for if each is not None]
    assert [
        (each.payment_id, each.event_id, each.pack, each.price_cents, each.credits, each.at) for each in found
    ] == [
        ("evt_a", "evt_a", "starter", 500, 1000, 5),
        ("evt_b", "evt_b", "pro", 2000, 5000, 6),
        ("evt_c", "evt_c", "bulk", 5000, 15000, 8),
    ]
    assert [(each.reversed, each.reversed_at, each.taken_back) for each in found] == [
        (0, None, 0),
        (5000, 7, 4000),
        (0, None, 0),
    ]
    with database.reading() as connection:
        assert "purchases_before" not in sa.inspect(connection).get_table_names()
    database.close()
