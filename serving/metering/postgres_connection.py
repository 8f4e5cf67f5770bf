"""Connections to PostgreSQL with time limits, kept by the server or, if it does not answer, the client."""

from math import ceil
from time import monotonic
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

_GRACE_SECONDS = 1.0
"""Seconds that the client waits longer than the server, whose own error message says more."""
_INTERVAL = 0.1
"""Seconds after which a wait checks for interruption, as psycopg's own waits do."""
_ALIVE = {"keepalives": 1, "keepalives_idle": 15, "keepalives_interval": 5, "keepalives_count": 3}
"""Keepalive settings by which a server that silently disappeared is noticed within half a minute."""


class PatientConnection(psycopg.Connection[Any]):
    """A connection that closes itself if the server takes too long."""

    patience: float | None = None
    """Seconds that the server has for each request; None for no limit."""

    def wait(self, gen: Any, interval: float = _INTERVAL, timeout: float | None = None) -> Any:
        """Wait for the server's answer, as psycopg does, but no longer than `patience`.

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
        url: `postgresql://...`; timeouts and keepalives in its query take precedence.
        autocommit: every statement is a transaction of its own, unless one is begun.
        patience: seconds for a statement, for a lock and for the connection; None for no limit.

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
