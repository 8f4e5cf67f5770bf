"""Browsers that have signed in to an account before: known by a random cookie, kept as a hash."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from serving.metering import schema
from serving.metering.clock import DAY
from serving.metering.keys import digest

LIFETIME = 180 * DAY
"""From the last time that the browser signed in."""
MAX_DEVICES = 20
"""Browsers of an account that are remembered; the oldest is forgotten for one more."""

_table = schema.devices


@dataclass(frozen=True, slots=True, repr=False)
class KnownDevice:
    """A browser of an account. `token` is for its cookie, and in no `repr`."""

    account_id: int
    token: str


def find_device(
    connection: sa.Connection, account: sa.ColumnElement[bool], tokens: Sequence[str], *, now: int
) -> KnownDevice | None:
    """Find a browser by the tokens of its cookie.

    Args:
        connection: of the transaction.
        account: selects the account, by id or by address.
        tokens: what the cookie holds, some perhaps of other accounts.
        now: the transaction's instant.
    """
    hashes = {digest(token): token for token in tokens}
    query = (
        sa.select(_table.c.device_hash, _table.c.account_id)
        .join(schema.accounts, schema.accounts.c.account_id == _table.c.account_id)
        .where(account, _table.c.device_hash.in_(list(hashes)), _table.c.expires_at > now)
        .limit(1)
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else KnownDevice(row.account_id, hashes[row.device_hash])


def remember_device(
    connection: sa.Connection, account_id: int, tokens: Sequence[str], *, now: int
) -> KnownDevice:
    """Remember a browser, by the token it has already or by a new one. The account is locked."""
    known = find_device(connection, schema.accounts.c.account_id == account_id, tokens, now=now)
    if known is not None:
        connection.execute(
            sa.update(_table)
            .where(_table.c.device_hash == digest(known.token))
            .values(expires_at=now + LIFETIME)
        )
        return known
    device = KnownDevice(account_id, secrets.token_urlsafe(32))
    connection.execute(
        sa.insert(_table).values(
            device_hash=digest(device.token), account_id=account_id, created_at=now, expires_at=now + LIFETIME
        )
    )
    newest = (
        sa.select(_table.c.device_hash)
        .where(_table.c.account_id == account_id)
        .order_by(_table.c.expires_at.desc(), _table.c.device_hash)
    )
    forgotten = list(connection.execute(newest).scalars())[MAX_DEVICES:]
    connection.execute(sa.delete(_table).where(_table.c.device_hash.in_(forgotten)))
    return device


def forget_devices(connection: sa.Connection, account_id: int) -> None:
    """Forget every browser of the account."""
    connection.execute(sa.delete(_table).where(_table.c.account_id == account_id))
