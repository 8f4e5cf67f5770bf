"""The ledger off the hot path: an account's balance is loaded, changed and saved in one transaction."""

from collections.abc import Sequence

import sqlalchemy as sa

from serving.contract.errors import NotFoundError
from serving.metering import schema
from serving.metering.balances import Balance
from serving.metering.records import Entry, Imbalance
from serving.metering.tables import bring_up_to_date, is_behind

_BALANCE = (
    schema.accounts.c.account_id,
    schema.accounts.c.tier,
    schema.accounts.c.allotment_limit,
    schema.accounts.c.allotment,
    schema.accounts.c.allotment_month,
    schema.accounts.c.wallet,
    schema.accounts.c.entry_no,
)


def load_balance(connection: sa.Connection, account_id: int) -> Balance:
    """Post what waits, lock the account to the end of the transaction and return its balance.

    Raises:
        NotFoundError: there is no such account.
    """
    bring_up_to_date(connection)
    query = sa.select(*_BALANCE).where(schema.accounts.c.account_id == account_id).with_for_update()
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFoundError(f"There is no account {account_id}.", kind="account")
    return Balance(*row)


def save_balance(connection: sa.Connection, balance: Balance) -> None:
    """Write the account and append its new entries."""
    connection.execute(
        sa.update(schema.accounts)
        .where(schema.accounts.c.account_id == balance.account_id)
        .values(
            tier=balance.tier,
            allotment_limit=balance.allotment_limit,
            allotment=balance.allotment,
            allotment_month=balance.month,
            wallet=balance.wallet,
            entry_no=balance.entry_no,
        )
    )
    enter(connection, balance.entries)


def enter(connection: sa.Connection, entries: Sequence[Entry]) -> None:
    """Append entries to the ledger."""
    if entries:
        connection.execute(sa.insert(schema.ledger), [entry._asdict() for entry in entries])


def is_posted(connection: sa.Connection, ledger: sa.FromClause) -> sa.ColumnElement[bool]:
    """Return the condition that the balance of an entry's account is of that entry or a later one.

    While batches are posted, entries come before the balance that they make. Where nothing waits, every entry
    counts, also one that belongs to no balance.
    """
    if not is_behind(connection):
        return sa.true()
    owner = schema.accounts.alias()
    newest = sa.select(owner.c.entry_no).where(owner.c.account_id == ledger.c.account_id).scalar_subquery()
    return ledger.c.entry_no <= newest


def newest_entries(
    connection: sa.Connection, account_id: int, *, limit: int, before: int | None = None
) -> Sequence[Entry]:
    """Return the account's newest entries, or those numbered below `before`, newest first."""
    older = sa.true() if before is None else schema.ledger.c.entry_no < before
    query = (
        sa.select(schema.ledger)
        .where(schema.ledger.c.account_id == account_id, older, is_posted(connection, schema.ledger))
        .order_by(schema.ledger.c.entry_no.desc())
        .limit(limit)
    )
    return [Entry(**row._mapping) for row in connection.execute(query)]


def imbalances(connection: sa.Connection) -> Sequence[Imbalance]:
    """Return every account with a part that is not the sum of its entries; none in a sound store."""
    sums = (
        sa.select(
            schema.ledger.c.account_id,
            sa.func.sum(schema.ledger.c.allotment).label("allotment"),
            sa.func.sum(schema.ledger.c.wallet).label("wallet"),
        )
        .where(is_posted(connection, schema.ledger))
        .group_by(schema.ledger.c.account_id)
        .subquery()
    )
    allotment = sa.func.coalesce(sums.c.allotment, 0)
    wallet = sa.func.coalesce(sums.c.wallet, 0)
    query = (
        sa.select(
            schema.accounts.c.account_id,
            schema.accounts.c.allotment,
            allotment,
            schema.accounts.c.wallet,
            wallet,
        )
        .outerjoin(sums, sums.c.account_id == schema.accounts.c.account_id)
        .where(sa.or_(schema.accounts.c.allotment != allotment, schema.accounts.c.wallet != wallet))
        .order_by(schema.accounts.c.account_id)
    )
    return [
        Imbalance(row[0], int(row[1]), int(row[2]), int(row[3]), int(row[4]))
        for row in connection.execute(query)
    ]
