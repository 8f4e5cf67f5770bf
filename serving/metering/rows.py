"""Rows that both engines select and insert, converted to and from the state that a batch works on."""

from collections.abc import Sequence
from typing import Any

from serving.metering.balances import Balance
from serving.metering.rate_limits import Use
from serving.metering.records import Entry, Receipt
from serving.metering.settlement import Batch


def balance_of(row: Sequence[Any], balances: dict[int, Balance]) -> Balance:
    """Return the account at the beginning of a row (the fields of `Balance`): one object for all its rows."""
    balance = balances.get(row[0])
    if balance is None:
        balance = balances[row[0]] = Balance(*row[:7])
    return balance


def use_of(balance: Balance, row: Sequence[Any]) -> Use:
    """Return the key in a row.

    The columns are: id, instant, expiry, revocation, requests passed, used and oldest of the minute window,
    used and oldest of the day window, oldest of all.
    """
    key_id, at, expires_at, revoked_at, passed, *windows, oldest = row
    minute_used, minute_oldest, day_used, day_oldest = windows
    return Use(
        key_id=key_id,
        balance=balance,
        at=at,
        expires_at=expires_at,
        revoked_at=revoked_at,
        passed=passed,
        minute_used=minute_used or 0,
        minute_oldest=at if minute_oldest is None else minute_oldest,
        day_used=day_used or 0,
        day_oldest=at if day_oldest is None else day_oldest,
        oldest=at if oldest is None else oldest,
    )


def add_charges(batch: Batch, rows: Sequence[Sequence[Any]], balances: dict[int, Balance]) -> None:
    """Add the charges to be refunded: an account, its entry, and whether it was refunded before."""
    charges: dict[Receipt, Entry] = {}
    for row in rows:
        balance_of(row, balances)
        entry = Entry(*row[7:18])
        receipt = Receipt(entry.account_id, entry.entry_no)
        charges[receipt] = entry
        if row[18]:
            batch.refunded.add(receipt)
    batch.charges = charges
