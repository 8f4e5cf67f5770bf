"""The store as the serving path sees it: one call settles a batch of work in one transaction."""

from collections.abc import Callable, Sequence
from typing import Literal, Protocol

from serving.metering.clock import Clock
from serving.metering.database import sqlite_path
from serving.metering.postgres import PostgresStore
from serving.metering.records import Outcome, Work
from serving.metering.sqlite import SqliteStore

Durability = Literal["normal", "full"]


class Store(Protocol):
    """One connection of one thread. A store is opened after the fork, in the thread that uses it."""

    def settle(self, work: Sequence[Work]) -> list[Outcome]:
        """Settle the work in order, in one transaction, and return once it is committed.

        Returns:
            One outcome for each piece of work, in its order.

        Raises:
            StoreUnavailableError: the database gave up or cannot be reached; it may have committed.
        """
        ...

    def close(self) -> None:
        """Close the connection."""
        ...


def store_opener(
    url: str, *, durability: Durability = "normal", clock: Clock | None = None
) -> Callable[[], Store]:
    """Give the function that opens a store on that URL, for the thread that is to own it.

    Args:
        url: `sqlite:///path` or `postgresql://...`.
        durability: `full` flushes every settlement to the disk; PostgreSQL does so as its operator set it.
        clock: tells the time; without one SQLite takes the machine's clock and PostgreSQL its own.
    """
    path = sqlite_path(url)
    if path is None:
        return lambda: PostgresStore(url, clock=clock)
    return lambda: SqliteStore(path, durability=durability, clock=clock)
