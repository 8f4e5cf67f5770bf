"""Usage of an account: its charged calls and their cost, by day, endpoint and key."""

from bisect import bisect_left
from collections.abc import Sequence
from datetime import UTC, datetime

import sqlalchemy as sa

from serving.metering import schema
from serving.metering.clock import DAY, SECOND
from serving.metering.ledger import is_posted
from serving.metering.records import DayUsage

_STEPS_BACK = DAY
"""Largest step by which a clock may have been set back without an entry being missed."""


def usage_since(connection: sa.Connection, account_id: int, *, start: int) -> Sequence[DayUsage]:
    """Return the account's charged calls from `start` on, ordered by UTC day, endpoint and key.

    A refunded charge does not count, whatever the day of the refund.
    """
    charge, refund = schema.ledger.alias("charge"), schema.ledger.alias("refund")
    given_back = sa.exists().where(
        refund.c.account_id == charge.c.account_id,
        refund.c.refers_to == charge.c.entry_no,
        is_posted(connection, refund),
    )
    kept = (
        sa.select(
            (charge.c.at // sa.literal_column(str(DAY), sa.BigInteger)).label("day"),
            charge.c.endpoint,
            charge.c.key_id,
            (-charge.c.allotment - charge.c.wallet).label("credits"),
        )
        .where(
            charge.c.account_id == account_id,
            charge.c.entry_no >= first_entry(connection, account_id, start=start - _STEPS_BACK),
            charge.c.at >= start,
            charge.c.kind == "charge",
            is_posted(connection, charge),
            ~given_back,
        )
        .subquery()
    )
    shared = kept.c.day, kept.c.endpoint, kept.c.key_id
    by_day = (
        sa.select(*shared, sa.func.count(), sa.func.sum(kept.c.credits)).group_by(*shared).order_by(*shared)
    )
    return [
        DayUsage(datetime.fromtimestamp(day * DAY // SECOND, UTC).date(), endpoint, key_id, calls, int(spent))
        for day, endpoint, key_id, calls, spent in connection.execute(by_day)
    ]


def first_entry(connection: sa.Connection, account_id: int, *, start: int) -> int:
    """Return the number of the account's first entry at or after `start`.

    Entries are numbered without gaps as time goes, so some twenty look-ups by number find it, without an
    index by time, which each charge would have to keep, and without reading years.
    """
    mine = schema.ledger.c.account_id == account_id
    newest = newest_entry(connection, account_id)

    def at(entry_no: int) -> int:
        query = sa.select(schema.ledger.c.at).where(mine, schema.ledger.c.entry_no == entry_no)
        return int(connection.execute(query).scalar_one())

    return 1 + bisect_left(range(1, newest + 1), start, key=at)


def newest_entry(connection: sa.Connection, account_id: int) -> int:
    """Return the number of the account's newest entry; 0 where there is none."""
    newest = sa.select(sa.func.max(schema.ledger.c.entry_no)).where(
        schema.ledger.c.account_id == account_id, is_posted(connection, schema.ledger)
    )
    return int(connection.execute(newest).scalar_one() or 0)
