"""What an account's calls came to, by day and endpoint."""

from bisect import bisect_left
from collections.abc import Sequence
from datetime import UTC, datetime

import sqlalchemy as sa

from serving.metering import schema
from serving.metering.clock import DAY, SECOND
from serving.metering.records import DayUsage

_STEPS_BACK = DAY
"""How far back a clock may have been set and every entry is still found."""


def usage_since(connection: sa.Connection, account_id: int, *, start: int) -> Sequence[DayUsage]:
    """Give the account's charges from `start` on, by UTC day and endpoint in this order.

    A charge that was given back is no call and no credit, on whatever day it was given back.
    """
    charge, refund = schema.ledger.alias("charge"), schema.ledger.alias("refund")
    given_back = sa.exists().where(
        refund.c.account_id == charge.c.account_id, refund.c.refers_to == charge.c.entry_no
    )
    kept = (
        sa.select(
            (charge.c.at // sa.literal_column(str(DAY), sa.BigInteger)).label("day"),
            charge.c.endpoint,
            (-charge.c.allotment - charge.c.wallet).label("credits"),
        )
        .where(
            charge.c.account_id == account_id,
            charge.c.entry_no >= _first_entry(connection, account_id, start=start - _STEPS_BACK),
            charge.c.at >= start,
            charge.c.kind == "charge",
            ~given_back,
        )
        .subquery()
    )
    by_day = (
        sa.select(kept.c.day, kept.c.endpoint, sa.func.count(), sa.func.sum(kept.c.credits))
        .group_by(kept.c.day, kept.c.endpoint)
        .order_by(kept.c.day, kept.c.endpoint)
    )
    return [
        DayUsage(datetime.fromtimestamp(day * DAY // SECOND, UTC).date(), endpoint, calls, int(spent))
        for day, endpoint, calls, spent in connection.execute(by_day)
    ]


def _first_entry(connection: sa.Connection, account_id: int, *, start: int) -> int:
    """Number of the account's first entry at or after `start`.

    Entries are numbered without gaps as time goes, so some twenty look-ups by number find it, without an
    index by time, which each charge would have to keep, and without reading years.
    """
    mine = schema.ledger.c.account_id == account_id
    newest = connection.execute(sa.select(sa.func.max(schema.ledger.c.entry_no)).where(mine)).scalar_one()

    def at(entry_no: int) -> int:
        query = sa.select(schema.ledger.c.at).where(mine, schema.ledger.c.entry_no == entry_no)
        return int(connection.execute(query).scalar_one())

    return 1 + bisect_left(range(1, (newest or 0) + 1), start, key=at)
