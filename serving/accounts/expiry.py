"""Removes rows that have expired, a few at a time, at the end of transactions that add one."""

import sqlalchemy as sa

_AT_ONCE = 100


def sweep(connection: sa.Connection, table: sa.Table, *, now: int) -> None:
    """Remove some rows whose `expires_at` has come: more than one adds, so that they never pile up.

    Call it last: it locks rows of any account, and with those in hand a transaction must wait for nothing.
    """
    (key,) = table.primary_key.columns
    expired = (
        sa.select(key)
        .where(table.c.expires_at <= now)
        .order_by(table.c.expires_at)
        .limit(_AT_ONCE)
        .with_for_update(skip_locked=True)
    )
    connection.execute(sa.delete(table).where(key.in_(expired)))
