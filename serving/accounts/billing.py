"""All that a process needs of the store of accounts, over one database, opened and closed together."""

import asyncio
from collections.abc import Callable
from typing import Literal, TypeVar

import sqlalchemy as sa

from serving.accounts.accounts import Accounts
from serving.accounts.authorizations.authorizations import Authorizations
from serving.accounts.credits import Credits
from serving.accounts.customers import Customers
from serving.accounts.orders import Orders
from serving.accounts.reports import Reports
from serving.accounts.request_history import RequestHistory
from serving.accounts.sessions import Sessions
from serving.concurrency.pool import BoundedPool
from serving.contract.errors import StoreUnavailableError
from serving.metering.checkpoints import Checkpoints
from serving.metering.clock import Clock
from serving.metering.database import Database, sqlite_path
from serving.metering.gate import Gate
from serving.metering.group_commit import GroupCommit
from serving.metering.health import BUSY, CORRUPT, OTHER, StoreHealth
from serving.metering.records import Key
from serving.metering.request_log import RequestLog
from serving.metering.store import store_opener
from serving.metering.tally import Tally
from serving.metering.unknown_keys import UnknownKeys

THREADS, LOOK_UP_THREADS = 4, 2
_STUCK_SECONDS = 15.0
"""Seconds without an answer from the store after which a test write counts as failed."""
MAX_WAITING = 256
UNKNOWN_KEYS_PER_MINUTE = 60
PATIENCE_SECONDS = 5.0
REQUEST_LOG_DAYS = 30

_Result = TypeVar("_Result")


class Billing:
    """The store as a server uses it.

    Attributes:
        gate: identifies and settles calls, on the event loop.
        accounts, authorizations, credits, orders, customers, reports, sessions: operations off the hot path.
            They block: call them through `run`.
        requests, request_history: the requests of accounts, as the doors note them and as holders read them.
        health: whether the store can be written.
        tally: counts of what was settled and refused.

    Args:
        url: URL of the database, which `migrate` has brought up to date.
        durability: what SQLite flushes to the disk before a call is answered.
        clock: source of time; without one SQLite takes the machine's clock and PostgreSQL its own.
        unknown_keys_per_minute: unknown keys that a network may have looked up.
        patience: seconds that PostgreSQL may take for a statement, or a connection.
        request_log_days: days for which requests are kept for account holders; 0: none is.
    """

    def __init__(
        self,
        url: str,
        *,
        durability: Literal["normal", "full"] = "normal",
        clock: Clock | None = None,
        unknown_keys_per_minute: int = UNKNOWN_KEYS_PER_MINUTE,
        patience: float = PATIENCE_SECONDS,
        request_log_days: int = REQUEST_LOG_DAYS,
    ) -> None:
        self.health = StoreHealth()
        self.tally = Tally()
        self.database = Database(url, clock=clock, patience=patience, health=self.health)
        self.accounts = Accounts(self.database)
        self.authorizations = Authorizations(self.database)
        self.credits = Credits(self.database)
        self.orders = Orders(self.database)
        self.customers = Customers(self.database)
        self.reports = Reports(self.database)
        self.sessions = Sessions(self.database)
        self._commit = GroupCommit(
            store_opener(url, durability=durability, clock=clock, patience=patience),
            health=self.health,
            tally=self.tally,
        )
        self._pool = BoundedPool("requests to the accounts", threads=THREADS, limit=MAX_WAITING)
        # Of their own: who tries keys out keeps nobody's account waiting.
        self._look_ups = BoundedPool("look-ups of keys", threads=LOOK_UP_THREADS, limit=MAX_WAITING)
        path = sqlite_path(url)
        self.requests = RequestLog(
            self.database,
            days=request_log_days,
            clock=clock,
            checkpoints=None if path is None else Checkpoints(path),
        )
        self.request_history = RequestHistory(self.database, days=request_log_days)
        self.gate = Gate(self._commit, self._find_key, UnknownKeys(unknown_keys_per_minute), self.tally)

    async def start(self) -> None:
        """Open the store for calls.

        Raises:
            StoreUnavailableError: it cannot be opened; another call tries again.
        """
        await self._commit.start()
        self.requests.start()

    def waiting(self) -> dict[str, int]:
        """Return how much is under way or waits: charges, requests to the accounts, look-ups of keys."""
        return {
            "charges": self._commit.waiting,
            "accounts": self._pool.depth(),
            "key_lookups": self._look_ups.depth(),
        }

    async def run(self, call: Callable[[], _Result]) -> _Result:
        """Run a blocking call on a thread, and return or raise its result.

        Raises:
            OverloadedError: as many calls as are allowed are under way.
        """
        return await self._pool.run(call)

    async def check(self) -> None:
        """Check that the store answers, and that its last write succeeded.

        Raises:
            StoreUnavailableError: it does not, or did not; the message says why.
        """
        self.health.require()
        await self.run(self._ping)

    async def try_writing(self) -> None:
        """Test whether the store can be written, and tell `health`. A failure is recorded and not raised."""
        trying = asyncio.create_task(asyncio.to_thread(self._try_writing))
        done, _ = await asyncio.wait({trying}, timeout=_STUCK_SECONDS)
        if not done:
            self.health.failed(StoreUnavailableError("Nothing was written in time.", cause=BUSY))
        await trying

    async def close(self) -> None:
        """Settle the work that waits, then close everything."""
        await self._commit.close()
        await self.requests.close()
        self._pool.close()
        self._look_ups.close()
        self.database.close()

    async def _find_key(self, key_hash: str) -> Key | None:
        return await self._look_ups.run(lambda: self.accounts.find_key(key_hash))

    def _try_writing(self) -> None:
        # The database tells `health` of a failure.
        try:
            if self.health.cause == CORRUPT:
                # The part that is damaged need not be the one that is written now.
                self.database.look_through()
                self.health.mended()
            self.database.try_writing()
        except StoreUnavailableError:
            return
        except sa.exc.SQLAlchemyError as error:
            # It answers, and has not what a store has: its tables.
            failure = StoreUnavailableError(f"The store of accounts is none: {error}", cause=OTHER)
            self.health.failed(failure)

    def _ping(self) -> None:
        with self.database.reading(behind=True) as connection:
            connection.execute(sa.text("SELECT 1"))
