"""Limits on attempts, exact across processes: at most a given number in any window of time.

An attempt is counted before it is checked, so that many at once get no further than one after another; it is
uncounted if it should not have counted. The subject is stored as a hash until the window is over.
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

_SHARED = 32
"""Digits of the hash that are the same in all buckets of one subject."""


@dataclass(frozen=True, slots=True)
class Bucket:
    """One subject under one limit: at most `most` attempts in any `window` microseconds."""

    limit_name: str
    subject_hash: str
    most: int
    window: int


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit on attempts: the most that a subject may make in any `window` microseconds."""

    name: str
    most: int
    window: int

    def of(self, subject: str, *, network: str | None = None) -> Bucket:
        """Return the bucket of a subject, or of one network's attempts at it.

        Args:
            subject: an e-mail address, whether it has an account or not, a network, a session.
            network: network of the attempt; the hashes of one subject's buckets begin alike, so that all can
                be emptied.
        """
        named = digest(f"{self.name}:{subject}")
        if network is not None:
            named = named[:_SHARED] + digest(f"{self.name}:{subject}:{network}")[:_SHARED]
        return Bucket(self.name, named, self.most, self.window)


SIGN_INS_OF_ACCOUNT = Limit("sign_ins_of_account", 10, 15 * MINUTE)
"""Failed attempts to sign in to one account from one network."""
SIGN_INS_FROM_NETWORK = Limit("sign_ins_from_network", 30, 15 * MINUTE)
"""Failed attempts to sign in from one network, to any accounts."""
SIGN_INS_FROM_RANGE = Limit("sign_ins_from_range", 100, 15 * MINUTE)
"""Failed attempts to sign in from neighbouring networks, for those who have many of them."""
SIGN_INS_OF_DEVICE = Limit("sign_ins_of_device", 10, 15 * MINUTE)
"""Failed attempts to sign in from a browser that has signed in to the account before."""
PASSWORDS_OF_SESSION = (
    Limit("passwords_of_session", 5, 15 * MINUTE),
    Limit("passwords_of_session_a_day", 20, DAY),
)
"""Wrong current passwords that somebody signed in gives to set another one."""
SIGN_UPS_FROM_NETWORK = Limit("sign_ups_from_network", 3, DAY)
"""Accounts opened from one network: each brings free credits."""
SIGN_UP_TRIES_FROM_NETWORK = Limit("sign_up_tries_from_network", 20, DAY)
"""Attempts to open an account, including those for addresses that have one: a refusal reveals that they
do."""
RESETS_OF_ACCOUNT = Limit("resets_of_account", 3, HOUR)
RESETS_FROM_NETWORK = Limit("resets_from_network", 10, HOUR)
UNLOCKS_OF_ACCOUNT = Limit("unlocks_of_account", 3, HOUR)
UNLOCKS_FROM_NETWORK = Limit("unlocks_from_network", 10, HOUR)
VERIFICATIONS_OF_ACCOUNT = Limit("verifications_of_account", 3, HOUR)
VERIFICATIONS_FROM_NETWORK = Limit("verifications_from_network", 10, HOUR)
REGISTRATIONS_FROM_NETWORK = Limit("registrations_from_network", 60, HOUR)
"""Clients that register from one network: a hosted agent does so for each of its users."""

REPORTS_FROM_NETWORK = Limit("reports_from_network", 10, DAY)
REPORTS_IN_ALL = Limit("reports_in_all", 1_000, DAY)
"""Reports of errors, which anybody may send: what all networks together may fill the store with."""


class Throttle:
    """Counts attempts, inside the transactions of its callers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def require_room(self, connection: sa.Connection, buckets: Sequence[Bucket]) -> None:
        """Raise an error if a bucket is full. Nothing is written, so that a flood of attempts costs little.

        Raises:
            TooManyAttemptsError: a bucket is full; it tells when all have room again, if nothing more is
                counted.
        """
        now = self._database.now(connection)
        waits = [_wait(connection, bucket, now=now) for bucket in buckets]
        if any(waits):
            raise TooManyAttemptsError(retry_after_seconds=-(-max(waits) // SECOND))

    def take(self, connection: sa.Connection, buckets: Sequence[Bucket]) -> Sequence[str]:
        """Count one attempt in each bucket and return its ids, in the order of the buckets.

        Raises:
            TooManyAttemptsError: a bucket is full; nothing is counted in any.
        """
        self.hold(connection, buckets)
        self.require_room(connection, buckets)
        return [self._insert(connection, bucket, lasts=bucket.window) for bucket in buckets]

    def note(self, connection: sa.Connection, bucket: Bucket, *, lasts: int | None = None) -> str:
        """Count one attempt in a bucket, even a full one, which loses its oldest, and return its id.

        Args:
            connection: connection of the transaction, which has locked the bucket.
            bucket: bucket in which it is counted.
            lasts: microseconds for which it counts; None: the bucket's window.
        """
        expiries = sa.select(schema.attempts.c.attempt_id).where(_in(bucket))
        newest = expiries.order_by(schema.attempts.c.expires_at.desc()).offset(bucket.most - 1)
        self.give_back(connection, list(connection.execute(newest).scalars()))
        return self._insert(connection, bucket, lasts=bucket.window if lasts is None else lasts)

    def count(self, connection: sa.Connection, bucket: Bucket) -> int:
        """Return the number of attempts in a bucket."""
        now = self._database.now(connection)
        query = sa.select(sa.func.count()).select_from(schema.attempts)
        found = connection.execute(query.where(_in(bucket), schema.attempts.c.expires_at > now))
        return int(found.scalar_one())

    def last_expiry(self, connection: sa.Connection, bucket: Bucket) -> int | None:
        """Return the instant at which the last attempt in a bucket expires; None where there is none."""
        query = sa.select(sa.func.max(schema.attempts.c.expires_at)).where(_in(bucket))
        last = connection.execute(query).scalar_one()
        return None if last is None or last <= self._database.now(connection) else int(last)

    def give_back(self, connection: sa.Connection, attempts: Sequence[str]) -> None:
        """Uncount attempts by the ids that `take` returned."""
        connection.execute(sa.delete(schema.attempts).where(schema.attempts.c.attempt_id.in_(attempts)))

    def empty(self, connection: sa.Connection, bucket: Bucket) -> None:
        """Uncount every attempt in the bucket."""
        connection.execute(sa.delete(schema.attempts).where(_in(bucket)))

    def empty_all(self, connection: sa.Connection, limit: Limit, subject: str) -> None:
        """Uncount every attempt of a subject, from any network."""
        shared = limit.of(subject).subject_hash[:_SHARED]
        subject_hash = schema.attempts.c.subject_hash
        connection.execute(
            sa.delete(schema.attempts).where(
                schema.attempts.c.limit_name == limit.name, subject_hash.between(shared, f"{shared}g")
            )
        )

    def hold(self, connection: sa.Connection, buckets: Sequence[Bucket]) -> None:
        """Lock the buckets to the end of the transaction; on SQLite they are locked already."""
        if connection.dialect.name == "postgresql":
            # In one order for all, so that no two wait for each other.
            for number in sorted(int(bucket.subject_hash[:15], 16) for bucket in buckets):
                connection.execute(sa.text("SELECT pg_advisory_xact_lock(:number)"), {"number": number})

    def _insert(self, connection: sa.Connection, bucket: Bucket, *, lasts: int) -> str:
        attempt = secrets.token_hex(16)
        connection.execute(
            sa.insert(schema.attempts).values(
                attempt_id=attempt,
                limit_name=bucket.limit_name,
                subject_hash=bucket.subject_hash,
                expires_at=self._database.now(connection) + lasts,
            )
        )
        return attempt


def _wait(connection: sa.Connection, bucket: Bucket, *, now: int) -> int:
    """Return the microseconds until the bucket has room; 0 if it has."""
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
