"""The store as the hot path uses it: one call settles a batch of work in one transaction."""

from collections.abc import Callable, Sequence
from typing import Literal, Protocol

from serving.metering.clock import Clock
from serving.metering.database import sqlite_path
from serving.metering.postgres import PostgresStore
from serving.metering.records import Joining, Outcome, Work, nobody
from serving.metering.sqlite import SqliteStore

Durability = Literal["normal", "full"]


class Store(Protocol):
    """One connection to the store, opened after the fork and used by one thread at a time."""

    def settle(self, work: Sequence[Work], joining: Joining = nobody) -> list[Outcome]:
        """Settle the work in order, in one transaction, and return once it is committed.

        Args:
            work: the work to settle.
            joining: called at most once, when the transaction has its turn; its work goes along.

        Returns:
            One outcome for each piece of work, in its order, those that joined last.

        Raises:
            StoreUnavailableError: the database failed or cannot be reached; it may have committed.
        """
        ...

    def try_settle(self, work: Sequence[Work]) -> list[Outcome] | None:
        """Settle as `settle` does if that needs no waiting; else do nothing and return None.

        It is meant for the event loop, which may do a little work in memory but must not wait.
        """
        ...

    def close(self) -> None:
        """Close the connection."""
        ...


def store_opener(
    url: str,
    *,
    durability: Durability = "normal",
    clock: Clock | None = None,
    patience: float | None = None,
) -> Callable[[], Store]:
    """Return a function that opens a store on that URL, to be called on the thread that will own it.

    Args:
        url: `sqlite:///path` or `postgresql://...`.
        durability: `full` flushes every settlement to the disk; PostgreSQL does so as its operator set it.
        clock: source of time; without one SQLite takes the machine's clock and PostgreSQL its own.
        patience: seconds that PostgreSQL has for a statement, or a connection; None for no limit.
    """
    path = sqlite_path(url)
    if path is None:
        return lambda: PostgresStore(url, clock=clock, patience=patience)
    return lambda: SqliteStore(path, durability=durability, clock=clock)
