"""Work of one kind keeps no other waiting: sign-ins and what Stripe reports, while 250 connections open pages."""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from serving.accounts.accounts import Accounts
from serving.metering.database import Database
from tests.serving.pages.conftest import copied, run_server
from tests.serving.pages.people import PASSWORD
from tests.serving.payments.stripe_events import KEY, SECRET, paid, sign
from tests.serving.servers import Server

pytestmark = pytest.mark.e2e
CONNECTIONS = 250
WEBHOOKS = 20


@pytest.fixture(scope="module")
def shop(snapshots_folder, sqlite_template, tmp_path_factory) -> Iterator[Server]:
    """A server that takes payments, with as many workers as a small machine has."""
    folder = tmp_path_factory.mktemp("shop")
    yield from run_server(
        folder,
        snapshots_folder,
        copied(sqlite_template, folder),
        LAW_STRIPE_SECRET_KEY=KEY,
        LAW_STRIPE_WEBHOOK_SECRET=SECRET,
        LAW_LOG_LEVEL="warning",
    )


@contextmanager
def flood(server: Server, path: str, headers: str = "") -> Iterator[Counter[str]]:
    """Ask for a page on many connections at once, again and again, and count the statuses."""
    seen: Counter[str] = Counter()
    stop = threading.Event()

    async def visit() -> None:
        while not stop.is_set():
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
                while not stop.is_set():
                    writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\n{headers}\r\n".encode())
                    head = await reader.readuntil(b"\r\n\r\n")
                    seen[head.split(b" ", 2)[1].decode()] += 1
                    length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
                    await reader.readexactly(length)
                writer.close()
            except (OSError, asyncio.IncompleteReadError):
                seen["refused"] += 1
                await asyncio.sleep(0.05)

    async def visits() -> None:
        await asyncio.gather(*(visit() for _ in range(CONNECTIONS)))

    thread = threading.Thread(target=lambda: asyncio.run(visits()))
    thread.start()
    try:
        yield seen
    finally:
        stop.set()
        thread.join()


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/formation/start?state=dc&entity=llc&name=Harbor+LLC", ""),
        ("/settings", "Cookie: lr_session=of-nobody; lr_form=x\r\nX-Forwarded-For: 198.51.100.9\r\n"),
    ],
)
def test_pages_starve_neither_webhooks_nor_sign_ins(shop, visit, path, headers):
    people = [visit(shop).sign_up() for _ in range(4)]
    database = Database(shop.database)
    account = Accounts(database).create().account_id
    statuses, signed_in = [], []
    with flood(shop, path, headers) as seen, httpx.Client(base_url=shop.url, timeout=60) as stripe:
        while sum(seen.values()) < 2 * CONNECTIONS:
            time.sleep(0.01)
        for number in range(WEBHOOKS):
            body = paid(account, payment=f"pi_{path[1:6]}_{number}")
            answer = stripe.post(
                "/payments/stripe/webhook", content=body, headers={"Stripe-Signature": sign(body)}
            )
            statuses.append(answer.status_code)
        for person in people:
            person.http.cookies.clear()
            answer = person.submit("/settings/sign-in", email=person.email, password=PASSWORD)
            signed_in.append((answer.status_code, person.get().status_code))
    wallet = Accounts(database).get(account).wallet
    database.close()
    print(f"{path}: pages {dict(seen)}; webhooks {Counter(statuses)}; sign-ins {Counter(signed_in)}")
    assert statuses == [200] * WEBHOOKS
    assert wallet == 1000 * WEBHOOKS
    assert signed_in == [(303, 200)] * 4
