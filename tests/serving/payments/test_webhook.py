"""The webhook over HTTP: who may report, and how each report is answered."""

import json
import time

import falcon
import falcon.asgi
import falcon.testing
import pytest

from serving.concurrency.pool import BoundedPool
from serving.contract.errors import LawError
from serving.http.errors import LawErrorHandler, handle_http_error, handle_unexpected
from serving.http.resources.payments import MAX_BODY, WEBHOOK_PATH, add_payments
from tests.serving.payments.stripe_events import event, paid, refunded, sign


def client_of(payments, pool) -> falcon.testing.TestClient:
    app = falcon.asgi.App()
    app.add_error_handler(Exception, handle_unexpected)
    app.add_error_handler(falcon.HTTPError, handle_http_error)
    app.add_error_handler(LawError, LawErrorHandler(upgrade_url="https://law.example/settings#packs"))
    add_payments(app, payments, pool)
    return falcon.testing.TestClient(app)


@pytest.fixture
def pool():
    pool = BoundedPool("payments", threads=2, limit=4)
    yield pool
    pool.close()


@pytest.fixture
def send(shop, pool):
    """Sends a body to the webhook, signed unless told otherwise."""
    client = client_of(shop.payments, pool)

    def send(body: str | bytes, *, signature: str | None = "", **options):
        if signature == "":
            signature = sign(body if isinstance(body, str) else body.decode())
        headers = {} if signature is None else {"Stripe-Signature": signature}
        return client.simulate_post(WEBHOOK_PATH, body=body, headers=headers, **options)

    return send


def assert_refused(result, *, status=400, code="bad_request") -> None:
    assert result.status_code == status
    assert result.json["error"] == code
    assert result.json["message"]
    assert result.headers["cache-control"] == "no-store"


def test_a_signed_purchase_is_credited(shop, send):
    account = shop.account()
    result = send(paid(account, "bulk"))
    assert (result.status_code, result.json) == (200, {"received": True})
    assert shop.wallet(account) == 15_000


def test_an_event_sent_again_is_answered_alike_and_credits_nothing(shop, send):
    account = shop.account()
    body = paid(account)
    assert [send(body).status_code for _ in range(3)] == [200] * 3
    assert shop.movements(account) == [("purchase", 1000)]


def test_a_refund_is_taken_back(shop, send):
    account = shop.account()
    assert [send(body).status_code for body in (paid(account), refunded(250))] == [200, 200]
    assert shop.wallet(account) == 500


def test_a_body_signed_with_another_secret_is_refused(shop, send):
    account = shop.account()
    body = paid(account)
    assert_refused(send(body, signature=sign(body, secret="whsec_of_another")))
    assert shop.wallet(account) == 0


def test_a_body_that_was_changed_is_refused(shop, send):
    account = shop.account()
    body = paid(account)
    assert_refused(send(body.replace("starter", "bulk"), signature=sign(body)))
    assert shop.wallet(account) == 0


def test_a_signature_older_than_five_minutes_is_refused(shop, send):
    account = shop.account()
    body, now = paid(account), int(time.time())
    assert_refused(send(body, signature=sign(body, timestamp=now - 310)))
    assert shop.wallet(account) == 0
    assert send(body, signature=sign(body, timestamp=now - 280)).status_code == 200
    assert shop.wallet(account) == 1000


@pytest.mark.parametrize(
    "signature", [None, "v1=", "t=1", "t=now,v1=00", "t=1,v0=00", "\xe9", "t=1,v1=\xe9", "," * 500]
)
def test_a_missing_or_broken_signature_is_refused(shop, send, signature):
    account = shop.account()
    assert_refused(send(paid(account), signature=signature))
    assert shop.wallet(account) == 0


def test_a_right_signature_among_wrong_ones_is_accepted(shop, send):
    account = shop.account()
    body = paid(account)
    assert send(body, signature=f"{sign(body)},v1=00").status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        "",
        "no json",
        "[]",
        "3",
        "null",
        "{}",
        '{"object": "v2.core.event"}',
        '{"object": "event", "type": 5, "data": 3}',
        event("checkout.session.completed", {"metadata": {"law_account_id": "1", "law_pack": "starter"}}),
        event("charge.refunded", {"id": "ch_1", "payment_intent": "pi_1", "currency": "usd"}),
        event(
            "charge.refunded", {"id": "ch_1", "payment_intent": {}, "currency": "usd", "amount_refunded": 5}
        ),
        event("charge.dispute.created", {"id": "dp_1", "status": "lost", "payment_intent": "pi_1"}),
        event(
            "charge.refunded", {"id": "ch", "payment_intent": "p", "currency": "usd", "amount_refunded": "x"}
        ),
    ],
)
def test_a_signed_body_that_is_no_event_is_refused(send, body):
    assert_refused(send(body))


def test_a_body_that_is_no_text_is_refused(send):
    assert_refused(send(b"\xff\xfe", signature=sign("{}")))


def test_what_a_body_said_is_not_quoted_in_the_refusal(send):
    result = send(paid(1, customer_details={"email": "ada@example.org"}), signature="t=1,v1=00")
    assert_refused(result)
    assert "ada@" not in result.text


def test_a_body_larger_than_any_event_is_refused(send):
    body = event("customer.created", {"id": "cus_1", "padding": "x" * MAX_BODY})
    assert_refused(send(body))


def test_a_body_of_unknown_length_is_read_no_further_than_it_may_be(shop, pool):
    resource = falcon.testing.TestClient(client_of(shop.payments, pool).app)
    body = event("customer.created", {"id": "cus_1", "padding": "x" * MAX_BODY})
    headers = {"Stripe-Signature": sign(body), "Transfer-Encoding": "chunked"}
    result = resource.simulate_post(WEBHOOK_PATH, body=body, headers=headers)
    assert_refused(result)


def test_events_that_concern_no_credits_take_no_thread(shop, send, pool):
    pool.close()
    result = send(event("customer.created", {"id": "cus_1", "object": "customer"}))
    assert (result.status_code, result.json) == (200, {"received": True})


def test_a_payment_that_does_not_fit_is_answered_as_an_error_that_stripe_shows(shop, send):
    account = shop.account()
    assert_refused(send(paid(account, amount_total=1)), status=422, code="validation_error")
    assert_refused(send(paid(4711)), status=422, code="validation_error")


def test_a_store_that_is_gone_is_answered_so_that_stripe_tries_again(shop, send, tmp_path):
    account = shop.account()
    with shop.database.writing() as connection:
        connection.exec_driver_sql("ALTER TABLE purchases RENAME TO purchases_gone")
    assert send(paid(account)).status_code >= 500
    with shop.database.writing() as connection:
        connection.exec_driver_sql("ALTER TABLE purchases_gone RENAME TO purchases")
    assert send(paid(account)).status_code == 200
    assert shop.movements(account) == [("purchase", 1000)]


def test_live_and_test_events_are_treated_alike(shop, send):
    account = shop.account()
    live = json.loads(paid(account)) | {"livemode": True}
    assert send(json.dumps(live)).status_code == 200
    assert shop.wallet(account) == 1000


def test_other_methods_are_not_allowed(shop, pool):
    result = client_of(shop.payments, pool).simulate_get(WEBHOOK_PATH)
    assert_refused(result, status=405, code="method_not_allowed")


def test_without_stripe_there_is_no_webhook(pool):
    body = paid(1)
    client = client_of(None, pool)
    result = client.simulate_post(WEBHOOK_PATH, body=body, headers={"Stripe-Signature": sign(body)})
    assert_refused(result, status=404, code="not_found")
    assert result.json["kind"] == "path"
