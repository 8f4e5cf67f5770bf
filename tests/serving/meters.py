"""The meter over either engine, on a clock that the test moves."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from serving.accounts.accounts import Accounts
from serving.accounts.credits import Credits
from serving.accounts.orders import Orders
from serving.metering.clock import SECOND
from serving.metering.database import Database
from serving.metering.records import Charge, Outcome, Receipt, Refund
from serving.metering.store import Store, store_opener

NOON = 1_795_003_200 * SECOND
"""18 November 2026, 12:00 UTC."""


class SetClock:
    """A clock that stands where the test puts it."""

    def __init__(self, instant: int) -> None:
        self.instant = instant

    def now(self) -> int:
        return self.instant

    def pass_(self, seconds: float) -> None:
        self.instant += round(seconds * SECOND)


@dataclass
class Meter:
    """One migrated database with everything that works on it, on a clock that the test moves."""

    url: str
    clock: SetClock
    database: Database
    accounts: Accounts
    credits: Credits
    orders: Orders
    store: Store

    def key(
        self, *, wallet: int = 0, scopes: tuple[str, ...] = ("search", "node"), tier: str = "free"
    ) -> tuple[int, str]:
        """A new account with one key: its id and the key's hash."""
        account = self.accounts.create()
        if tier != "free":
            self.credits.purchase(account.account_id, tier, event_id=f"evt-{account.account_id}")
        if wallet:
            self.credits.grant(account.account_id, wallet)
        return account.account_id, self.accounts.create_key(account.account_id, name="test", scopes=scopes)[
            1
        ].digest

    def charge(self, key_hash: str, *, cost: int = 1, times: int = 1) -> list[Outcome]:
        """Settle some like charges in one batch."""
        return self.store.settle([Charge(key_hash, cost, "node", f"r{number}") for number in range(times)])

    def refund(self, receipt: Receipt) -> Outcome:
        return self.store.settle([Refund(receipt, "back")])[0]


@pytest.fixture
def meter(url: str) -> Iterator[Meter]:
    clock = SetClock(NOON)
    database = Database(url, clock=clock)
    store = store_opener(url, clock=clock)()
    yield Meter(url, clock, database, Accounts(database), Credits(database), Orders(database), store)
    store.close()
    database.close()


@pytest.fixture
def live_meter(url: str) -> Iterator[Meter]:
    """As `meter`, by the engine's own time: what other processes go by."""
    database = Database(url)
    store = store_opener(url)()
    clock = SetClock(0)
    yield Meter(url, clock, database, Accounts(database), Credits(database), Orders(database), store)
    store.close()
    database.close()
