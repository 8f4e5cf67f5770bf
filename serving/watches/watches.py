"""Watches of accounts, and the events that they were matched by. Each call is one durable transaction."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import orjson
import sqlalchemy as sa

from serving.contract.errors import NotFoundError, ValidationError
from serving.metering import schema
from serving.metering.clock import DAY, rfc3339
from serving.metering.database import Database
from serving.metering.keys import digest
from serving.metering.ledger import load_balance
from serving.watches import subjects
from serving.watches.signatures import new_secret
from serving.watches.subjects import Subject

MOST = 100
"""Most watches of an account."""
RECENT = 20
"""Events that are shown of a watch; its feed has `IN_FEED`."""
IN_FEED = 100
OVERLAP = DAY
"""Time for which deliveries are signed by the secret before, too."""
KEPT = 90 * DAY
"""Age at which events are removed: until then they can be sent again."""
COLUMNS = (
    *(schema.watches.c.watch_id, schema.watches.c.account_id, schema.watches.c.subject),
    *(schema.watches.c.url, schema.watches.c.seen, schema.watches.c.created_at, schema.watches.c.refused_at),
)
"""Columns of the store of which `watch_of` makes a watch."""
CHANGED, TEST = "law.changed", "watch.test"
"""Types of events: the law that is watched has changed; the owner tries the delivery out."""


@dataclass(frozen=True, slots=True)
class Event:
    """A match of a watch, or a test of it.

    Attributes:
        kind: its type, one of `CHANGED` and `TEST`.
        body: as it is delivered.
        next_at: instant of the next attempt; None if there is none.
        outcome: of the newest attempt, in words; None before the first.
    """

    event_id: str
    watch_id: str
    kind: str
    at: int
    body: str
    attempts: int
    next_at: int | None
    delivered_at: int | None
    outcome: str | None


@dataclass(frozen=True, slots=True)
class Watch:
    """A watch.

    Attributes:
        url: address that events are delivered to; None where the feed is enough.
        seen: the newest snapshot whose changes it was matched with.
        refused_at: instant at which the receiver said that it is gone for good; nothing is delivered since.
    """

    watch_id: str
    account_id: int
    subject: Subject
    url: str | None
    seen: str
    created_at: int
    refused_at: int | None


@dataclass(frozen=True, slots=True)
class Credentials:
    """The secret of a watch and the token of its feed, shown once. They stay out of `repr`."""

    watch: Watch
    _secrets: tuple[str, str]

    @property
    def secret(self) -> str:
        """The secret by which deliveries are signed."""
        return self._secrets[0]

    @property
    def feed_token(self) -> str:
        """The token in the address of the feed."""
        return self._secrets[1]

    def __repr__(self) -> str:
        return f"Credentials(watch_id={self.watch.watch_id!r})"


class Watches:
    """Makes, shows and removes watches, and has their events sent again."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, account_id: int, subject: Subject, url: str | None, *, seen: str) -> Credentials:
        """Make a watch of what changes after the snapshot `seen`.

        Raises:
            NotFoundError: there is no such account.
            ValidationError: the account has as many watches as it may.
        """
        secret, token = new_secret(), secrets.token_urlsafe(32)
        with self._database.writing() as connection:
            load_balance(connection, account_id)
            count = sa.select(sa.func.count()).where(schema.watches.c.account_id == account_id)
            if connection.execute(count).scalar_one() >= MOST:
                raise ValidationError(f"An account has at most {MOST} watches; remove one first.")
            watch = Watch(
                str(uuid4()), account_id, subject, url, seen, self._database.now(connection), refused_at=None
            )
            connection.execute(
                sa.insert(schema.watches).values(
                    watch_id=watch.watch_id,
                    account_id=account_id,
                    subject=subjects.written(subject),
                    url=url,
                    secret=secret,
                    feed_hash=digest(token),
                    seen=seen,
                    created_at=watch.created_at,
                )
            )
        return Credentials(watch, (secret, token))

    def list(self, account_id: int | None = None) -> Sequence[Watch]:
        """Return the watches of an account, or of all, the newest first."""
        own = sa.true() if account_id is None else schema.watches.c.account_id == account_id
        with self._database.reading(behind=True) as connection:
            query = sa.select(*COLUMNS).where(own)
            newest = (schema.watches.c.created_at.desc(), schema.watches.c.watch_id)
            return [watch_of(row) for row in connection.execute(query.order_by(*newest))]

    def get(self, watch_id: str, *, account_id: int | None = None) -> tuple[Watch, Sequence[Event]]:
        """Return a watch with its newest events, the newest first.

        Raises:
            NotFoundError: the account has none of this id.
        """
        with self._database.reading(behind=True) as connection:
            watch = _require(connection, watch_id, account_id)
            return watch, _events(connection, watch_id, RECENT)

    def remove(self, watch_id: str, *, account_id: int | None = None) -> None:
        """Remove a watch with its events; what is being delivered at the moment may still arrive.

        Raises:
            NotFoundError: the account has none of this id.
        """
        with self._database.writing() as connection:
            _require(connection, watch_id, account_id, lock=True)
            events = sa.delete(schema.watch_events).where(schema.watch_events.c.watch_id == watch_id)
            connection.execute(events)
            connection.execute(sa.delete(schema.watches).where(schema.watches.c.watch_id == watch_id))

    def renew(self, watch_id: str, *, account_id: int | None = None) -> Credentials:
        """Give a watch a new secret and a new token of its feed, and let a receiver that was gone try again.

        The secret before signs along for a day; the token before is no longer good.

        Raises:
            NotFoundError: the account has none of this id.
        """
        secret, token = new_secret(), secrets.token_urlsafe(32)
        table = schema.watches
        with self._database.writing() as connection:
            watch = _require(connection, watch_id, account_id, lock=True)
            connection.execute(
                sa.update(table)
                .where(table.c.watch_id == watch_id)
                .values(
                    secret=secret,
                    secret_before=table.c.secret,
                    secret_before_until=self._database.now(connection) + OVERLAP,
                    feed_hash=digest(token),
                    refused_at=None,
                )
            )
        return Credentials(watch, (secret, token))

    def test(self, watch_id: str, *, account_id: int | None = None) -> Event:
        """Have a test event delivered, which no change is behind.

        Raises:
            NotFoundError: the account has none of this id.
            ValidationError: the watch has no address to deliver to.
        """
        with self._database.writing() as connection:
            watch = _require(connection, watch_id, account_id, lock=True)
            _require_address(watch)
            now = self._database.now(connection)
            event_id = f"evt_{uuid4().hex}"
            data = {"watchId": watch_id, "subject": watch.subject.described()}
            body = orjson.dumps({"type": TEST, "timestamp": rfc3339(now), "data": data}).decode()
            event = Event(event_id, watch_id, TEST, now, body, 0, now, None, None)
            insert_event(connection, event)
            return event

    def replay(self, watch_id: str, *, back: int, account_id: int | None = None) -> int:
        """Have the events of the newest time delivered again, under their ids, and return their number.

        Args:
            watch_id: id of the watch.
            back: how far back from now, in microseconds.
            account_id: the account that it has to be of; None for any.

        Raises:
            NotFoundError: the account has none of this id.
            ValidationError: the watch has no address to deliver to.
        """
        events = schema.watch_events
        with self._database.writing() as connection:
            _require_address(_require(connection, watch_id, account_id, lock=True))
            now = self._database.now(connection)
            again = (
                sa.update(events)
                .where(events.c.watch_id == watch_id, events.c.at >= now - back, events.c.kind == CHANGED)
                .values(attempts=0, next_at=now, delivered_at=None, outcome=None)
            )
            return connection.execute(again).rowcount

    def of_feed(self, token: str) -> tuple[Watch, Sequence[Event]]:
        """Return the watch whose feed has this token, with the newest of its events, but for tests.

        Raises:
            NotFoundError: there is none.
        """
        with self._database.reading(behind=True) as connection:
            query = sa.select(*COLUMNS).where(schema.watches.c.feed_hash == digest(token))
            row = connection.execute(query).one_or_none()
            if row is None:
                raise NotFoundError("No watch has a feed at this address.", kind="watch")
            watch = watch_of(row)
            return watch, _events(connection, watch.watch_id, IN_FEED, kind=CHANGED)


def insert_event(connection: sa.Connection, event: Event) -> None:
    """Add an event to the store."""
    names = [column.name for column in _EVENT]
    values = {name: getattr(event, name) for name in names}
    connection.execute(sa.insert(schema.watch_events).values(**values))


_EVENT = tuple(schema.watch_events.c)


def watch_of(row: Sequence[Any]) -> Watch:
    """Return the watch in a row of the columns of `COLUMNS`."""
    watch_id, account_id, subject, *rest = row
    return Watch(watch_id, account_id, subjects.read(subject), *rest)


def _require(
    connection: sa.Connection, watch_id: str, account_id: int | None, *, lock: bool = False
) -> Watch:
    query = sa.select(*COLUMNS).where(schema.watches.c.watch_id == watch_id)
    if account_id is not None:
        query = query.where(schema.watches.c.account_id == account_id)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    if row is None:
        raise NotFoundError(
            "No watch of this account has this id; the list of watches has all.", kind="watch"
        )
    return watch_of(row)


def _require_address(watch: Watch) -> None:
    if watch.url is None:
        raise ValidationError("The watch has no address to deliver to: it has its feed alone.")


def _events(
    connection: sa.Connection, watch_id: str, most: int, *, kind: str | None = None
) -> Sequence[Event]:
    events = schema.watch_events
    query = sa.select(*_EVENT).where(events.c.watch_id == watch_id)
    if kind is not None:
        query = query.where(events.c.kind == kind)
    rows = connection.execute(query.order_by(events.c.at.desc(), events.c.event_id).limit(most))
    return [Event(*row) for row in rows]
