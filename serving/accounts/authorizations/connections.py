"""Connections of agents to accounts: a key whose text is an access token, renewed by a refresh token.

The access token is the text of a row of `keys`, so that the gate meters it as any key. A refresh replaces the
text and keeps the row: limits, scopes and ledger are those of the connection however often it is renewed.

All refresh tokens of a connection begin alike, with its family. One that is not the newest was used before,
by its client or by a thief, and ends the connection.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from serving.accounts.accounts import key_of, require_room
from serving.accounts.authorizations.codes import Consent
from serving.accounts.authorizations.registered_clients import Client, keep_client
from serving.metering import schema
from serving.metering.clock import DAY, HOUR
from serving.metering.keys import ACCESS, REFRESH, MintedKey, digest, is_whole, mint, random_text
from serving.metering.records import Key

ACCESS_LIFETIME = HOUR
REFRESH_LIFETIME = 30 * DAY
"""Time after which a connection that is not renewed ends."""
_FAMILY_LENGTH = 22

_table = schema.connections


@dataclass(frozen=True, slots=True)
class Tokens:
    """The two tokens of a connection, with the scopes of the access token."""

    access: MintedKey
    refresh: MintedKey
    scopes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Connection:
    """An agent that is connected to an account.

    Attributes:
        key: the key whose text is the access token.
        scopes: scopes that the account holder allowed; those of the key may be fewer.
        expires_at: instant at which the connection ends unless it is renewed.
    """

    key: Key
    client_id: str
    redirect_uri: str
    resource: str
    scopes: tuple[str, ...]
    expires_at: int

    def is_live(self, now: int) -> bool:
        """Return whether the agent can call, or get a token with which it can."""
        return self.key.revoked_at is None and self.expires_at > now


def connect(connection: sa.Connection, client: Client, consent: Consent, *, now: int) -> tuple[int, Tokens]:
    """Connect an agent, in place of an earlier connection of its client. The account must be locked.

    Returns:
        The id of the connection's key, and the tokens.

    Raises:
        ValidationError: the account has as many live keys as it may.
    """
    keys = schema.keys
    earlier = sa.select(_table.c.key_id).where(_table.c.client_id == client.client_id)
    connection.execute(
        sa.update(keys)
        .where(
            keys.c.account_id == consent.account_id, keys.c.key_id.in_(earlier), keys.c.revoked_at.is_(None)
        )
        .values(revoked_at=now)
    )
    require_room(connection, consent.account_id, now=now)
    family = random_text(_FAMILY_LENGTH)
    tokens = Tokens(mint(ACCESS), mint(REFRESH, family=family), consent.scopes)
    key_id = connection.execute(
        sa.insert(keys)
        .values(
            account_id=consent.account_id,
            key_hash=tokens.access.digest,
            prefix=tokens.access.prefix,
            name=client.name,
            scopes=",".join(consent.scopes),
            created_at=now,
            expires_at=now + ACCESS_LIFETIME,
        )
        .returning(keys.c.key_id)
    ).scalar_one()
    connection.execute(
        sa.insert(_table).values(
            key_id=key_id,
            client_id=client.client_id,
            redirect_uri=consent.redirect_uri,
            resource=consent.resource,
            scopes=",".join(consent.scopes),
            family_hash=digest(family),
            refresh_hash=tokens.refresh.digest,
            expires_at=now + REFRESH_LIFETIME,
        )
    )
    keep_client(connection, client.client_id, now=now, until=now + REFRESH_LIFETIME)
    return key_id, tokens


def renew(
    connection: sa.Connection, renewed: Connection, refresh: str, scopes: tuple[str, ...], *, now: int
) -> Tokens:
    """Replace both tokens of a connection. The account must be locked.

    Args:
        connection: connection of the transaction.
        renewed: the connection to renew.
        refresh: the refresh token that was presented.
        scopes: scopes of the new access token.
        now: the transaction's instant.
    """
    tokens = Tokens(mint(ACCESS), mint(REFRESH, family=_family_of(refresh)), scopes)
    connection.execute(
        sa.update(schema.keys)
        .where(schema.keys.c.key_id == renewed.key.key_id)
        .values(
            key_hash=tokens.access.digest,
            prefix=tokens.access.prefix,
            scopes=",".join(scopes),
            expires_at=now + ACCESS_LIFETIME,
        )
    )
    connection.execute(
        sa.update(_table)
        .where(_table.c.key_id == renewed.key.key_id)
        .values(refresh_hash=tokens.refresh.digest, expires_at=now + REFRESH_LIFETIME)
    )
    keep_client(connection, renewed.client_id, now=now, until=now + REFRESH_LIFETIME)
    return tokens


def find_by_refresh_token(connection: sa.Connection, text: str) -> tuple[Connection, bool] | None:
    """Return the connection to which a refresh token belongs, and whether the token is its newest."""
    if not text.startswith(REFRESH) or not is_whole(text):
        return None
    found = _find(connection, _table.c.family_hash == digest(_family_of(text)))
    if found is None:
        return None
    newest = sa.select(_table.c.refresh_hash).where(_table.c.key_id == found.key.key_id)
    return found, connection.execute(newest).scalar_one() == digest(text)


def find_by_access_token(connection: sa.Connection, text: str) -> Connection | None:
    """Return the connection with that access token; None if there is none."""
    return _find(connection, schema.keys.c.key_hash == digest(text))


def end_connection(connection: sa.Connection, key_id: int, *, now: int) -> None:
    """End a connection: neither of its tokens is accepted any more. The account must be locked."""
    keys = schema.keys
    connection.execute(
        sa.update(keys).where(keys.c.key_id == key_id, keys.c.revoked_at.is_(None)).values(revoked_at=now)
    )


def connections_of(connection: sa.Connection, account_id: int) -> Sequence[Connection]:
    """Return the connections of an account, ended ones too, newest first."""
    query = _joined().where(schema.keys.c.account_id == account_id).order_by(_table.c.key_id.desc())
    return [_connection_of(row) for row in connection.execute(query)]


def _find(connection: sa.Connection, which: sa.ColumnElement[bool]) -> Connection | None:
    row = connection.execute(_joined().where(which)).one_or_none()
    return None if row is None else _connection_of(row)


def _joined() -> sa.Select[Any]:
    return sa.select(
        schema.keys,
        _table.c.client_id,
        _table.c.redirect_uri,
        _table.c.resource,
        _table.c.scopes.label("allowed"),
        _table.c.expires_at.label("ends_at"),
    ).join(_table, _table.c.key_id == schema.keys.c.key_id)


def _connection_of(row: sa.Row[Any]) -> Connection:
    return Connection(
        key=key_of(row),
        client_id=row.client_id,
        redirect_uri=row.redirect_uri,
        resource=row.resource,
        scopes=tuple(row.allowed.split(",")),
        expires_at=row.ends_at,
    )


def _family_of(text: str) -> str:
    return text.removeprefix(REFRESH)[:_FAMILY_LENGTH]
