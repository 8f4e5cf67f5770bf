"""Connections of a worker: limits on their number, those closed to make room, and regular checks of each.

A connection holds a descriptor and memory for as long as its client likes. All of them are checked once a
second, which costs less than a timer for each request. If there is no more room, those that have kept the
server waiting longest are closed.
"""

import asyncio
import ipaddress
import logging
from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum, auto
from heapq import nsmallest
from time import monotonic
from typing import Protocol

from serving.contract.errors import OverloadedError
from serving.process.descriptors import left_for_connections
from serving.settings.settings import Settings

LOOK_SECONDS = 1.0
"""Seconds between two checks. A client gets its limit at least, and up to two such intervals more."""
LEAST = 8
"""Least number of connections that a worker accepts, however few files it may have open."""
RETRY_AFTER_SECONDS = 1
"""Seconds after which a client that found no room may try again."""
RESERVE = 8
"""Connections above the limit that are accepted for health checks alone."""
SHARE = 32
"""Divisor that gives the connections closed to make room: one in this many of all, and one more."""
MOST_LONG = 64
"""Most connections that hold a long address: 20 MB, as each is held whole and by its query."""
MOST_HELD = 1 << 24
"""Most bytes of requests that wait unparsed, on all connections, for the answer to an earlier request."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits that a worker sets its clients.

    Attributes:
        connections: most connections of all clients.
        per_address: connections of one client address, unless it is a trusted proxy.
        proxies: addresses and networks of trusted proxies; `*` for all addresses.
        header_seconds: seconds for the head of a request.
        body_seconds: seconds for a body that comes slowly.
        idle_seconds: seconds for a connection without a request.
        write_seconds: seconds for an answer of which the client takes nothing.
    """

    connections: int = 4096
    per_address: int = 256
    proxies: tuple[str, ...] = ()
    header_seconds: float = 15.0
    body_seconds: float = 30.0
    idle_seconds: float = 75.0
    write_seconds: float = 30.0

    @classmethod
    def from_settings(cls, settings: Settings) -> "Limits":
        """Return the limits that the operator set."""
        return cls(
            connections=settings.max_connections,
            per_address=settings.connections_per_address,
            proxies=settings.trusted_proxies,
            header_seconds=settings.header_seconds,
            body_seconds=settings.body_seconds,
            idle_seconds=settings.idle_seconds,
            write_seconds=settings.write_seconds,
        )


class Admission(Enum):
    """Requests that a new connection may make."""

    ALL = auto()
    HEALTH = auto()
    NOTHING = auto()


class Connection(Protocol):
    """One connection, as seen by the regular checks."""

    client: tuple[str, int] | None
    since: float
    """Time at which the present phase began, by `Connections.now`: that may be up to `LOOK_SECONDS` too
    early."""

    @property
    def is_waiting(self) -> bool:
        """Return whether the server is waiting for the client."""

    def look(self, now: float) -> None:
        """Close the connection if the client has taken too long."""

    def give_way(self) -> None:
        """Close the connection at once."""


class Connections:
    """All connections of this process.

    Attributes:
        limits: limits for clients.
        now: time of the last check, by the monotonic clock.
        held: bytes that wait unparsed on all connections.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.now = monotonic()
        self.held = 0
        # In the order in which they came, which settles who waits longer within one second.
        self._all: dict[Connection, None] = {}
        self._by_network: dict[str, dict[Connection, None]] = {}
        self._long: dict[Connection, None] = {}
        self._most: int | None = None
        self._trusts_all = "*" in limits.proxies
        self._proxies = [ipaddress.ip_network(one, strict=False) for one in limits.proxies if one != "*"]

    def __len__(self) -> int:
        return len(self._all)

    @property
    def most(self) -> int:
        """Most connections at a time: the operator's number, or fewer if too few files may be open."""
        if self._most is None:
            # Counted when the first client comes: the worker has by then opened what it needs.
            self._most = max(LEAST, min(self.limits.connections, left_for_connections() - RESERVE))
            if self._most < self.limits.connections:
                _log.warning("connections_bounded_by_open_files", extra={"connections": self._most})
        return self._most

    def admit(self, connection: Connection) -> Admission:
        """Accept a connection; if there is no room, close others that keep the server waiting."""
        address = connection.client[0] if connection.client else ""
        neighbours = self._by_network.get(_network(address), {})
        beyond = len(neighbours) + 1 - self.limits.per_address
        if beyond > 0:
            beyond = 0 if self._is_proxy(address) else beyond - self._make_room(neighbours, 1)
        if len(self._all) >= self.most:
            self._make_room(self._all, 1 + self.most // SHARE)
        beyond = max(beyond, len(self._all) + 1 - self.most)
        if beyond > RESERVE:
            return Admission.NOTHING
        self._all[connection] = None
        self._by_network.setdefault(_network(address), {})[connection] = None
        return Admission.ALL if beyond <= 0 else Admission.HEALTH

    def hold_address(self, connection: Connection) -> None:
        """Note that a connection holds a long address; if too many do, close one that keeps us waiting.

        Raises:
            OverloadedError: all of them are being answered.
        """
        if len(self._long) >= MOST_LONG and not self._make_room(self._long, 1):
            raise OverloadedError(
                f"The server has as many long addresses as it takes on, {MOST_LONG}. Try again.",
                retry_after_seconds=RETRY_AFTER_SECONDS,
            )
        self._long[connection] = None

    def drop_address(self, connection: Connection) -> None:
        """Note that a connection holds no long address any more."""
        self._long.pop(connection, None)

    def leave(self, connection: Connection) -> None:
        """Forget a connection that is closed or about to be closed."""
        self._all.pop(connection, None)
        self._long.pop(connection, None)
        network = _network(connection.client[0] if connection.client else "")
        neighbours = self._by_network.get(network, {})
        neighbours.pop(connection, None)
        if not neighbours:
            self._by_network.pop(network, None)

    async def watch(self) -> None:
        """Check every connection once a second, until cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            self.look()

    def look(self) -> None:
        """Check every connection."""
        self.now = now = monotonic()
        for connection in tuple(self._all):
            try:
                connection.look(now)
            except Exception as error:
                # One connection must not keep the others from being looked at.
                _log.error("connection_not_looked_at", exc_info=error)
                connection.give_way()

    def _make_room(self, among: Collection[Connection], number: int) -> int:
        """Close the connections that have kept the server waiting longest; return their number."""
        waiting = [one for one in among if one.is_waiting]
        chosen = nsmallest(number, waiting, key=lambda one: one.since)
        for connection in chosen:
            self.leave(connection)
            connection.give_way()
        return len(chosen)

    def _is_proxy(self, address: str) -> bool:
        if self._trusts_all:
            return True
        try:
            found = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self._proxies)


def _network(address: str) -> str:
    """Return the network that identifies a client: its IPv4 address, or the network of an IPv6 address."""
    if ":" not in address:
        return address
    # Whoever has one address of such a network has all of them.
    return str(ipaddress.ip_network((address.partition("%")[0], 64), strict=False))
