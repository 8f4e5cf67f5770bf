"""A shop over either engine, and a server that speaks enough of Stripe's API."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

import pytest

from serving.accounts.accounts import Accounts
from serving.accounts.credits import Credits
from serving.metering.database import Database
from serving.metering.records import Account
from serving.payments import Payments
from serving.payments.checkout import open_client
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


@dataclass(frozen=True)
class Asked:
    """One request that reached the server."""

    path: str
    headers: dict[str, str]
    form: dict[str, str]


@dataclass
class StripeServer:
    """Answers as Stripe's API, one prepared answer after the other; the last one stays."""

    url: str
    answers: list[tuple[int, dict[str, Any]]]
    asked: list[Asked] = field(default_factory=list)


@pytest.fixture
def stripe_server() -> Iterator[StripeServer]:
    """A server on the loopback that opens a session each time it is asked, unless told to answer otherwise."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            form = {name: values[0] for name, values in parse_qs(body, strict_parsing=True).items()}
            headers = {name.lower(): value for name, value in self.headers.items()}
            stripe.asked.append(Asked(self.path, headers, form))
            answers = stripe.answers
            status, answer = answers.pop(0) if len(answers) > 1 else answers[0]
            content = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Request-Id", f"req_{len(stripe.asked)}")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    session = {"id": "cs_1", "object": "checkout.session", "url": "https://checkout.example/pay/cs_1"}
    stripe = StripeServer(f"http://127.0.0.1:{server.server_port}", [(200, session)])
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield stripe
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def buyer() -> Account:
    return Account(7, "ada@example.org", "free", 1000, 1000, 0, 0, 0)
