"""The way to the checkout: what Stripe is asked, over a real connection, and what is said when it fails."""

import dataclasses
import logging
import socket

import pytest

from serving.accounts.billing import Billing
from serving.contract.errors import OverloadedError
from serving.metering.migrations import migrate
from serving.metering.tiers import PACKS
from serving.payments.checkout import open_client
from serving.payments.enabled import payments_of
from serving.payments.payments import Payments
from serving.settings.settings import Settings
from tests.serving.payments.stripe_events import KEY, SECRET

BACK = "https://law.example/settings/bought"


def payments_at(address: str) -> Payments:
    return Payments(
        open_client(KEY, api_base=address),
        webhook_secret=SECRET,
        credits=None,  # type: ignore[arg-type]  # no payment comes in
    )


@pytest.mark.parametrize("pack", PACKS.values(), ids=PACKS)
def test_a_checkout_asks_the_price_of_the_pack_and_says_who_buys(stripe_server, buyer, pack):
    url = payments_at(stripe_server.url).checkout_url(buyer, pack, return_url=BACK)
    assert url == "https://checkout.example/pay/cs_1"
    (asked,) = stripe_server.asked
    assert asked.path == "/v1/checkout/sessions"
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.form == {
        "mode": "payment",
        "line_items[0][quantity]": "1",
        "line_items[0][price_data][currency]": "usd",
        "line_items[0][price_data][unit_amount]": str(pack.price_cents),
        "line_items[0][price_data][product_data][name]": f"{pack.credits:,} API credits ({pack.name} pack)",
        "client_reference_id": "7",
        "metadata[law_account_id]": "7",
        "metadata[law_pack]": pack.name,
        "payment_intent_data[metadata][law_account_id]": "7",
        "payment_intent_data[metadata][law_pack]": pack.name,
        "adaptive_pricing[enabled]": "false",
        "success_url": f"{BACK}?payment=success",
        "cancel_url": f"{BACK}?payment=canceled",
        "customer_email": "ada@example.org",
    }


def test_an_account_without_an_address_is_asked_for_one_there(stripe_server, buyer):
    nameless = dataclasses.replace(buyer, email=None)
    payments_at(stripe_server.url).checkout_url(nameless, PACKS["pro"], return_url=BACK)
    assert "customer_email" not in stripe_server.asked[0].form


def test_the_query_of_the_return_address_is_kept(stripe_server, buyer):
    payments_at(stripe_server.url).checkout_url(buyer, PACKS["pro"], return_url=f"{BACK}?tab=packs#top")
    assert stripe_server.asked[0].form["success_url"] == f"{BACK}?tab=packs&payment=success#top"


def test_a_request_that_is_repeated_carries_the_same_idempotency_key(stripe_server, buyer):
    stripe_server.answers.insert(0, (500, {"error": {"type": "api_error", "message": "down"}}))
    payments = payments_at(stripe_server.url)
    assert payments.checkout_url(buyer, PACKS["pro"], return_url=BACK)
    assert payments.checkout_url(buyer, PACKS["pro"], return_url=BACK)
    first, again, another = [asked.headers["idempotency-key"] for asked in stripe_server.asked]
    assert first == again != another


def test_an_address_that_stripe_does_not_take_is_left_out(stripe_server, buyer):
    refusal = {"type": "invalid_request_error", "param": "customer_email", "message": "Invalid email"}
    stripe_server.answers.insert(0, (400, {"error": refusal}))
    assert payments_at(stripe_server.url).checkout_url(buyer, PACKS["pro"], return_url=BACK)
    assert ["customer_email" in asked.form for asked in stripe_server.asked] == [True, False]


def test_stripe_out_of_reach_is_said_so(buyer):
    with socket.create_server(("127.0.0.1", 0)) as closed:
        address = f"http://127.0.0.1:{closed.getsockname()[1]}"
    with pytest.raises(OverloadedError, match="cannot be reached; nothing was charged"):
        payments_at(address).checkout_url(buyer, PACKS["pro"], return_url=BACK)


@pytest.mark.parametrize(
    ("status", "error", "said"),
    [
        (500, {"type": "api_error"}, "cannot be reached"),
        (429, {"type": "invalid_request_error", "code": "rate_limit"}, "cannot be reached"),
        (401, {"type": "invalid_request_error"}, "Tell the operator"),
        (403, {"type": "invalid_request_error"}, "Tell the operator"),
        (400, {"type": "invalid_request_error", "param": "mode"}, "Tell the operator"),
    ],
)
def test_what_stripe_refuses_is_logged_and_nobody_is_charged(
    stripe_server, buyer, caplog, status, error, said
):
    stripe_server.answers[:] = [(status, {"error": {"message": "no"} | error})]
    with pytest.raises(OverloadedError, match=said) as raised:
        payments_at(stripe_server.url).checkout_url(buyer, PACKS["pro"], return_url=BACK)
    assert KEY not in str(raised.value)
    (record,) = [record for record in caplog.records if record.message == "checkout_failed"]
    assert (record.levelno, record.stripe_status, record.account_id) == (logging.ERROR, status, 7)
    assert record.stripe_request_id.startswith("req_")
    assert KEY not in caplog.text


def test_an_answer_without_an_address_is_an_error(stripe_server, buyer):
    stripe_server.answers[:] = [(200, {"id": "cs_1", "object": "checkout.session", "url": None})]
    with pytest.raises(OverloadedError, match="did not open"):
        payments_at(stripe_server.url).checkout_url(buyer, PACKS["pro"], return_url=BACK)


@pytest.mark.parametrize(
    ("key", "secret", "sells"),
    [(KEY, SECRET, True), (KEY, None, False), (None, SECRET, False), (None, None, False)],
)
def test_packs_are_sold_where_both_secrets_are_set(tmp_path, key, secret, sells):
    url = f"sqlite:///{tmp_path / 'law.db'}"
    migrate(url)
    billing = Billing(url)
    settings = Settings(stripe_secret_key=key, stripe_webhook_secret=secret)
    assert (payments_of(settings, billing) is not None) == sells
    assert KEY not in repr(settings) + repr(payments_of(settings, billing))
    billing.database.close()
