"""Allowances of networks: so many a minute of something that costs the server work and nobody credits."""

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


class Allowances:
    """The allowance of each network, for one process: `per_minute`, which fills up again evenly.

    Args:
        per_minute: what a network may use in a minute.
        refusal: sentences for who has used up the allowance; `{most}` stands for it.
        clock: returns seconds that never go back.
    """

    def __init__(self, per_minute: int, *, refusal: str, clock: Callable[[], float] = monotonic) -> None:
        self._most = per_minute
        self._refusal = refusal
        self._clock = clock
        self._spent: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def require_room(self, address: str | None) -> None:
        """Raise an error if the allowance of an address's network is used up.

        Args:
            address: network address; None for this process itself, which is not limited.

        Raises:
            RateLimitedError: it tells when there is room again.
        """
        if address is not None:
            self._require_room(self._now_spent(_network(address)))

    def count(self, address: str | None) -> None:
        """Count one use."""
        if address is not None:
            network = _network(address)
            self._count(network, self._now_spent(network))

    def take(self, address: str | None) -> None:
        """Count one use, if there is room for it.

        Raises:
            RateLimitedError: the allowance is used up; nothing is counted.
        """
        if address is not None:
            network = _network(address)
            spent = self._now_spent(network)
            self._require_room(spent)
            self._count(network, spent)

    def _require_room(self, spent: float) -> None:
        over = spent - self._most + 1
        if over > 0:
            raise RateLimitedError(
                self._refusal.format(most=f"{self._most:,}"),
                retry_after_seconds=max(1, -int(-over * _MINUTE // self._most)),
            )

    def _count(self, network: str, spent: float) -> None:
        self._spent[network] = (spent + 1, self._clock())
        self._spent.move_to_end(network)
        if len(self._spent) > NETWORKS:
            self._spent.popitem(last=False)

    def _now_spent(self, network: str) -> float:
        """Return the part of its allowance that a network has used and not regained."""
        spent, at = self._spent.get(network, (0.0, 0.0))
        return max(0.0, spent - (self._clock() - at) * self._most / _MINUTE)


def _network(address: str) -> str:
    return network_of(address)[:_LONGEST]
