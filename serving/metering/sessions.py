"""Sessions of the settings page: who is signed in. Each call is one transaction."""

import secrets
from dataclasses import dataclass

import sqlalchemy as sa

from serving.metering import schema
from serving.metering.clock import DAY
from serving.metering.database import Database
from serving.metering.expiry import sweep
from serving.metering.keys import digest

LIFETIME = 14 * DAY


@dataclass(frozen=True, slots=True)
class StartedSession:
    """A new session. `token` is for the cookie and stored as a hash only; it stays out of `repr`."""

    expires_at: int
    _token: tuple[str]

    @property
    def token(self) -> str:
        """What the browser shows to be recognised."""
        return self._token[0]

    def __repr__(self) -> str:
        return f"StartedSession(expires_at={self.expires_at})"


@dataclass(frozen=True, slots=True)
class Session:
    """A session that is open."""

    account_id: int
    created_at: int
    expires_at: int


class Sessions:
    """Starts, finds and ends sessions."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def start(self, account_id: int) -> StartedSession:
        """Open a session of 14 days for an account that has just proved who it is."""
        token = secrets.token_urlsafe(32)
        with self._database.writing() as connection:
            now = self._database.now(connection)
            connection.execute(
                sa.insert(schema.sessions).values(
                    session_hash=digest(token),
                    account_id=account_id,
                    created_at=now,
                    expires_at=now + LIFETIME,
                )
            )
            sweep(connection, schema.sessions, now=now)
        return StartedSession(now + LIFETIME, (token,))

    def find(self, token: str) -> Session | None:
        """Give the open session of that token; None for one that is unknown, ended or expired."""
        query = sa.select(
            schema.sessions.c.account_id, schema.sessions.c.created_at, schema.sessions.c.expires_at
        ).where(schema.sessions.c.session_hash == digest(token))
        with self._database.reading() as connection:
            row = connection.execute(query).one_or_none()
            if row is None or row.expires_at <= self._database.now(connection):
                return None
            return Session(*row)

    def end(self, token: str) -> None:
        """End the session of that token, if there is one."""
        with self._database.writing() as connection:
            connection.execute(
                sa.delete(schema.sessions).where(schema.sessions.c.session_hash == digest(token))
            )

    def end_all(self, account_id: int) -> None:
        """End every session of the account."""
        with self._database.writing() as connection:
            end_sessions(connection, account_id)


def end_sessions(connection: sa.Connection, account_id: int) -> None:
    """End every session of the account, inside a transaction."""
    connection.execute(sa.delete(schema.sessions).where(schema.sessions.c.account_id == account_id))
