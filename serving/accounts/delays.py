"""Delays at one account: the more attempts to sign in to it fail, wherever from, the longer a network waits.

A network that comes while there is a delay gets a place: the moment from which one attempt of its own is
looked at, whatever others do meanwhile. So guesses from many networks come slowly, and shut nobody out.
Attempts are counted by address whether there is such an account or not.
"""

import sqlalchemy as sa

from serving.accounts.attempts import Limit, Throttle
from serving.metering.clock import HOUR, MINUTE, SECOND
from serving.metering.database import Database

FREE_FAILURES = 20
"""Failures within the hour that slow nobody down."""
STEP, LONGEST = 5 * SECOND, 15 * MINUTE
"""What each failure beyond those adds to the delay, and the longest that it grows to."""
PLACE_KEPT = HOUR
"""How long a place is kept once its moment has come."""
FAILURES_OF_ACCOUNT = Limit("failures_of_account", FREE_FAILURES + LONGEST // STEP, HOUR)
"""Failures that are counted: more would not make the delay longer."""
PLACES_AT_ACCOUNT = Limit("places_at_account", 1, PLACE_KEPT)


def delay(failures: int) -> int:
    """Return the microseconds that a network waits at an account after so many failures."""
    return max(0, min((failures - FREE_FAILURES + 1) * STEP, LONGEST))


class Delays:
    """Gives out places, inside the transactions of its callers."""

    def __init__(self, database: Database, throttle: Throttle) -> None:
        self._database = database
        self._throttle = throttle

    def left(self, connection: sa.Connection, email: str, network: str) -> int | None:
        """Return the microseconds that a network has still to wait; None where it has no place yet."""
        if not delay(self._throttle.count(connection, FAILURES_OF_ACCOUNT.of(email))):
            return 0
        kept_until = self._throttle.last_expiry(connection, PLACES_AT_ACCOUNT.of(email, network=network))
        if kept_until is None:
            return None
        return max(0, kept_until - PLACE_KEPT - self._database.now(connection))

    def wait(self, connection: sa.Connection, email: str, network: str) -> int:
        """Return the microseconds that a network has still to wait, and give it a place if it has none.

        Where there is nothing to wait for, its place is used up. Others are kept out of the account's delay
        to the end of the transaction; call it before other attempts are counted.
        """
        self._throttle.hold(connection, [FAILURES_OF_ACCOUNT.of(email)])
        place = PLACES_AT_ACCOUNT.of(email, network=network)
        left = self.left(connection, email, network)
        if left is None:
            left = delay(self._throttle.count(connection, FAILURES_OF_ACCOUNT.of(email)))
            self._throttle.note(connection, place, lasts=left + PLACE_KEPT)
        elif not left:
            self._throttle.empty(connection, place)
        return left

    def note_failure(self, connection: sa.Connection, email: str) -> str:
        """Count a failure at the account and return its id."""
        return self._throttle.note(connection, FAILURES_OF_ACCOUNT.of(email))

    def reset(self, connection: sa.Connection, email: str) -> None:
        """Forget the account's failures and all places at it."""
        for limit in (FAILURES_OF_ACCOUNT, PLACES_AT_ACCOUNT):
            self._throttle.empty_all(connection, limit, email)
