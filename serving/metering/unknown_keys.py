"""Limit on unknown keys: each costs the store a query, so a network may present only so many a minute."""

from collections import OrderedDict
from collections.abc import Callable
from time import monotonic

from serving.contract.errors import RateLimitedError
from serving.metering.addresses import network_of

NETWORKS = 16_384
"""Most networks that are remembered; the one that was quiet longest is forgotten first."""
_MINUTE = 60.0
_LONGEST = 64
"""Characters of a network's name that are kept: addresses have 45 at most."""


class UnknownKeys:
    """Counts the unknown keys of each network, for one process. Known keys are not counted.

    A network has an allowance of `per_minute`, which fills up again evenly.

    Args:
        per_minute: unknown keys of a network that may be looked up in a minute.
        clock: returns seconds that never go back.
    """

    def __init__(self, per_minute: int, *, clock: Callable[[], float] = monotonic) -> None:
        self._most = per_minute
        self._clock = clock
        self._spent: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def require_room(self, address: str | None) -> None:
        """Raise an error for a key that is not in memory if its network's allowance is used up.

        Args:
            address: network address that the key came from; None for this process itself, which is not
                limited.

        Raises:
            RateLimitedError: it tells when the next key may be looked up.
        """
        over = self._now_spent(address) - self._most + 1
        if address is not None and over > 0:
            raise RateLimitedError(
                f"This network sent {self._most:,} keys within a minute that no account has; this one was "
                "not looked up. Check the key, and wait.",
                retry_after_seconds=max(1, -int(-over * _MINUTE // self._most)),
            )

    def count(self, address: str | None) -> None:
        """Count an unknown key."""
        if address is None:
            return
        network = _network(address)
        self._spent[network] = (self._now_spent(address) + 1, self._clock())
        self._spent.move_to_end(network)
        if len(self._spent) > NETWORKS:
            self._spent.popitem(last=False)

    def _now_spent(self, address: str | None) -> float:
        """Return the part of its allowance that a network has used and not regained, in keys."""
        spent, at = (0.0, 0.0) if address is None else self._spent.get(_network(address), (0.0, 0.0))
        return max(0.0, spent - (self._clock() - at) * self._most / _MINUTE)


def _network(address: str) -> str:
    return network_of(address)[:_LONGEST]
