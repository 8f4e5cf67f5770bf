"""Admission of attempts to sign in: decides whose password is checked and who has to wait.

A browser that has signed in to the account before has a count of its own, and nothing that others do keeps it
out. Any other is counted by its network, by its network at this account, and slowed by failures at this
account from everywhere. No answer tells whether there is such an account.
"""

from collections.abc import Sequence

import sqlalchemy as sa

from serving.accounts.attempts import (
    SIGN_INS_FROM_NETWORK,
    SIGN_INS_FROM_RANGE,
    SIGN_INS_OF_ACCOUNT,
    SIGN_INS_OF_DEVICE,
    Bucket,
    Throttle,
)
from serving.accounts.delays import Delays
from serving.accounts.devices import find_device
from serving.accounts.expiry import sweep
from serving.contract.errors import TooManyAttemptsError
from serving.metering import schema
from serving.metering.addresses import network_of, range_of
from serving.metering.clock import SECOND
from serving.metering.database import Database
from serving.metering.keys import digest


class Admission:
    """Counts attempts to sign in before their passwords are checked."""

    def __init__(self, database: Database, throttle: Throttle) -> None:
        self._database = database
        self._throttle = throttle
        self._delays = Delays(database, throttle)

    def admit(self, email: str, *, address: str, devices: Sequence[str]) -> Sequence[str]:
        """Count an attempt to sign in and return its ids, so that it can be uncounted if it succeeds.

        Args:
            email: the account's address, as stored.
            address: network address of the attempt.
            devices: tokens by which accounts know the browser.

        Raises:
            TooManyAttemptsError: the attempt must not be checked now.
        """
        network = network_of(address)
        # A flood must not queue for turns to write, for which every charge waits.
        with self._database.reading(behind=True) as connection:
            known = find_device(
                connection, schema.accounts.c.email == email, devices, now=self._database.now(connection)
            )
            if known is not None:
                buckets = [SIGN_INS_OF_DEVICE.of(digest(known.token))]
            else:
                buckets = _of_strangers(email, address)
            self._throttle.require_room(connection, buckets)
            _require_no_wait(0 if known else self._delays.left(connection, email, network) or 0)
        wait = 0
        attempts: list[str] = []
        with self._database.writing() as connection:
            if known is None:
                wait = self._delays.wait(connection, email, network)
            if not wait:
                attempts += self._throttle.take(connection, buckets)
                if known is None:
                    attempts.append(self._delays.note_failure(connection, email))
            sweep(connection, schema.attempts, now=self._database.now(connection))
        # Raised only now: the place in the queue is kept.
        _require_no_wait(wait)
        return attempts

    def forget(self, connection: sa.Connection, email: str) -> None:
        """Forget all failures at an account, from any network, because it has a new password."""
        self._throttle.empty_all(connection, SIGN_INS_OF_ACCOUNT, email)
        self._delays.reset(connection, email)


def _of_strangers(email: str, address: str) -> list[Bucket]:
    network = network_of(address)
    return [
        SIGN_INS_FROM_NETWORK.of(network),
        SIGN_INS_FROM_RANGE.of(range_of(address)),
        SIGN_INS_OF_ACCOUNT.of(email, network=network),
    ]


def _require_no_wait(microseconds: int) -> None:
    if microseconds:
        raise TooManyAttemptsError(retry_after_seconds=-(-microseconds // SECOND))
