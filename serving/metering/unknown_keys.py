"""Limit on unknown keys: each costs the store a query, so a network may present only so many a minute."""

from collections.abc import Callable
from time import monotonic

from serving.metering.allowances import Allowances


class UnknownKeys(Allowances):
    """Counts the unknown keys of each network. Known keys are not counted.

    Args:
        per_minute: unknown keys of a network that may be looked up in a minute.
        clock: returns seconds that never go back.
    """

    def __init__(self, per_minute: int, *, clock: Callable[[], float] = monotonic) -> None:
        super().__init__(
            per_minute,
            refusal="This network sent {most} keys within a minute that no account has; this one was not "
            "looked up. Check the key, and wait.",
            clock=clock,
        )
