"""Links that are mailed to the address of an account: one live link of a kind, good for an hour and once."""

import secrets
from dataclasses import dataclass

import sqlalchemy as sa

from serving.contract.errors import SignInRefusedError
from serving.metering.clock import HOUR
from serving.metering.keys import digest

LIFETIME = HOUR


@dataclass(frozen=True, slots=True)
class MailedLink:
    """Proves that whoever shows it reads the mail of `email`, the address as stored. It stays out of `repr`.

    Mail it to `email` and not to what was typed: two addresses can be one when folded.
    """

    email: str
    expires_at: int
    _token: tuple[str]

    @property
    def token(self) -> str:
        """What the link carries."""
        return self._token[0]

    def __repr__(self) -> str:
        return f"MailedLink(expires_at={self.expires_at})"


def make_link(
    connection: sa.Connection, table: sa.Table, account_id: int, *, email: str, now: int
) -> MailedLink:
    """Make a link of the kind that the table keeps; it replaces the one before. The account is locked."""
    token = secrets.token_urlsafe(32)
    drop_link(connection, table, account_id)
    connection.execute(
        sa.insert(table).values(account_id=account_id, token_hash=digest(token), expires_at=now + LIFETIME)
    )
    return MailedLink(email, now + LIFETIME, (token,))


def account_of_link(connection: sa.Connection, table: sa.Table, token: str, *, now: int) -> int:
    """Return the account whose link this is.

    Raises:
        SignInRefusedError: the link is unknown, used, replaced or too old.
    """
    query = sa.select(table.c.account_id).where(table.c.token_hash == digest(token), table.c.expires_at > now)
    account_id = connection.execute(query).scalar_one_or_none()
    if account_id is None:
        raise SignInRefusedError("This link is not good any more; ask for a new one.")
    return int(account_id)


def drop_link(connection: sa.Connection, table: sa.Table, account_id: int) -> None:
    """End the account's link of that kind, if there is one."""
    connection.execute(sa.delete(table).where(table.c.account_id == account_id))
