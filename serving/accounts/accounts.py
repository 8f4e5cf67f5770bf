"""Accounts and their keys, as operators and owners manage them. Each call is one durable transaction."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from serving.accounts.names import clean_name
from serving.contract.errors import NotFoundError, SupersededError, ValidationError
from serving.metering import schema
from serving.metering.addresses import normal_email
from serving.metering.balances import Balance
from serving.metering.clock import month_of, month_start
from serving.metering.database import Database
from serving.metering.keys import MintedKey, mint, parse_scopes
from serving.metering.ledger import load_balance, newest_entries, save_balance
from serving.metering.records import Account, Entry, Key
from serving.metering.tiers import ALLOTMENT, FREE

MAX_LIVE_KEYS = 10
MAX_KEY_NAME = 100
"""Characters of a key's name."""
RECENT_ENTRIES = 20


@dataclass(frozen=True, slots=True)
class Statement:
    """An account with its newest ledger entries, newest first, as they are at one moment."""

    account: Account
    entries: Sequence[Entry]


class Accounts:
    """Creates, finds and lists accounts and keys."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, *, email: str | None = None, password_hash: str | None = None) -> Account:
        """Open an account of the free tier with this month's allotment.

        Raises:
            ValidationError: this is no address, or an account has it already.
        """
        try:
            return self._create(None if email is None else normal_email(email), password_hash)
        except sa.exc.IntegrityError as error:
            raise ValidationError(
                "An account with this address exists already.", parameter="email"
            ) from error

    def _create(self, email: str | None, password_hash: str | None) -> Account:
        with self._database.writing() as connection:
            now = self._database.now(connection)
            account_id = connection.execute(
                sa.insert(schema.accounts)
                .values(
                    email=email,
                    password_hash=password_hash,
                    tier=FREE,
                    allotment_limit=ALLOTMENT,
                    allotment=0,
                    allotment_month=month_of(now),
                    wallet=0,
                    entry_no=0,
                    created_at=now,
                )
                .returning(schema.accounts.c.account_id)
            ).scalar_one()
            balance = Balance(account_id, FREE, ALLOTMENT, 0, month_of(now), 0, 0)
            balance.post("allotment", at=now, allotment=ALLOTMENT)
            save_balance(connection, balance)
            return _account(connection, account_id, now=now)

    def get(self, account_id: int) -> Account:
        """Give an account as its next request would find it, with the month's renewal counted in.

        Raises:
            NotFoundError: there is none.
        """
        with self._database.reading() as connection:
            return _account(connection, account_id, now=self._database.now(connection))

    def find(self, email: str) -> Account | None:
        """Give the account with that address, written as it is stored; None if there is none."""
        with self._database.reading() as connection:
            now = self._database.now(connection)
            query = sa.select(schema.accounts).where(schema.accounts.c.email == email)
            row = connection.execute(query).one_or_none()
            return None if row is None else _account_of(row, now=now)

    def of_this_machine(self, name: str) -> Account:
        """Give the account `name@localhost`, opened if it is not there; nobody can sign up with that."""
        email = f"{name}@localhost"
        found = self.find(email)
        if found is not None:
            return found
        try:
            return self._create(email, None)
        except sa.exc.IntegrityError:
            # Another process that starts on this machine has opened it meanwhile.
            opened = self.find(email)
            if opened is None:
                raise
            return opened

    def list(self) -> Sequence[Account]:
        """Give all accounts in the order in which they were opened."""
        with self._database.reading() as connection:
            now = self._database.now(connection)
            query = sa.select(schema.accounts).order_by(schema.accounts.c.account_id)
            return [_account_of(row, now=now) for row in connection.execute(query)]

    def ledger(self, account_id: int, *, limit: int = RECENT_ENTRIES) -> Sequence[Entry]:
        """Give an account's newest ledger entries, newest first."""
        with self._database.reading() as connection:
            return newest_entries(connection, account_id, limit=limit)

    def statement(self, account_id: int) -> Statement:
        """Give an account with its newest ledger entries.

        Raises:
            NotFoundError: there is none.
        """
        with self._database.reading() as connection:
            return Statement(
                _account(connection, account_id, now=self._database.now(connection)),
                newest_entries(connection, account_id, limit=RECENT_ENTRIES),
            )

    def create_key(
        self,
        account_id: int,
        *,
        name: str,
        scopes: Iterable[str],
        expires_at: int | None = None,
        keep: int | None = None,
        after: int | None = None,
    ) -> tuple[Key, MintedKey]:
        """Mint a key; its text is in the second part, now and never again.

        Args:
            account_id: whose key it is.
            name: what the key is for.
            scopes: what it opens.
            expires_at: when it ends; None: when it is revoked.
            keep: live keys of that name that may go on beside it, the newest; None: all.
            after: id of the account's newest key, 0 for none, for a caller who must not make a key twice;
                None: whichever.

        Raises:
            NotFoundError: there is no such account.
            SupersededError: the account's newest key is not `after`.
            ValidationError: the account has as many live keys as it may, the name is none, a scope is
                unknown, or the end lies in the past.
        """
        name = clean_name(name, what="A key's name", limit=MAX_KEY_NAME, parameter="name")
        granted = parse_scopes(scopes)
        minted = mint()
        with self._database.writing() as connection:
            load_balance(connection, account_id)
            if after not in (None, _newest_key(connection, account_id)):
                raise SupersededError
            now = self._database.now(connection)
            if expires_at is not None and expires_at <= now:
                raise ValidationError("A key cannot end in the past.", parameter="expiresAt")
            if keep is not None:
                _retire_keys(connection, account_id, name=name, keep=keep, now=now)
            if _live_keys(connection, account_id, now=now) >= MAX_LIVE_KEYS:
                raise ValidationError(
                    f"An account has at most {MAX_LIVE_KEYS} live keys; revoke one first.", parameter="keys"
                )
            row = connection.execute(
                sa.insert(schema.keys)
                .values(
                    account_id=account_id,
                    key_hash=minted.digest,
                    prefix=minted.prefix,
                    name=name,
                    scopes=",".join(granted),
                    created_at=now,
                    expires_at=expires_at,
                )
                .returning(schema.keys)
            ).one()
            return _key_of(row), minted

    def list_keys(self, account_id: int) -> Sequence[Key]:
        """Give an account's keys, the revoked and expired ones too, newest first."""
        query = (
            sa.select(schema.keys)
            .where(schema.keys.c.account_id == account_id)
            .order_by(schema.keys.c.key_id.desc())
        )
        with self._database.reading() as connection:
            return [_key_of(row) for row in connection.execute(query)]

    def find_key(self, key_hash: str) -> Key | None:
        """Give the key with that hash, whatever its state; None if there is none."""
        with self._database.reading() as connection:
            row = connection.execute(sa.select(schema.keys).where(schema.keys.c.key_hash == key_hash)).first()
            return None if row is None else _key_of(row)

    def revoke_key(self, account_id: int, key_id: int) -> Key:
        """End a key at once. Revoking a revoked key changes nothing.

        Raises:
            NotFoundError: the account has no such key.
        """
        mine = sa.and_(schema.keys.c.account_id == account_id, schema.keys.c.key_id == key_id)
        with self._database.writing() as connection:
            load_balance(connection, account_id)
            now = self._database.now(connection)
            ended = sa.func.coalesce(schema.keys.c.revoked_at, now)
            row = connection.execute(
                sa.update(schema.keys).where(mine).values(revoked_at=ended).returning(schema.keys)
            ).one_or_none()
            if row is None:
                raise NotFoundError(f"The account has no key {key_id}.", kind="key")
            return _key_of(row)


def _live(account_id: int, *, now: int) -> sa.ColumnElement[bool]:
    return sa.and_(
        schema.keys.c.account_id == account_id,
        schema.keys.c.revoked_at.is_(None),
        sa.or_(schema.keys.c.expires_at.is_(None), schema.keys.c.expires_at > now),
    )


def _newest_key(connection: sa.Connection, account_id: int) -> int:
    newest = sa.select(sa.func.coalesce(sa.func.max(schema.keys.c.key_id), 0))
    return int(connection.execute(newest.where(schema.keys.c.account_id == account_id)).scalar_one())


def _retire_keys(connection: sa.Connection, account_id: int, *, name: str, keep: int, now: int) -> None:
    """End the oldest live keys of that name, so that at most `keep` go on."""
    key_id = schema.keys.c.key_id
    named = (
        sa.select(key_id)
        .where(_live(account_id, now=now), schema.keys.c.name == name)
        .order_by(key_id.desc())
    )
    ended = list(connection.execute(named).scalars())[keep:]
    connection.execute(sa.update(schema.keys).where(key_id.in_(ended)).values(revoked_at=now))


def _live_keys(connection: sa.Connection, account_id: int, *, now: int) -> int:
    live = sa.select(sa.func.count()).select_from(schema.keys).where(_live(account_id, now=now))
    return int(connection.execute(live).scalar_one())


def _account(connection: sa.Connection, account_id: int, *, now: int) -> Account:
    query = sa.select(schema.accounts).where(schema.accounts.c.account_id == account_id)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFoundError(f"There is no account {account_id}.", kind="account")
    return _account_of(row, now=now)


def _account_of(row: sa.Row[Any], *, now: int) -> Account:
    month = max(row.allotment_month, month_of(now))
    return Account(
        account_id=row.account_id,
        email=row.email,
        tier=row.tier,
        allotment=row.allotment if month == row.allotment_month else row.allotment_limit,
        allotment_limit=row.allotment_limit,
        wallet=row.wallet,
        renews_at=month_start(month + 1),
        created_at=row.created_at,
    )


def _key_of(row: sa.Row[Any]) -> Key:
    return Key(
        key_id=row.key_id,
        account_id=row.account_id,
        name=row.name,
        prefix=row.prefix,
        scopes=tuple(row.scopes.split(",")),
        created_at=row.created_at,
        expires_at=row.expires_at,
        revoked_at=row.revoked_at,
        last_used_at=row.last_used_at or None,
        passed=row.passed,
    )
