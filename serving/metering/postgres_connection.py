"""Connections to PostgreSQL that wait for nothing longer than they are told to, on either side."""

from math import ceil
from time import monotonic
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

_GRACE_SECONDS = 1.0
"""By how much we wait longer than the server does, whose own error says more."""
_INTERVAL = 0.1
"""Seconds after which a wait looks whether it was interrupted, as psycopg's own do."""
_ALIVE = {"keepalives": 1, "keepalives_idle": 15, "keepalives_interval": 5, "keepalives_count": 3}
"""A server that is gone without a word is noticed within half a minute, though nothing is asked of it."""


class PatientConnection(psycopg.Connection[Any]):
    """A connection that is closed once the server takes too long over something."""

    patience: float | None = None
    """Seconds that the server has for each thing that is asked of it; None for as long as it takes."""

    def wait(self, gen: Any, interval: float = _INTERVAL, timeout: float | None = None) -> Any:
        """Wait for what was asked, as psycopg does.

        Raises:
            OperationalError: the server took too long; the connection is closed.
        """
        if self.patience is None:
            return super().wait(gen, interval, timeout)
        begun = monotonic()
        try:
            return super().wait(gen, interval, timeout or self.patience)
        except psycopg.OperationalError as error:
            if monotonic() - begun < self.patience:
                raise
            # Whatever it answers later is of no use, and to end in order would have us wait again.
            self.pgconn.finish()
            raise psycopg.OperationalError(
                f"The database did not answer within {self.patience:g} seconds."
            ) from error


def connect(url: str, *, patience: float | None, autocommit: bool) -> PatientConnection:
    """Open a connection.

    Args:
        url: `postgresql://...`; what its query says of timeouts and keepalives goes first.
        autocommit: every statement is a transaction of its own, unless one is begun.
        patience: seconds for a statement, for a lock and for the connection; None for as long as they take.

    Raises:
        OperationalError: the database cannot be reached, or not in time.
    """
    given = conninfo_to_dict(url)
    usual: dict[str, Any] = dict(_ALIVE)
    if patience is not None:
        statement = ceil(patience * 1000)
        limits = {
            "statement_timeout": statement,
            "lock_timeout": statement,
            "idle_in_transaction_session_timeout": 2 * statement,
        }
        ours = " ".join(f"-c {name}={value}" for name, value in limits.items())
        # What comes last holds.
        given["options"] = f"{ours} {given.get('options') or ''}".strip()
        usual |= {"connect_timeout": max(2, ceil(patience)), "tcp_user_timeout": statement}
    connection = PatientConnection.connect(autocommit=autocommit, **(usual | given))
    connection.patience = None if patience is None else patience + _GRACE_SECONDS
    return connection
