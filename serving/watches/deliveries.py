"""Deliveries of events to the addresses of watches: signed, tried again for days, each under one id.

An attempt is written down before it is made. A process that dies in between leaves an event that is tried
again later, and the receiver knows it by its id.
"""

import logging
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import monotonic

import sqlalchemy as sa

from serving.metering import schema
from serving.metering.clock import HOUR, MINUTE, SECOND
from serving.metering.database import Database
from serving.watches.destinations import DeliveryError, post
from serving.watches.signatures import signed_headers

DELAYS = (
    *(5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR),
    *(10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR),
)
"""Time from a failed attempt to the next, which up to a fifth is added to; after the last there is none."""
THREADS = 8
UNDER_WAY = 2 * MINUTE
"""Time after which an attempt whose end was not written down is taken for lost."""
PASS_SECONDS = 60.0
"""Time after which a pass begins no attempt more: the rest waits until changes were matched again."""
GONE = 410
"""Status by which a receiver says that it wants nothing more, ever."""
_BEGUN = "under way"
_USER_AGENT = "legal-research-api-webhooks"

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt to deliver an event; `number` counts from 1 since the event was made or replayed."""

    event_id: str
    watch_id: str
    url: str
    secrets: tuple[str, ...]
    body: str
    number: int
    at: int


@dataclass(frozen=True, slots=True)
class Delivered:
    """Numbers of attempts: those that arrived, and those that did not."""

    arrived: int
    failed: int


NOTHING = Delivered(0, 0)
"""Numbers of a pass in which nothing was due."""


class Deliveries:
    """Delivers the events that are due.

    Args:
        database: the store.
        local: deliveries may go to this machine too, and over http there.
        spread: gives the part of a fifth that is added to a delay, from 0 to 1.
        seconds: time after which a pass begins no attempt more.
    """

    def __init__(
        self,
        database: Database,
        *,
        local: bool = False,
        spread: Callable[[], float] = random.random,
        seconds: float = PASS_SECONDS,
    ) -> None:
        self._database = database
        self._local = local
        self._spread = spread
        self._seconds = seconds

    def deliver(self) -> Delivered:
        """Attempt the deliveries that are due, some at a time, and return their numbers.

        Accounts of which fewer attempts are under way come first: receivers that hang keep those of others
        waiting for one attempt, and not for all that are due to them.
        """
        threads = min(THREADS, self._count_due())
        if not threads:
            return NOTHING
        with ThreadPoolExecutor(threads) as pool:
            end = monotonic() + self._seconds
            done = list(pool.map(lambda _: self._deliver_some(end), range(threads)))
        return Delivered(sum(one.arrived for one in done), sum(one.failed for one in done))

    def _count_due(self) -> int:
        with self._database.reading(behind=True) as connection:
            due = schema.watch_events.c.next_at <= self._database.now(connection)
            return connection.execute(sa.select(sa.func.count()).where(due)).scalar_one()

    def _deliver_some(self, end: float) -> Delivered:
        arrived = failed = 0
        while monotonic() < end and (attempt := self._begin()) is not None:
            if self._make(attempt):
                arrived += 1
            else:
                failed += 1
        return Delivered(arrived, failed)

    def _begin(self) -> Attempt | None:
        """Take the event that is due for longest, and write down that an attempt is under way."""
        events, watches = schema.watch_events, schema.watches
        with self._database.writing() as connection:
            now = self._database.now(connection)
            busy = _under_way(connection, now)
            in_turn = sa.case(busy, value=watches.c.account_id, else_=0) if busy else sa.literal(0)
            query = (
                sa.select(
                    *(events.c.event_id, events.c.watch_id, events.c.body, events.c.attempts),
                    *(
                        watches.c.url,
                        watches.c.secret,
                        watches.c.secret_before,
                        watches.c.secret_before_until,
                    ),
                )
                .join(watches, watches.c.watch_id == events.c.watch_id)
                .where(events.c.next_at <= now, watches.c.url.is_not(None))
                .order_by(in_turn, events.c.next_at)
                .limit(1)
                .with_for_update(of=events, skip_locked=True)
            )
            row = connection.execute(query).one_or_none()
            if row is None:
                return None
            number = row.attempts + 1
            connection.execute(
                sa.update(events)
                .where(events.c.event_id == row.event_id)
                .values(attempts=number, next_at=now + UNDER_WAY, outcome=_BEGUN)
            )
        before = (row.secret_before,) if (row.secret_before_until or 0) > now else ()
        return Attempt(
            row.event_id, row.watch_id, row.url, (row.secret, *before), row.body, number, at=now // SECOND
        )

    def _make(self, attempt: Attempt) -> bool:
        """Make an attempt, write down its outcome, and return whether it arrived."""
        body = attempt.body.encode()
        headers = {
            "Content-Type": "application/json",
            "User-Agent": _USER_AGENT,
            **signed_headers(attempt.event_id, body, at=attempt.at, secrets_=attempt.secrets),
        }
        try:
            status: int | None = post(attempt.url, headers, body, local=self._local)
            outcome = f"answered {status}"
        except DeliveryError as error:
            status, outcome = None, error.message
        arrived = status is not None and 200 <= status < 300
        self._end(attempt, outcome, arrived=arrived, is_gone=status == GONE)
        told = {"event": attempt.event_id, "watch": attempt.watch_id, "attempt": attempt.number}
        _log.info("event_delivered" if arrived else "event_not_delivered", extra={**told, "outcome": outcome})
        return arrived

    def _end(self, attempt: Attempt, outcome: str, *, arrived: bool, is_gone: bool) -> None:
        events, watches = schema.watch_events, schema.watches
        with self._database.writing() as connection:
            now = self._database.now(connection)
            # A replay that came in between has set the attempts back, and goes on by itself.
            own = sa.and_(events.c.event_id == attempt.event_id, events.c.attempts == attempt.number)
            values = {
                "outcome": outcome,
                "delivered_at": now if arrived else None,
                "next_at": None if arrived or is_gone else self._next(now, attempt.number),
            }
            if is_gone:
                gone = sa.update(watches).where(watches.c.watch_id == attempt.watch_id)
                connection.execute(gone.values(refused_at=now))
                of_watch = events.c.watch_id == attempt.watch_id
                connection.execute(sa.update(events).where(of_watch).values(next_at=None))
            connection.execute(sa.update(events).where(own).values(**values))

    def _next(self, now: int, attempts: int) -> int | None:
        if attempts > len(DELAYS):
            return None
        delay = DELAYS[attempts - 1]
        return now + delay + int(delay * 0.2 * self._spread())


def _under_way(connection: sa.Connection, now: int) -> dict[int, int]:
    """Return how many attempts are under way, by account."""
    events, watches = schema.watch_events, schema.watches
    count = (
        sa.select(watches.c.account_id, sa.func.count())
        .join(events, watches.c.watch_id == events.c.watch_id)
        .where(events.c.next_at > now, events.c.next_at <= now + UNDER_WAY, events.c.outcome == _BEGUN)
        .group_by(watches.c.account_id)
    )
    return {row[0]: row[1] for row in connection.execute(count)}
