"""Orders and receipts of an account: what was bought and ordered, and that nobody else sees it."""

import re

import pytest

from serving.accounts.credits import Credits
from serving.accounts.orders import Orders
from serving.metering.database import Database
from serving.metering.records import Reversal

pytestmark = pytest.mark.e2e


@pytest.fixture
def ordered(server, customer) -> str:
    """An order that the customer has opened: its id."""
    page = "/formation/start?state=dc&entity=llc"
    opened = customer.submit("/formation/start", page=page, name="Harbor & Sons LLC")
    (order,) = re.findall(r"id=\"order-id\">([0-9a-f-]+)<", opened.text)
    return str(order)


def test_an_order_is_tracked_without_its_token(server, customer, ordered):
    address = f"/settings/orders/{ordered}"
    assert f'href="{address}">Harbor &amp; Sons LLC<' in customer.get("/settings/orders").text
    database = Database(server.database)
    for state in ("payment", "setup"):
        Orders(database).advance(ordered, state)
    page = customer.get(address).text
    steps = re.findall(r"<li( aria-current=\"step\")?>([\w ]+?) <span class=\"hint\">(to come|<time)", page)
    assert [(bool(current), name, is_to_come == "to come") for current, name, is_to_come in steps] == [
        (False, "Details", False),
        (False, "Payment", False),
        (True, "Setup", False),
        (False, "Final review", True),
        (False, "Filing", True),
        (False, "Filed with the state", True),
        (False, "Documents delivered", True),
    ]
    Orders(database).cancel(ordered)
    database.close()
    canceled = customer.get(address).text
    assert "<strong>Canceled</strong>" in canceled
    assert "to come" not in canceled


def test_a_pack_has_a_receipt_that_tells_of_refunds(server, customer, ordered):
    database = Database(server.database)
    account = Orders(database).get(ordered).account_id
    payment = f"pi_{ordered[:8]}"
    Credits(database).purchase(account, "pro", event_id=f"evt_{payment}", payment_id=payment)
    listed = customer.get("/settings/orders").text
    assert f'href="/settings/receipts/{payment}"' in listed
    receipt = customer.get(f"/settings/receipts/{payment}").text
    for told in (payment, customer.email, "5,000 credits", "<strong>$20</strong>", server.url):
        assert told in receipt
    assert "Refunded" not in receipt
    Credits(database).reverse(
        Reversal("ch_1", "refunds", payment, amount_cents=500, at=1, event_id=f"evt_back_{payment}")
    )
    database.close()
    assert "1,250 of 5,000 credits" in customer.get(f"/settings/receipts/{payment}").text
    assert "refunded in part" in customer.get("/settings/orders").text


def test_nobody_sees_the_orders_of_others(server, customer, ordered, visit):
    database = Database(server.database)
    account = Orders(database).get(ordered).account_id
    payment = f"pi_other_{ordered[:8]}"
    Credits(database).purchase(account, "starter", event_id=f"evt_{payment}", payment_id=payment)
    database.close()
    stranger = visit(server).sign_up()
    paths = (f"/settings/orders/{ordered}", f"/settings/receipts/{payment}")
    for path in paths:
        assert customer.get(path).status_code == 200
        assert stranger.get(path).status_code == 404
    listed = stranger.get("/settings/orders").text
    assert "No pack was bought yet" in listed
    assert "No formation was ordered yet" in listed


@pytest.mark.parametrize("path", ["orders", "orders/x", "receipts/x"])
def test_a_stranger_is_asked_to_sign_in(person, path):
    assert person.get(f"/settings/{path}").status_code == 401
