"""Audit of the ledger: proves that every balance is the sum of its entries, from the first to the last."""

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from serving.metering import schema
from serving.metering.ledger import imbalances, is_posted
from serving.metering.records import Imbalance

MAX_NAMED = 100
"""Wrong entries that are listed; after a wrong one most of the following are wrong too."""


@dataclass(frozen=True, slots=True)
class WrongEntry:
    """An entry whose `balance_after` is not the sum of the account's entries up to it."""

    account_id: int
    entry_no: int
    balance_after: int
    entries_so_far: int


@dataclass(frozen=True, slots=True)
class Audit:
    """The result of an audit: counts of what was checked, and the errors found, none in a sound store."""

    accounts: int
    entries: int
    imbalances: Sequence[Imbalance]
    wrong_entries: Sequence[WrongEntry]

    @property
    def is_clean(self) -> bool:
        """True if nothing was found wrong."""
        return not self.imbalances and not self.wrong_entries


def audit(connection: sa.Connection) -> Audit:
    """Check all accounts and all entries in one transaction."""
    return Audit(
        accounts=_count(connection, schema.accounts),
        entries=_count(connection, schema.ledger, is_posted(connection, schema.ledger)),
        imbalances=imbalances(connection),
        wrong_entries=_wrong_entries(connection),
    )


def _count(connection: sa.Connection, table: sa.Table, *which: sa.ColumnElement[bool]) -> int:
    return int(connection.execute(sa.select(sa.func.count()).select_from(table).where(*which)).scalar_one())


def _wrong_entries(connection: sa.Connection) -> Sequence[WrongEntry]:
    entries = schema.ledger.c
    so_far = sa.func.sum(entries.allotment + entries.wallet).over(
        partition_by=entries.account_id, order_by=entries.entry_no
    )
    summed = (
        sa.select(entries.account_id, entries.entry_no, entries.balance_after, so_far.label("so_far"))
        .where(is_posted(connection, schema.ledger))
        .subquery()
    )
    query = (
        sa.select(summed)
        .where(summed.c.balance_after != summed.c.so_far)
        .order_by(summed.c.account_id, summed.c.entry_no)
        .limit(MAX_NAMED)
    )
    return [WrongEntry(row[0], row[1], row[2], int(row[3])) for row in connection.execute(query)]
