"""Reversals of payments: the refunds and disputes that Stripe reported, and the amount that they sum up to.

Reports may come late, twice, out of order, or before the purchase that they reverse. So the newest report of
each reversal is kept, and the amount asked back is computed from all of them.
"""

from collections.abc import Collection, Iterable
from dataclasses import asdict
from hashlib import blake2b

import sqlalchemy as sa

from serving.metering import schema
from serving.metering.records import Reversal

_table = schema.reversals
_LOCK = sa.text("SELECT pg_advisory_xact_lock(:name)")


def hold(connection: sa.Connection, names: Collection[str]) -> None:
    """Serialise transactions on the same payment or event; call this before an account is locked.

    On SQLite, transactions that write are serial anyway. On PostgreSQL the names are locked, because a row
    that does not exist yet cannot be.
    """
    if connection.dialect.name == "postgresql":
        for number in sorted({_number(name) for name in names}):
            connection.execute(_LOCK, {"name": number})


def note(connection: sa.Connection, reversal: Reversal) -> None:
    """Store a report, unless a newer one of the same reversal is stored. Its payment must be held."""
    mine = sa.and_(_table.c.payment_id == reversal.payment_id, _table.c.reversal_id == reversal.reversal_id)
    row = connection.execute(sa.select(_table).where(mine)).one_or_none()
    if row is None:
        connection.execute(sa.insert(_table).values(asdict(reversal)))
    elif _supersedes(reversal, Reversal(**row._mapping)):
        connection.execute(sa.update(_table).where(mine).values(asdict(reversal)))


def reversed_cents(connection: sa.Connection, payment_id: str) -> int:
    """Return the cents of a payment that its refunds and disputes took from us, as last reported."""
    rows = connection.execute(sa.select(_table).where(_table.c.payment_id == payment_id))
    return total_cents([Reversal(**row._mapping) for row in rows])


def total_cents(reversals: Iterable[Reversal]) -> int:
    """Return the sum of one payment's reversals; it may exceed the price if a refund is disputed as well.

    A failed refund reduces only the sum that its charge had given back by then: later reports of the charge
    no longer include it.
    """
    reversals = list(reversals)
    failed = [each for each in reversals if each.kind == "failed_refund"]
    total = 0
    for each in reversals:
        if each.kind == "refunds":
            returned = sum(one.amount_cents for one in failed if one.at >= each.at)
            total += max(0, each.amount_cents - returned)
        elif each.kind == "dispute":
            total += each.amount_cents
    return total


def _supersedes(report: Reversal, kept: Reversal) -> bool:
    """Return whether a report replaces the stored one.

    Stripe's clock has whole seconds: within one, the state that a reversal is likely to end in wins.
    """
    if report.kind == "refunds":
        return (report.at, report.amount_cents) > (kept.at, kept.amount_cents)
    if report.kind == "dispute":
        return (report.at, -report.amount_cents) > (kept.at, -kept.amount_cents)
    return report.at < kept.at


def _number(name: str) -> int:
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "big", signed=True)
