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
from serving.metering.ledger import enter, load_balance, newest_entries
from serving.metering.records import Account, Entry, Key
from serving.metering.tiers import ALLOTMENT, FREE

MAX_LIVE_KEYS = 10
"""Live keys of an account, connected agents included: limits are for each, so this bounds them together."""
MAX_KEY_NAME = 100
"""Characters of a key's name."""
RECENT_ENTRIES = 20

_KEYS = schema.keys.outerjoin(schema.connections, schema.connections.c.key_id == schema.keys.c.key_id)
_ENDS_AT = sa.func.coalesce(schema.connections.c.expires_at, schema.keys.c.expires_at)
"""Instant at which a key ends: an agent renews its token before that."""


@dataclass(frozen=True, slots=True)
class Statement:
    """An account with its newest ledger entries, newest first, all read at one moment."""

    account: Account
    entries: Sequence[Entry]


class Accounts:
    """Creates, finds and lists accounts and keys."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, *, email: str | None = None, password_hash: str | None = None) -> Account:
        """Open an account of the free tier with this month's allotment.

        Raises:
            ValidationError: the address is not valid, or an account has it already.
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
                    allotment=ALLOTMENT,
                    allotment_month=month_of(now),
                    wallet=0,
                    entry_no=1,
                    created_at=now,
                )
                .returning(schema.accounts.c.account_id)
            ).scalar_one()
            balance = Balance(account_id, FREE, ALLOTMENT, 0, month_of(now), 0, 0)
            balance.post("allotment", at=now, allotment=ALLOTMENT)
            enter(connection, balance.entries)
            return _account(connection, account_id, now=now)

    def get(self, account_id: int) -> Account:
        """Return an account as its next request would find it, with the month's renewal counted in.

        Raises:
            NotFoundError: there is none.
        """
        with self._database.reading() as connection:
            return _account(connection, account_id, now=self._database.now(connection))

    def find(self, email: str) -> Account | None:
        """Return the account with that address, written as it is stored; None if there is none."""
        with self._database.reading() as connection:
            now = self._database.now(connection)
            query = sa.select(schema.accounts).where(schema.accounts.c.email == email)
            row = connection.execute(query).one_or_none()
            return None if row is None else _account_of(row, now=now)

    def of_this_machine(self, name: str) -> Account:
        """Return the account `name@localhost`, opening it if needed; nobody can sign up with that address."""
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
        """Return all accounts in the order in which they were opened."""
        with self._database.reading() as connection:
            now = self._database.now(connection)
            query = sa.select(schema.accounts).order_by(schema.accounts.c.account_id)
            return [_account_of(row, now=now) for row in connection.execute(query)]

    def ledger(self, account_id: int, *, limit: int = RECENT_ENTRIES) -> Sequence[Entry]:
        """Return an account's newest ledger entries, newest first."""
        with self._database.reading() as connection:
            return newest_entries(connection, account_id, limit=limit)

    def statement(self, account_id: int) -> Statement:
        """Return an account with its newest ledger entries.

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
        """Make a key and return its record with the key itself, whose text is never available again.

        Args:
            account_id: owner of the key.
            name: name that tells the purpose of the key.
            scopes: scopes of the key.
            expires_at: instant at which it expires; None: it is valid until it is revoked.
            keep: number of older live keys of that name to keep, the newest ones; None: all.
            after: id that the account's newest key must have, 0 for no key, so that a repeated call makes no
                second key; None: any.

        Raises:
            NotFoundError: there is no such account.
            SupersededError: the account's newest key is not `after`.
            ValidationError: the account has as many live keys as it may, the name is not acceptable, a scope
                is unknown, or the end lies in the past.
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
            require_room(connection, account_id, now=now)
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
            return key_of(row), minted

    def list_keys(self, account_id: int) -> Sequence[Key]:
        """Return an account's keys, including revoked and expired ones, newest first.

        Those of agents end when their connection does, not with the token that they have now.
        """
        query = (
            sa.select(*(one for one in schema.keys.c if one.name != "expires_at"))
            .add_columns(_ENDS_AT.label("expires_at"))
            .select_from(_KEYS)
            .where(schema.keys.c.account_id == account_id)
            .order_by(schema.keys.c.key_id.desc())
        )
        with self._database.reading() as connection:
            return [key_of(row) for row in connection.execute(query)]

    def find_key(self, key_hash: str) -> Key | None:
        """Return the key with that hash, in whatever state; None if there is none."""
        # A server asks for what never changes; how often the key was used may be behind.
        with self._database.reading(behind=True) as connection:
            row = connection.execute(sa.select(schema.keys).where(schema.keys.c.key_hash == key_hash)).first()
            return None if row is None else key_of(row)

    def revoke_key(self, account_id: int, key_id: int) -> Key:
        """Revoke a key at once. Revoking a revoked key changes nothing.

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
            return key_of(row)


def require_room(connection: sa.Connection, account_id: int, *, now: int) -> None:
    """Raise an error if the account may have no further key. The account must be locked.

    Raises:
        ValidationError: it has as many live keys and connected agents as it may.
    """
    live = sa.select(sa.func.count()).select_from(_KEYS).where(_live(account_id, now=now))
    if connection.execute(live).scalar_one() >= MAX_LIVE_KEYS:
        raise ValidationError(
            f"An account has at most {MAX_LIVE_KEYS} live keys, connected agents included; revoke one first.",
            parameter="keys",
        )


def _live(account_id: int, *, now: int) -> sa.ColumnElement[bool]:
    return sa.and_(
        schema.keys.c.account_id == account_id,
        schema.keys.c.revoked_at.is_(None),
        sa.or_(_ENDS_AT.is_(None), now < _ENDS_AT),
    )


def _newest_key(connection: sa.Connection, account_id: int) -> int:
    newest = sa.select(sa.func.coalesce(sa.func.max(schema.keys.c.key_id), 0))
    return int(connection.execute(newest.where(schema.keys.c.account_id == account_id)).scalar_one())


def _retire_keys(connection: sa.Connection, account_id: int, *, name: str, keep: int, now: int) -> None:
    """Revoke the oldest live keys of that name, so that at most `keep` remain; agents stay connected."""
    key_id = schema.keys.c.key_id
    named = (
        sa.select(key_id)
        .select_from(_KEYS)
        .where(_live(account_id, now=now), schema.keys.c.name == name, schema.connections.c.key_id.is_(None))
        .order_by(key_id.desc())
    )
    ended = list(connection.execute(named).scalars())[keep:]
    connection.execute(sa.update(schema.keys).where(key_id.in_(ended)).values(revoked_at=now))


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
        verified_at=row.verified_at,
    )


def key_of(row: sa.Row[Any]) -> Key:
    """Return the key in a row that has all columns of `keys`."""
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
