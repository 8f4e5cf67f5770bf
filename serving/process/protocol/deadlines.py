"""Deadlines of a connection: a client that keeps the server waiting too long loses it."""

from enum import Enum, auto

from serving.process.protocol.connections import Limits
from serving.process.protocol.phases import BODY, HEAD, IDLE, LEAVING

MIN_RATE = 1_000
"""Bytes a second: a slower body must be complete within the time for bodies."""
ON_ITS_WAY_SECONDS = 0.3
"""Seconds for which a connection without a request outlives the order to close: its request may be coming."""
LINGER_SECONDS = 5.0
"""Seconds for which a connection lingers when no more input comes. Input is read and dropped, up to the time
for bodies, because closing at once could lose the answer. A client on a busy machine may well pause for a
second or two; nginx waits as long."""


class Overdue(Enum):
    """Ways in which a connection ends whose client took too long."""

    ABORT = auto()
    """At once, with what is unsent dropped."""
    CLOSE = auto()
    """Once all is sent."""
    REFUSE = auto()
    """With an answer that says why."""


class Deadlines:
    """Deadlines of one connection.

    Args:
        limits: limits for clients.
        now: time of the last check.
    """

    __slots__ = ("_limits", "_unsent", "_unsent_since")

    def __init__(self, limits: Limits, now: float) -> None:
        self._limits = limits
        self._unsent = 0
        self._unsent_since = now

    def is_stuck(self, unsent: int, now: float) -> bool:
        """Return whether the client has taken nothing of an answer for too long.

        Args:
            unsent: bytes of answers that wait for the client.
            now: time of this check.
        """
        if unsent != self._unsent:
            self._unsent, self._unsent_since = unsent, now
        return unsent > 0 and now - self._unsent_since > self._limits.write_seconds

    def missed(self, phase: int, waited: float, came: int) -> Overdue | None:
        """Return how the connection ends, if its present phase has lasted too long.

        Args:
            phase: the present phase.
            waited: seconds that it has lasted at least.
            came: bytes of the body that came in it, or of dropped input since the last check.
        """
        limits = self._limits
        if phase == IDLE and waited > limits.idle_seconds:
            return Overdue.CLOSE
        if phase == HEAD and waited > limits.header_seconds:
            return Overdue.REFUSE
        if phase == BODY and waited > limits.body_seconds and came < MIN_RATE * waited:
            return Overdue.REFUSE
        if phase == LEAVING and waited > (limits.body_seconds if came else LINGER_SECONDS):
            return Overdue.ABORT
        return None
