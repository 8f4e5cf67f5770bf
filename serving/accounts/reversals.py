"""Payments that are given back: what Stripe said of each refund and dispute, and what that comes to.

Reports come late, twice and out of order, and before the purchase that they reverse. So each is kept as it
stood at its moment, the newest of each in force, and what they ask back is computed from all of them.
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
    """Make transactions on the same payment or event follow each other; before an account is locked.

    On SQLite every transaction that writes follows the one before it. On PostgreSQL a row cannot be
    locked that does not exist yet, so the names themselves are.
    """
    if connection.dialect.name == "postgresql":
        for number in sorted({_number(name) for name in names}):
            connection.execute(_LOCK, {"name": number})


def note(connection: sa.Connection, reversal: Reversal) -> None:
    """Keep a report, unless what is kept of the same reversal is newer. Its payment is held."""
    mine = sa.and_(_table.c.payment_id == reversal.payment_id, _table.c.reversal_id == reversal.reversal_id)
    row = connection.execute(sa.select(_table).where(mine)).one_or_none()
    if row is None:
        connection.execute(sa.insert(_table).values(asdict(reversal)))
    elif _supersedes(reversal, Reversal(**row._mapping)):
        connection.execute(sa.update(_table).where(mine).values(asdict(reversal)))


def reversed_cents(connection: sa.Connection, payment_id: str) -> int:
    """Cents of a payment that its refunds and disputes took from us, as they stand."""
    rows = connection.execute(sa.select(_table).where(_table.c.payment_id == payment_id))
    return total_cents([Reversal(**row._mapping) for row in rows])


def total_cents(reversals: Iterable[Reversal]) -> int:
    """Sum up the reversals of one payment; it may exceed the price where a refund is disputed as well.

    A refund that failed counts off only what a charge had given back until then: what the charge is said
    to have given back later does not contain it any more.
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
    """Tell whether a report is newer. Stripe's clock has whole seconds: within one, the likely end counts."""
    if report.kind == "refunds":
        return (report.at, report.amount_cents) > (kept.at, kept.amount_cents)
    if report.kind == "dispute":
        return (report.at, -report.amount_cents) > (kept.at, -kept.amount_cents)
    return report.at < kept.at


def _number(name: str) -> int:
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "big", signed=True)
