"""Customers of the settings page: sign-up, sign-in, passwords and usage.

E-mail addresses are trimmed and case-folded everywhere. Every call blocks: it waits for the store, and
may hash a password.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import sqlalchemy as sa

from serving.accounts.accounts import Accounts
from serving.accounts.attempts import (
    PASSWORDS_OF_SESSION,
    RESETS_FROM_NETWORK,
    RESETS_OF_ACCOUNT,
    SIGN_UP_TRIES_FROM_NETWORK,
    SIGN_UPS_FROM_NETWORK,
    UNLOCKS_FROM_NETWORK,
    UNLOCKS_OF_ACCOUNT,
    VERIFICATIONS_FROM_NETWORK,
    VERIFICATIONS_OF_ACCOUNT,
    Bucket,
    Throttle,
)
from serving.accounts.devices import KnownDevice, remember_device
from serving.accounts.expiry import sweep
from serving.accounts.mailed_links import MailedLink, account_of_link, drop_link, make_link
from serving.accounts.passwords import hash_password, needs_rehash, require_acceptable, verify
from serving.accounts.sessions import (
    StartedSession,
    end_session,
    end_sessions,
    find_session,
    start_session,
)
from serving.accounts.sign_in_admission import Admission
from serving.accounts.usage import usage_since
from serving.contract.errors import NotFoundError, SessionEndedError, SignInRefusedError, ValidationError
from serving.metering import schema
from serving.metering.addresses import network_of, normal_email
from serving.metering.clock import DAY
from serving.metering.database import Database
from serving.metering.keys import digest
from serving.metering.ledger import newest_entries
from serving.metering.records import Account, DayUsage, Entry

_REFUSED = "The e-mail address or the password is wrong."


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A browser that has just signed in: its account, its new session, and its token as a known device."""

    account: Account
    session: StartedSession
    device: KnownDevice


class Customers:
    """Opens accounts, signs browsers in, and sets passwords."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._accounts = Accounts(database)
        self._throttle = Throttle(database)
        self._admission = Admission(database, self._throttle)

    def sign_up(
        self,
        email: str,
        password: str,
        *,
        address: str,
        session: str | None = None,
        devices: Sequence[str] = (),
    ) -> SignedIn:
        """Open an account for somebody at that network address, and sign in to it.

        Args:
            email: address of the new account.
            password: its password.
            address: network address of the request.
            session: token of the browser's session, which ends; None where it has none.
            devices: tokens by which accounts know the browser.

        Raises:
            ValidationError: with `parameter` `email` or `password`: it is not acceptable, or the address has
                an account.
            TooManyAttemptsError: too many accounts were opened from there.
        """
        email = normal_email(email)
        require_acceptable(password, email=email)
        network = network_of(address)
        buckets = (SIGN_UPS_FROM_NETWORK.of(network), SIGN_UP_TRIES_FROM_NETWORK.of(network))
        with self._counted(*buckets) as (_, attempts):
            pass
        try:
            account = self._accounts.create(email=email, password_hash=hash_password(password))
        except ValidationError:
            with self._database.writing() as connection:
                self._throttle.give_back(connection, attempts[:1])
            raise
        with self._database.writing() as connection:
            return self._enter(connection, account, session=session, devices=devices)

    def sign_in(
        self,
        email: str,
        password: str,
        *,
        address: str,
        session: str | None = None,
        devices: Sequence[str] = (),
    ) -> SignedIn:
        """Sign a browser in to the account with this address and password. Only failures are counted.

        The arguments are those of `sign_up`.

        Raises:
            ValidationError: the text is not an e-mail address.
            SignInRefusedError: the password is wrong, or there is no such account; the error does not tell
                which.
            TooManyAttemptsError: too many failures; the password was not checked.
        """
        email = normal_email(email)
        attempts = self._admission.admit(email, address=address, devices=devices)
        with self._database.reading(behind=True) as connection:
            query = sa.select(schema.accounts.c.account_id, schema.accounts.c.password_hash)
            row = connection.execute(query.where(schema.accounts.c.email == email)).one_or_none()
        stored: str | None = None if row is None else row.password_hash
        right = verify(stored, password)
        if row is None or stored is None or not right:
            raise SignInRefusedError(_REFUSED)
        kept = hash_password(password) if needs_rehash(stored) else stored
        account = self._accounts.get(row.account_id)
        with self._database.writing() as connection:
            # The password may have been changed, and all sessions ended, while this one was being checked.
            unchanged = connection.execute(
                sa.update(schema.accounts)
                .where(
                    schema.accounts.c.account_id == row.account_id,
                    schema.accounts.c.password_hash == stored,
                )
                .values(password_hash=kept)
            ).rowcount
            if not unchanged:
                raise SignInRefusedError(_REFUSED)
            self._throttle.give_back(connection, attempts)
            return self._enter(connection, account, session=session, devices=devices)

    def change_password(self, session: str, old: str, new: str) -> SignedIn:
        """Set another password and end every session of the account; the browser gets a new one.

        Failures count against the session alone, so that strangers cannot block somebody who is signed in.

        Args:
            session: token of the session that makes the request.
            old: password of its account, to prove that this is its owner.
            new: password that replaces it.

        Raises:
            SignInRefusedError: `old` is wrong.
            TooManyAttemptsError: too many failures of this session; `old` was not checked.
            ValidationError: with `parameter="password"`: `new` is not acceptable.
            SessionEndedError: there is no such session, or it ended while the passwords were checked.
        """
        with self._database.reading(behind=True) as connection:
            account_id = self._account_of_session(connection, session)
        account = self._accounts.get(account_id)
        require_acceptable(new, email=account.email)
        buckets = [limit.of(digest(session)) for limit in PASSWORDS_OF_SESSION]
        mine = schema.accounts.c.account_id == account_id
        with self._counted(*buckets) as (connection, attempts):
            query = sa.select(schema.accounts.c.password_hash).where(mine)
            stored = connection.execute(query).scalar_one()
        if not verify(stored, old):
            # Wrong now, perhaps, because another change came first, and ended the session.
            with self._database.reading(behind=True) as connection:
                self._account_of_session(connection, session)
            raise SignInRefusedError("The current password is wrong.")
        hashed = hash_password(new)
        with self._database.writing() as connection:
            _lock(connection, mine)
            # Whatever replaces a password ends the sessions: of many changes at once the first one counts.
            self._account_of_session(connection, session)
            self._throttle.give_back(connection, attempts)
            self._replace_password(connection, account_id, hashed)
            return self._enter(connection, account, session=None, devices=())

    def set_password(self, email: str, new: str) -> Account:
        """Set the password of the account with that address, on behalf of the operator, and end its sessions.

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

    def begin_reset(self, email: str, *, address: str) -> MailedLink | None:
        """Make the one link by which the account's password can be set; None if no account has that address.

        Give the same answer in both cases, and give it before mailing: the time of a mail would tell them
        apart.

        Raises:
            ValidationError: the text is not an e-mail address.
            TooManyAttemptsError: too many links were asked for, for that address or from that network.
        """
        email = normal_email(email)
        buckets = (RESETS_OF_ACCOUNT.of(email), RESETS_FROM_NETWORK.of(network_of(address)))
        return self._make_link(schema.password_resets, email, buckets)

    def finish_reset(self, token: str, new_password: str) -> KnownDevice:
        """Set the password with a mailed link, which is then used up, and end every session of the account.

        The browser is known from now on, since reading the account's mail proves enough to sign in.

        Raises:
            SignInRefusedError: the link is unknown, used, replaced or too old.
            ValidationError: with `parameter="password"`: the password is not acceptable; the link stays
                valid.
        """
        resets = schema.password_resets
        with self._database.reading(behind=True) as connection:
            account_id = account_of_link(connection, resets, token, now=self._database.now(connection))
        require_acceptable(new_password, email=self._accounts.get(account_id).email)
        hashed = hash_password(new_password)
        with self._database.writing() as connection:
            _lock(connection, schema.accounts.c.account_id == account_id)
            now = self._database.now(connection)
            account_of_link(connection, resets, token, now=now)
            self._replace_password(connection, account_id, hashed)
            _verify(connection, account_id, now=now)
            return remember_device(connection, account_id, (), now=now)

    def begin_unlock(self, email: str, *, address: str) -> MailedLink | None:
        """Make the one link by which a browser can be let in to sign in; in all else as `begin_reset`."""
        email = normal_email(email)
        buckets = (UNLOCKS_OF_ACCOUNT.of(email), UNLOCKS_FROM_NETWORK.of(network_of(address)))
        return self._make_link(schema.unlock_links, email, buckets)

    def finish_unlock(self, token: str, *, devices: Sequence[str] = ()) -> KnownDevice:
        """Make a browser known by a mailed link and use the link up: strangers' failures no longer block it.

        Raises:
            SignInRefusedError: the link is unknown, used, replaced or too old.
        """
        with self._using(schema.unlock_links, token) as (connection, account_id, now):
            return remember_device(connection, account_id, devices, now=now)

    def begin_verification(self, account_id: int, *, address: str) -> MailedLink | None:
        """Make the one link by which the address of an account is confirmed; None if it has none to confirm.

        Raises:
            TooManyAttemptsError: too many links were asked for, for that account or from that network.
        """
        account = self._accounts.get(account_id)
        if account.email is None or account.verified_at is not None:
            return None
        buckets = (
            VERIFICATIONS_OF_ACCOUNT.of(account.email),
            VERIFICATIONS_FROM_NETWORK.of(network_of(address)),
        )
        return self._make_link(schema.verification_links, account.email, buckets)

    def finish_verification(self, token: str) -> None:
        """Note that the holder of an account reads its mail, and use the link up.

        Raises:
            SignInRefusedError: the link is unknown, used, replaced or too old.
        """
        with self._using(schema.verification_links, token):
            pass

    @contextmanager
    def _using(self, links: sa.Table, token: str) -> Iterator[tuple[sa.Connection, int, int]]:
        """Yield a transaction that uses a mailed link up, with its account and the instant.

        Raises:
            SignInRefusedError: the link is unknown, used, replaced or too old.
        """
        with self._database.reading(behind=True) as connection:
            account_id = account_of_link(connection, links, token, now=self._database.now(connection))
        with self._database.writing() as connection:
            _lock(connection, schema.accounts.c.account_id == account_id)
            now = self._database.now(connection)
            account_of_link(connection, links, token, now=now)
            drop_link(connection, links, account_id)
            _verify(connection, account_id, now=now)
            yield connection, account_id, now

    def usage(self, account_id: int, days: int = 30) -> Sequence[DayUsage]:
        """Return the account's charged calls of the last days, including today (UTC), oldest first.

        A charge that was refunded is not counted.
        """
        with self._database.reading() as connection:
            today = self._database.now(connection) // DAY * DAY
            return usage_since(connection, account_id, start=today - (days - 1) * DAY)

    def ledger_page(self, account_id: int, *, before: int | None, limit: int) -> Sequence[Entry]:
        """Return the account's newest entries, or those numbered below `before`, newest first."""
        with self._database.reading() as connection:
            return newest_entries(connection, account_id, limit=limit, before=before)

    @contextmanager
    def _counted(self, *buckets: Bucket) -> Iterator[tuple[sa.Connection, Sequence[str]]]:
        """Yield a transaction in which an attempt has been counted, and the attempt's ids."""
        # A flood must not queue for turns to write, for which every charge waits.
        with self._database.reading(behind=True) as connection:
            self._throttle.require_room(connection, buckets)
        with self._database.writing() as connection:
            yield connection, self._throttle.take(connection, buckets)
            for table in (
                *(schema.attempts, schema.password_resets),
                *(schema.unlock_links, schema.verification_links),
            ):
                sweep(connection, table, now=self._database.now(connection))

    def _make_link(self, table: sa.Table, email: str, buckets: Sequence[Bucket]) -> MailedLink | None:
        with self._counted(*buckets) as (connection, _):
            account_id = _lock(connection, schema.accounts.c.email == email)
            if account_id is None:
                return None
            return make_link(connection, table, account_id, email=email, now=self._database.now(connection))

    def _enter(
        self, connection: sa.Connection, account: Account, *, session: str | None, devices: Sequence[str]
    ) -> SignedIn:
        """Sign a browser in, and end the session that it had before."""
        now = self._database.now(connection)
        # Makes those who sign in at once follow each other, so that no more browsers are known than may be.
        _lock(connection, schema.accounts.c.account_id == account.account_id)
        if session is not None:
            end_session(connection, session)
        started = start_session(connection, account.account_id, now=now)
        device = remember_device(connection, account.account_id, devices, now=now)
        for table in (schema.sessions, schema.devices):
            sweep(connection, table, now=now)
        return SignedIn(account, started, device)

    def _account_of_session(self, connection: sa.Connection, token: str) -> int:
        session = find_session(connection, token, now=self._database.now(connection))
        if session is None:
            raise SessionEndedError
        return session.account_id

    def _replace_password(self, connection: sa.Connection, account_id: int, hashed: str) -> None:
        """Set the password, end all sessions and links of the old one, and forget the failures at it."""
        email = connection.execute(
            sa.update(schema.accounts)
            .where(schema.accounts.c.account_id == account_id)
            .values(password_hash=hashed)
            .returning(schema.accounts.c.email)
        ).scalar_one()
        end_sessions(connection, account_id)
        for table in (schema.password_resets, schema.unlock_links):
            drop_link(connection, table, account_id)
        if email is not None:
            self._admission.forget(connection, email)


def _verify(connection: sa.Connection, account_id: int, *, now: int) -> None:
    """Note that the holder of an account reads its mail, unless that is known."""
    columns = schema.accounts.c
    connection.execute(
        sa.update(schema.accounts)
        .where(columns.account_id == account_id, columns.verified_at.is_(None))
        .values(verified_at=now)
    )


def _lock(connection: sa.Connection, which: sa.ColumnElement[bool]) -> int | None:
    """Lock an account to the end of the transaction, before any row that depends on it, and return its id."""
    query = sa.select(schema.accounts.c.account_id).where(which).with_for_update()
    return connection.execute(query).scalar_one_or_none()
