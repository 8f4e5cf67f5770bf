"""Events that reach several workers at once."""

import json
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest

from serving.accounts.credits import Credits
from serving.contract.errors import ValidationError
from serving.metering.database import Database
from tests.serving.payments.stripe_events import NOON, SECRET, disputed, paid, refunded, sign

WORKER = Path(__file__).with_name("worker.py")
ROOT = Path(__file__).parents[3]


def deliver_at_once(url: str, *bodies_of_workers: list[str]) -> Counter[str]:
    """Hand each process its events, let all begin together, and count how the events were taken."""
    processes = []
    for bodies in bodies_of_workers:
        process = subprocess.Popen(
            [sys.executable, str(WORKER), url, SECRET],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={"PYTHONPATH": str(ROOT)},
        )
        assert process.stdin is not None
        process.stdin.write(json.dumps([(body, sign(body)) for body in bodies]) + "\n")
        process.stdin.flush()
        processes.append(process)
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    return Counter(line for process in processes for line in process.communicate(timeout=120)[0].splitlines())


def test_a_payment_that_workers_hear_of_at_once_is_credited_once(shop):
    account = shop.account()
    completed = [paid(account, payment=f"pi_{number}", event_id=f"evt_{number}") for number in range(20)]
    succeeded = [
        paid(account, payment=f"pi_{number}", kind="checkout.session.async_payment_succeeded")
        for number in range(20)
    ]
    assert deliver_at_once(shop.url, completed, succeeded, completed, succeeded[::-1]) == {"taken": 80}
    assert shop.movements(account) == [("purchase", 1000)] * 20


def test_a_refund_that_meets_its_purchase_is_not_lost(shop):
    accounts = [shop.account() for _ in range(40)]
    bought = [paid(account, payment=f"pi_{account}") for account in accounts]
    returned = [refunded(500, payment=f"pi_{account}") for account in accounts]
    assert deliver_at_once(shop.url, bought, returned) == {"taken": 80}
    assert {shop.wallet(account) for account in accounts} == {0}
    assert {tuple(shop.movements(account)) for account in accounts} == {
        (("purchase", 1000), ("refund", -1000))
    }


def test_reversals_of_one_payment_that_meet_take_each_their_part(shop):
    account = shop.account()
    numbers = range(15)
    shop.deliver(*(paid(account, payment=f"pi_{number}") for number in numbers))
    first = [refunded(100, payment=f"pi_{number}", at=NOON + 1) for number in numbers]
    second = [refunded(200, payment=f"pi_{number}", at=NOON + 2) for number in numbers]
    third = [disputed(50, payment=f"pi_{number}", at=NOON + 3) for number in numbers]
    assert deliver_at_once(shop.url, first + third, second, third + first) == {"taken": 75}
    assert shop.wallet(account) == 15 * 500


def test_of_two_accounts_that_one_event_pays_at_once_one_is_credited(shop):
    accounts = [shop.account(), shop.account()]
    databases = [Database(shop.url) for _ in accounts]
    outcomes: list[str] = []
    barrier = threading.Barrier(2, timeout=60)

    def buy(account: int, database: Database) -> None:
        credits_of_worker = Credits(database)
        for number in range(25):
            barrier.wait()
            try:
                credits_of_worker.purchase(account, "starter", event_id=f"evt_{number}")
                outcomes.append("credited")
            except ValidationError:
                outcomes.append("refused")

    threads = [threading.Thread(target=buy, args=pair) for pair in zip(accounts, databases, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for database in databases:
        database.close()
    assert Counter(outcomes) == {"credited": 25, "refused": 25}
    assert sum(shop.wallet(account) for account in accounts) == 25_000


@pytest.mark.parametrize("same_order", [True, False])
def test_workers_that_hear_of_many_payments_in_other_orders_never_block_each_other(shop, same_order):
    accounts = [shop.account() for _ in range(4)]
    bodies = [
        paid(account, payment=f"pi_{account}_{number}", event_id=f"evt_{account}_{number}")
        for number in range(8)
        for account in accounts
    ]
    other = bodies if same_order else bodies[::-1]
    assert deliver_at_once(shop.url, bodies, other) == {"taken": 64}
    assert [shop.wallet(account) for account in accounts] == [8000] * 4
