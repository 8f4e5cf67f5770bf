"""Customers as they come to the settings page: sign-up, sign-in, passwords, and what they used.

An e-mail address is taken trimmed and case-folded everywhere. Every call blocks: it waits for the store, and
may hash a password.
"""

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import sqlalchemy as sa

from serving.contract.errors import NotFoundError, SignInRefusedError, ValidationError
from serving.metering import schema
from serving.metering.accounts import Accounts
from serving.metering.addresses import network_of, normal_email
from serving.metering.clock import DAY, HOUR
from serving.metering.database import Database
from serving.metering.expiry import sweep
from serving.metering.keys import digest
from serving.metering.ledger import newest_entries
from serving.metering.passwords import hash_password, needs_rehash, require_acceptable, verify
from serving.metering.records import Account, DayUsage, Entry
from serving.metering.sessions import end_sessions
from serving.metering.throttle import (
    RESETS_FROM_NETWORK,
    RESETS_OF_ACCOUNT,
    SIGN_INS_FROM_NETWORK,
    SIGN_INS_OF_ACCOUNT,
    SIGN_UP_TRIES_FROM_NETWORK,
    SIGN_UPS_FROM_NETWORK,
    Bucket,
    Throttle,
)
from serving.metering.usage import usage_since

RESET_LIFETIME = HOUR
_REFUSED = "The e-mail address or the password is wrong."


@dataclass(frozen=True, slots=True)
class ResetToken:
    """Lets whoever reads the mail of `email`, the address as stored, set a password. It stays out of `repr`.

    Mail it to `email` and not to what was typed: two addresses can be one when folded.
    """

    email: str
    expires_at: int
    _token: tuple[str]

    @property
    def token(self) -> str:
        """What the mailed link carries."""
        return self._token[0]

    def __repr__(self) -> str:
        return f"ResetToken(expires_at={self.expires_at})"


class Customers:
    """Knows customers by address and password."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._accounts = Accounts(database)
        self._throttle = Throttle(database)

    def sign_up(self, email: str, password: str, *, address: str) -> Account:
        """Open an account for someone at that network address.

        Raises:
            ValidationError: with `parameter` `email` or `password`: it is not acceptable, or the address has
                an account.
            TooManyAttemptsError: too many accounts were opened from there.
        """
        email = normal_email(email)
        require_acceptable(password, email=email)
        network = network_of(address)
        buckets = (SIGN_UPS_FROM_NETWORK.of(network), SIGN_UP_TRIES_FROM_NETWORK.of(network))
        with self._admitted(*buckets) as (_, attempts):
            pass
        try:
            return self._accounts.create(email=email, password_hash=hash_password(password))
        except ValidationError:
            with self._database.writing() as connection:
                self._throttle.give_back(connection, attempts[:1])
            raise

    def sign_in(self, email: str, password: str, *, address: str) -> Account:
        """Give the account that address and password open. Only failures count against the limits.

        Raises:
            ValidationError: this is no e-mail address.
            SignInRefusedError: the password is wrong, or there is no such account: no one can tell which.
            TooManyAttemptsError: too many failures; the password was not looked at.
        """
        email = normal_email(email)
        buckets = (SIGN_INS_OF_ACCOUNT.of(email), SIGN_INS_FROM_NETWORK.of(network_of(address)))
        return self._accounts.get(self._prove(schema.accounts.c.email == email, password, buckets, _REFUSED))

    def change_password(self, account_id: int, old: str, new: str) -> Account:
        """Set another password and end every session of the account, this one too: start a new one after it.

        Raises:
            SignInRefusedError: `old` is wrong. It counts as a failure to sign in.
            TooManyAttemptsError: too many failures; `old` was not looked at.
            ValidationError: with `parameter="password"`: `new` is not acceptable.
            NotFoundError: there is no such account.
        """
        account = self._accounts.get(account_id)
        require_acceptable(new, email=account.email)
        buckets = (_failures_of(account_id, account.email),)
        self._prove(
            schema.accounts.c.account_id == account_id, old, buckets, "The current password is wrong."
        )
        hashed = hash_password(new)
        with self._database.writing() as connection:
            self._replace_password(connection, account_id, hashed)
        return self._accounts.get(account_id)

    def set_password(self, email: str, new: str) -> Account:
        """Set the password of the account with that address, as its operator, and end its sessions.

        Raises:
            NotFoundError: no account has that address.
            ValidationError: the address or the password is not acceptable.
        """
        email = normal_email(email)
        require_acceptable(new, email=email)
        hashed = hash_password(new)
        with self._database.writing() as connection:
            account_id = _lock(connection, schema.accounts.c.email == email)
            if account_id is None:
                raise NotFoundError(f"There is no account {email}.", kind="account")
            self._replace_password(connection, account_id, hashed)
        return self._accounts.get(account_id)

    def begin_reset(self, email: str, *, address: str) -> ResetToken | None:
        """Make the account's one live token, good for an hour and once; None if no account has that address.

        Answer both alike, and before mailing: the time that a mail takes would tell.

        Raises:
            ValidationError: this is no e-mail address.
            TooManyAttemptsError: too many resets were asked for, of that address or from there.
        """
        email = normal_email(email)
        token = secrets.token_urlsafe(32)
        buckets = (RESETS_OF_ACCOUNT.of(email), RESETS_FROM_NETWORK.of(network_of(address)))
        with self._admitted(*buckets) as (connection, _):
            account_id = _lock(connection, schema.accounts.c.email == email)
            if account_id is None:
                return None
            expires_at = self._database.now(connection) + RESET_LIFETIME
            _drop_reset(connection, account_id)
            connection.execute(
                sa.insert(schema.password_resets).values(
                    account_id=account_id, token_hash=digest(token), expires_at=expires_at
                )
            )
            return ResetToken(email, expires_at, (token,))

    def finish_reset(self, token: str, new_password: str) -> Account:
        """Set the password by a mailed token, use the token up, and end every session of the account.

        Raises:
            SignInRefusedError: the token is unknown, used, replaced or too old.
            ValidationError: with `parameter="password"`: it is not acceptable; the token stays good.
        """
        with self._database.reading() as connection:
            account_id = self._opened_by(connection, token)
        require_acceptable(new_password, email=self._accounts.get(account_id).email)
        hashed = hash_password(new_password)
        with self._database.writing() as connection:
            _lock(connection, schema.accounts.c.account_id == account_id)
            self._opened_by(connection, token)
            self._replace_password(connection, account_id, hashed)
        return self._accounts.get(account_id)

    def usage(self, account_id: int, days: int = 30) -> Sequence[DayUsage]:
        """Give what the account's calls came to on the last days, today's UTC day included, oldest first.

        A charge that was given back counts for nothing.
        """
        with self._database.reading() as connection:
            today = self._database.now(connection) // DAY * DAY
            return usage_since(connection, account_id, start=today - (days - 1) * DAY)

    def ledger_page(self, account_id: int, *, before: int | None, limit: int) -> Sequence[Entry]:
        """Give the account's newest entries, or those numbered below `before`, newest first."""
        with self._database.reading() as connection:
            return newest_entries(connection, account_id, limit=limit, before=before)

    @contextmanager
    def _admitted(self, *buckets: Bucket) -> Iterator[tuple[sa.Connection, Sequence[str]]]:
        """A transaction in which an attempt was counted, and the attempt's ids."""
        # A flood must not queue for turns to write, for which every charge waits.
        with self._database.reading() as connection:
            self._throttle.require_room(connection, buckets)
        with self._database.writing() as connection:
            yield connection, self._throttle.take(connection, buckets)
            for table in (schema.attempts, schema.password_resets):
                sweep(connection, table, now=self._database.now(connection))

    def _prove(
        self, which: sa.ColumnElement[bool], password: str, buckets: Sequence[Bucket], refusal: str
    ) -> int:
        """Give the id of the account if the password opens it; only then the attempt does not count."""
        with self._admitted(*buckets) as (connection, attempts):
            query = sa.select(schema.accounts.c.account_id, schema.accounts.c.password_hash)
            row = connection.execute(query.where(which)).one_or_none()
        stored: str | None = None if row is None else row.password_hash
        right = verify(stored, password)
        if row is None or stored is None or not right:
            raise SignInRefusedError(refusal)
        kept = hash_password(password) if needs_rehash(stored) else stored
        with self._database.writing() as connection:
            # The password may have been changed while this one was being checked.
            unchanged = connection.execute(
                sa.update(schema.accounts)
                .where(
                    schema.accounts.c.account_id == row.account_id,
                    schema.accounts.c.password_hash == stored,
                )
                .values(password_hash=kept)
            ).rowcount
            if not unchanged:
                raise SignInRefusedError(refusal)
            self._throttle.give_back(connection, attempts)
        return int(row.account_id)

    def _opened_by(self, connection: sa.Connection, token: str) -> int:
        """Give the account of a token that is good."""
        resets = schema.password_resets.c
        query = sa.select(resets.account_id).where(
            resets.token_hash == digest(token), resets.expires_at > self._database.now(connection)
        )
        account_id = connection.execute(query).scalar_one_or_none()
        if account_id is None:
            raise SignInRefusedError("This link is not good any more; ask for a new one.")
        return int(account_id)

    def _replace_password(self, connection: sa.Connection, account_id: int, hashed: str) -> None:
        """Set the password and end what the old one opened. Its failures are the past of another password."""
        email = connection.execute(
            sa.update(schema.accounts)
            .where(schema.accounts.c.account_id == account_id)
            .values(password_hash=hashed)
            .returning(schema.accounts.c.email)
        ).scalar_one()
        end_sessions(connection, account_id)
        _drop_reset(connection, account_id)
        self._throttle.empty(connection, _failures_of(account_id, email))


def _lock(connection: sa.Connection, which: sa.ColumnElement[bool]) -> int | None:
    """Lock the account to the end of the transaction, ahead of any row that hangs on it, and give its id."""
    query = sa.select(schema.accounts.c.account_id).where(which).with_for_update()
    return connection.execute(query).scalar_one_or_none()


def _drop_reset(connection: sa.Connection, account_id: int) -> None:
    connection.execute(
        sa.delete(schema.password_resets).where(schema.password_resets.c.account_id == account_id)
    )


def _failures_of(account_id: int, email: str | None) -> Bucket:
    return SIGN_INS_OF_ACCOUNT.of(str(account_id) if email is None else email)
