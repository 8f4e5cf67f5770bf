"""The store of a running server as its operator sees it: customers made to measure, and what was charged."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import sqlalchemy as sa

from serving.accounts.accounts import Accounts
from serving.accounts.credits import Credits
from serving.accounts.orders import Orders
from serving.metering import schema
from serving.metering.clock import Clock
from serving.metering.database import Database
from serving.metering.keys import SCOPES, digest, mint
from serving.metering.records import Charge, Entry, Settled
from serving.metering.store import store_opener
from serving.metering.tiers import ALLOTMENT

ALL_ENTRIES = 1_000_000
SPENT = "spent-"


@dataclass(frozen=True, slots=True)
class Customer:
    """An account and its keys as text."""

    account_id: int
    keys: tuple[str, ...]

    @property
    def key(self) -> str:
        return self.keys[0]


class Books:
    """Works on a server's store beside it."""

    def __init__(self, url: str, *, clock: Clock | None = None) -> None:
        self.database = Database(url, clock=clock)
        self.accounts = Accounts(self.database)
        self.credits = Credits(self.database)
        self.orders = Orders(self.database)
        self._open_store = store_opener(url, clock=clock)
        self._packs = 0

    def customer(
        self,
        *,
        balance: int = ALLOTMENT,
        tier: str = "free",
        keys: int = 1,
        scopes: tuple[str, ...] = SCOPES,
    ) -> Customer:
        """A new account of a tier with that many credits left: of the allotment first, the rest in the wallet."""
        account_id = self.accounts.create().account_id
        if tier != "free":
            self.buy(account_id, tier)
        self.leave(account_id, balance)
        minted = [self.accounts.create_key(account_id, name="test", scopes=scopes)[1] for _ in range(keys)]
        return Customer(account_id, tuple(one.text for one in minted))

    def customers(self, number: int, *, keys: int) -> list[Customer]:
        """So many new accounts of the smallest tier, their keys made at once."""
        minted = {self.accounts.create().account_id: [mint() for _ in range(keys)] for _ in range(number)}
        with self.database.writing() as connection:
            rows = [
                {"account_id": account_id, "key_hash": key.digest, "prefix": key.prefix, "name": f"{name}"}
                for account_id, made in minted.items()
                for name, key in enumerate(made)
            ]
            connection.execute(sa.insert(schema.keys).values(scopes=",".join(SCOPES), created_at=0), rows)
        return [Customer(account_id, tuple(key.text for key in made)) for account_id, made in minted.items()]

    def leave(self, account_id: int, balance: int) -> None:
        """Make it that many credits, by a grant or by one dear call."""
        surplus = self.balance(account_id) - balance
        if surplus < 0:
            self.credits.grant(account_id, -surplus)
        if surplus > 0:
            key, minted = self.accounts.create_key(account_id, name="spender", scopes=SCOPES)
            self._spend(account_id, minted.text, surplus)
            self.accounts.revoke_key(account_id, key.key_id)

    def buy(self, account_id: int, pack: str) -> None:
        self._packs += 1
        self.credits.purchase(account_id, pack, event_id=f"evt-{account_id}-{self._packs}")

    def _spend(self, account_id: int, key: str, cost: int) -> None:
        store = self._open_store()
        (outcome,) = store.settle([Charge(digest(key), cost, "search", f"{SPENT}{account_id}")])
        store.close()
        assert isinstance(outcome, Settled), outcome

    def balance(self, account_id: int) -> int:
        account = self.accounts.get(account_id)
        return account.allotment + account.wallet

    def entries(self, account_id: int, kind: str | None = None) -> list[Entry]:
        """The account's entries, oldest first."""
        found = self.accounts.ledger(account_id, limit=ALL_ENTRIES)
        return [entry for entry in reversed(found) if kind is None or entry.kind == kind]

    def charged(self, account_id: int) -> list[str]:
        """The ids of the requests that were charged through the server."""
        ids = [str(entry.request_id) for entry in self.entries(account_id, "charge")]
        return [one for one in ids if not one.startswith(SPENT)]

    def sum(self, account_id: int) -> int:
        """All that the account ever moved."""
        return sum(entry.allotment + entry.wallet for entry in self.entries(account_id))


@contextmanager
def opened_books(url: str, *, clock: Clock | None = None) -> Iterator[Books]:
    books = Books(url, clock=clock)
    yield books
    books.database.close()
