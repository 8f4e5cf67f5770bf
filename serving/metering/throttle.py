"""Limits on attempts, exact across processes: at most so many in any window of time.

An attempt is counted before it is looked at, so that many at once get no further than one after another, and
given back where it should not have counted. Who attempted is kept as a hash until the window is over.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from serving.contract.errors import TooManyAttemptsError
from serving.metering import schema
from serving.metering.clock import DAY, HOUR, MINUTE, SECOND
from serving.metering.database import Database
from serving.metering.keys import digest


@dataclass(frozen=True, slots=True)
class Bucket:
    """One subject under one limit: at most `most` attempts in any `window` microseconds."""

    limit_name: str
    subject_hash: str
    most: int
    window: int


@dataclass(frozen=True, slots=True)
class Limit:
    """How many attempts a subject may make in any `window` microseconds."""

    name: str
    most: int
    window: int

    def of(self, subject: str) -> Bucket:
        """The bucket of that subject: an e-mail address, whether it has an account or not, or a network."""
        return Bucket(self.name, digest(f"{self.name}:{subject}"), self.most, self.window)


SIGN_INS_OF_ACCOUNT = Limit("sign_ins_of_account", 10, 15 * MINUTE)
SIGN_INS_FROM_NETWORK = Limit("sign_ins_from_network", 30, 15 * MINUTE)
SIGN_UPS_FROM_NETWORK = Limit("sign_ups_from_network", 3, DAY)
"""Accounts opened: each brings free credits."""
SIGN_UP_TRIES_FROM_NETWORK = Limit("sign_up_tries_from_network", 20, DAY)
"""Those for addresses that have an account too: a refusal says that they have."""
RESETS_OF_ACCOUNT = Limit("resets_of_account", 3, HOUR)
RESETS_FROM_NETWORK = Limit("resets_from_network", 10, HOUR)


class Throttle:
    """Counts attempts, inside the transactions of its callers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def require_room(self, connection: sa.Connection, buckets: Sequence[Bucket]) -> None:
        """Refuse where a bucket is full, and write nothing: what a flood of attempts costs.

        Raises:
            TooManyAttemptsError: a bucket is full; it says when all have room, if nothing more is counted.
        """
        now = self._database.now(connection)
        waits = [_wait(connection, bucket, now=now) for bucket in buckets]
        if any(waits):
            raise TooManyAttemptsError(retry_after_seconds=-(-max(waits) // SECOND))

    def take(self, connection: sa.Connection, buckets: Sequence[Bucket]) -> Sequence[str]:
        """Count one attempt in each bucket and give its ids there, in the order of the buckets.

        Raises:
            TooManyAttemptsError: a bucket is full; nothing is counted in any.
        """
        _hold(connection, buckets)
        self.require_room(connection, buckets)
        now = self._database.now(connection)
        attempts = [secrets.token_hex(16) for _ in buckets]
        rows = [
            {
                "attempt_id": attempt,
                "limit_name": bucket.limit_name,
                "subject_hash": bucket.subject_hash,
                "expires_at": now + bucket.window,
            }
            for attempt, bucket in zip(attempts, buckets, strict=True)
        ]
        connection.execute(sa.insert(schema.attempts), rows)
        return attempts

    def give_back(self, connection: sa.Connection, attempts: Sequence[str]) -> None:
        """Uncount attempts, by the ids that `take` gave."""
        connection.execute(sa.delete(schema.attempts).where(schema.attempts.c.attempt_id.in_(attempts)))

    def empty(self, connection: sa.Connection, bucket: Bucket) -> None:
        """Uncount every attempt in the bucket."""
        connection.execute(sa.delete(schema.attempts).where(_in(bucket)))


def _hold(connection: sa.Connection, buckets: Sequence[Bucket]) -> None:
    """Keep others out of the buckets to the end of the transaction. On SQLite it keeps them out already."""
    if connection.dialect.name == "postgresql":
        # In one order for all, so that no two wait for each other.
        for number in sorted(int(bucket.subject_hash[:15], 16) for bucket in buckets):
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(:number)"), {"number": number})


def _wait(connection: sa.Connection, bucket: Bucket, *, now: int) -> int:
    """Microseconds until the bucket has room; 0 if it has."""
    expiries = schema.attempts.c.expires_at
    query = (
        sa.select(expiries)
        .where(_in(bucket), expiries > now)
        .order_by(expiries.desc())
        .offset(bucket.most - 1)
        .limit(1)
    )
    leaves = connection.execute(query).scalar_one_or_none()
    return 0 if leaves is None else int(leaves) - now


def _in(bucket: Bucket) -> sa.ColumnElement[bool]:
    return sa.and_(
        schema.attempts.c.limit_name == bucket.limit_name,
        schema.attempts.c.subject_hash == bucket.subject_hash,
    )
