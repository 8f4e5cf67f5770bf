"""Sessions of the settings page, one for each browser that is signed in. Each call is one transaction."""

import secrets
from dataclasses import dataclass

import sqlalchemy as sa

from serving.accounts.devices import forget_devices
from serving.accounts.expiry import sweep
from serving.metering import schema
from serving.metering.clock import DAY
from serving.metering.database import Database
from serving.metering.keys import digest

LIFETIME = 14 * DAY


@dataclass(frozen=True, slots=True)
class StartedSession:
    """A new session. `token` is for the cookie and stored as a hash only; it stays out of `repr`."""

    expires_at: int
    _token: tuple[str]

    @property
    def token(self) -> str:
        """The secret in the browser's cookie that identifies its session."""
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
        with self._database.writing() as connection:
            now = self._database.now(connection)
            started = start_session(connection, account_id, now=now)
            sweep(connection, schema.sessions, now=now)
        return started

    def find(self, token: str) -> Session | None:
        """Return the open session with that token; None if it is unknown, ended or expired."""
        with self._database.reading(behind=True) as connection:
            return find_session(connection, token, now=self._database.now(connection))

    def end(self, token: str) -> None:
        """End the session with that token, if there is one."""
        with self._database.writing() as connection:
            end_session(connection, token)

    def end_all(self, account_id: int) -> None:
        """End every session of the account, and forget its browsers."""
        with self._database.writing() as connection:
            end_sessions(connection, account_id)


def start_session(connection: sa.Connection, account_id: int, *, now: int) -> StartedSession:
    """Open a session, inside a transaction."""
    token = secrets.token_urlsafe(32)
    connection.execute(
        sa.insert(schema.sessions).values(
            session_hash=digest(token), account_id=account_id, created_at=now, expires_at=now + LIFETIME
        )
    )
    return StartedSession(now + LIFETIME, (token,))


def find_session(connection: sa.Connection, token: str, *, now: int) -> Session | None:
    """Return the open session with that token, inside a transaction; None if there is none."""
    query = sa.select(
        schema.sessions.c.account_id, schema.sessions.c.created_at, schema.sessions.c.expires_at
    ).where(schema.sessions.c.session_hash == digest(token))
    row = connection.execute(query).one_or_none()
    return None if row is None or row.expires_at <= now else Session(*row)


def end_session(connection: sa.Connection, token: str) -> None:
    """End the session with that token, if there is one, inside a transaction."""
    connection.execute(sa.delete(schema.sessions).where(schema.sessions.c.session_hash == digest(token)))


def end_sessions(connection: sa.Connection, account_id: int) -> None:
    """End every session of the account and forget its browsers, inside a transaction."""
    connection.execute(sa.delete(schema.sessions).where(schema.sessions.c.account_id == account_id))
    forget_devices(connection, account_id)
