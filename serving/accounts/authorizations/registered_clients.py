"""Clients that registered themselves, bounded in number: those that nobody connects are forgotten first."""

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from serving.accounts.expiry import sweep
from serving.metering import schema
from serving.metering.clock import DAY

UNCONNECTED_LIFETIME = 7 * DAY
"""Time for which a client that nobody connects is remembered."""
MAX_UNCONNECTED = 10_000
"""Clients that nobody has connected yet; one more takes the place of the oldest."""

_table = schema.oauth_clients


@dataclass(frozen=True, slots=True)
class Client:
    """A client. It chose its name and redirect URIs itself, and has no secret: PKCE proves who it is."""

    client_id: str
    name: str
    redirect_uris: tuple[str, ...]
    created_at: int


def register_client(
    connection: sa.Connection, *, name: str, redirect_uris: Sequence[str], now: int
) -> Client:
    """Store a new client, inside a transaction."""
    client = Client(secrets.token_urlsafe(16), name, tuple(redirect_uris), now)
    unconnected = (
        sa.select(_table.c.client_id)
        .where(_table.c.connected_at.is_(None))
        .order_by(_table.c.expires_at.desc(), _table.c.client_id)
        .offset(MAX_UNCONNECTED - 1)
    )
    surplus = list(connection.execute(unconnected).scalars())
    connection.execute(sa.delete(_table).where(_table.c.client_id.in_(surplus)))
    connection.execute(
        sa.insert(_table).values(
            client_id=client.client_id,
            name=name,
            redirect_uris=json.dumps(client.redirect_uris),
            created_at=now,
            expires_at=now + UNCONNECTED_LIFETIME,
        )
    )
    sweep(connection, _table, now=now)
    return client


def find_client(connection: sa.Connection, client_id: str, *, now: int) -> Client | None:
    """Return the client with that id, inside a transaction; None if there is none."""
    query = sa.select(_table).where(_table.c.client_id == client_id, _table.c.expires_at > now)
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    return Client(row.client_id, row.name, tuple(json.loads(row.redirect_uris)), row.created_at)


def keep_client(connection: sa.Connection, client_id: str, *, now: int, until: int) -> None:
    """Remember a connected client until its tokens have expired, and then as long as one never connected."""
    connection.execute(
        sa.update(_table)
        .where(_table.c.client_id == client_id)
        .values(
            connected_at=sa.func.coalesce(_table.c.connected_at, now),
            expires_at=until + UNCONNECTED_LIFETIME,
        )
    )
