"""A shop over either engine, and a server of Stripe's API."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from serving.accounts.accounts import Accounts
from serving.accounts.credits import Credits
from serving.metering.database import Database
from serving.metering.records import Account
from serving.payments.checkout import open_client
from serving.payments.payments import Payments
from tests.serving.payments.stripe_api import StripeServer, stripe_running
from tests.serving.payments.stripe_events import KEY, SECRET, sign


@dataclass
class Shop:
    """One migrated database with the payments that fill it."""

    url: str
    database: Database
    accounts: Accounts
    credits: Credits
    payments: Payments

    def account(self) -> int:
        return self.accounts.create().account_id

    def deliver(self, *bodies: str) -> None:
        """Take events one after the other, as the webhook does."""
        for body in bodies:
            report = self.payments.read(body.encode(), sign(body))
            if report is not None:
                self.payments.apply(report)

    def wallet(self, account: int) -> int:
        return self.accounts.get(account).wallet

    def spend(self, account: int, amount: int) -> None:
        """Take credits out of the wallet, as a charge would once the allotment is used up."""
        with self.database.writing() as connection:
            connection.exec_driver_sql(
                "INSERT INTO ledger (account_id, entry_no, at, kind, allotment, wallet, balance_after) "
                f"SELECT account_id, entry_no + 1, 0, 'charge', 0, -{amount}, allotment + wallet - {amount} "
                f"FROM accounts WHERE account_id = {account}"
            )
            connection.exec_driver_sql(
                f"UPDATE accounts SET wallet = wallet - {amount}, entry_no = entry_no + 1 "
                f"WHERE account_id = {account}"
            )

    def movements(self, account: int) -> list[tuple[str, int]]:
        """Kind and credits of all that moved the wallet, oldest first."""
        entries = self.accounts.ledger(account, limit=1000)
        return [(entry.kind, entry.wallet) for entry in reversed(entries) if entry.wallet]


@pytest.fixture
def shop(url: str) -> Iterator[Shop]:
    """A shop whose ledger is checked at the end."""
    database = Database(url)
    wallets = Credits(database)
    payments = Payments(open_client(KEY), webhook_secret=SECRET, credits=wallets)
    yield Shop(url, database, Accounts(database), wallets, payments)
    assert not wallets.check_ledger()
    database.close()


@pytest.fixture
def stripe_server() -> Iterator[StripeServer]:
    with stripe_running() as server:
        yield server


@pytest.fixture
def buyer() -> Account:
    return Account(7, "ada@example.org", "free", 1000, 1000, 0, 0, 0)
