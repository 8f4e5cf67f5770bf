"""All that one process needs of the store of accounts, over one database: opened and closed together."""

from collections.abc import Callable
from typing import Literal, TypeVar

import sqlalchemy as sa

from serving.concurrency import BoundedPool
from serving.metering.accounts import Accounts
from serving.metering.clock import Clock
from serving.metering.credits import Credits
from serving.metering.customers import Customers
from serving.metering.database import Database
from serving.metering.gate import Gate
from serving.metering.group_commit import GroupCommit
from serving.metering.orders import Orders
from serving.metering.records import Key
from serving.metering.sessions import Sessions
from serving.metering.store import store_opener
from serving.metering.unknown_keys import UnknownKeys

THREADS, LOOK_UP_THREADS = 4, 2
MAX_WAITING = 256
UNKNOWN_KEYS_PER_MINUTE = 60
PATIENCE_SECONDS = 5.0

_Result = TypeVar("_Result")


class Billing:
    """The store as a server uses it.

    Attributes:
        gate: identifies and settles calls, on the event loop.
        accounts, credits, orders, customers, sessions: the paths used rarely. They block: `run` them.

    Args:
        url: names the database, which `migrate` has brought up to date.
        durability: what SQLite flushes to the disk before a call is answered.
        clock: tells the time; without one SQLite takes the machine's clock and PostgreSQL its own.
        unknown_keys_per_minute: keys of a network that are looked up though nobody has them.
        patience: seconds that PostgreSQL may take for a statement, or a connection.
    """

    def __init__(
        self,
        url: str,
        *,
        durability: Literal["normal", "full"] = "normal",
        clock: Clock | None = None,
        unknown_keys_per_minute: int = UNKNOWN_KEYS_PER_MINUTE,
        patience: float = PATIENCE_SECONDS,
    ) -> None:
        self.database = Database(url, clock=clock, patience=patience)
        self.accounts = Accounts(self.database)
        self.credits = Credits(self.database)
        self.orders = Orders(self.database)
        self.customers = Customers(self.database)
        self.sessions = Sessions(self.database)
        self._commit = GroupCommit(store_opener(url, durability=durability, clock=clock, patience=patience))
        self._pool = BoundedPool("requests to the accounts", threads=THREADS, limit=MAX_WAITING)
        # Of their own: who tries keys out keeps nobody's account waiting.
        self._look_ups = BoundedPool("look-ups of keys", threads=LOOK_UP_THREADS, limit=MAX_WAITING)
        self.gate = Gate(self._commit, self._find_key, UnknownKeys(unknown_keys_per_minute))

    async def start(self) -> None:
        """Open the store for calls.

        Raises:
            StoreUnavailableError: it cannot be opened; asked again, it is tried again.
        """
        await self._commit.start()

    async def run(self, call: Callable[[], _Result]) -> _Result:
        """Return what a blocking call returns or raises, from a thread.

        Raises:
            OverloadedError: as many calls as are allowed are under way.
        """
        return await self._pool.run(call)

    async def check(self) -> None:
        """Check that the store answers.

        Raises:
            StoreUnavailableError: it does not.
        """
        await self.run(self._ping)

    async def close(self) -> None:
        """Settle what waits, then close everything."""
        await self._commit.close()
        self._pool.close()
        self._look_ups.close()
        self.database.close()

    async def _find_key(self, key_hash: str) -> Key | None:
        return await self._look_ups.run(lambda: self.accounts.find_key(key_hash))

    def _ping(self) -> None:
        with self.database.reading() as connection:
            connection.execute(sa.text("SELECT 1"))
