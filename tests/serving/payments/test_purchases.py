"""Payments that are announced: credited once and only once, or not at all."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from serving.contract.errors import ValidationError
from serving.payments.errors import PaymentMismatchError
from tests.serving.payments.stripe_events import event, paid


def test_a_paid_checkout_fills_the_wallet_and_raises_the_tier(shop):
    account = shop.account()
    shop.deliver(paid(account, "pro", event_id="evt_pro"))
    assert shop.movements(account) == [("purchase", 5000)]
    assert shop.accounts.get(account).tier == "pro"
    assert shop.accounts.ledger(account)[0].request_id == "evt_pro"
    purchase = shop.credits.find_purchase("pi_1")
    assert (purchase.account_id, purchase.pack, purchase.price_cents) == (account, "pro", 2000)


def test_an_event_that_comes_again_credits_nothing(shop):
    account = shop.account()
    body = paid(account)
    shop.deliver(body, body, body)
    assert shop.movements(account) == [("purchase", 1000)]


def test_a_payment_that_two_events_announce_is_credited_once(shop):
    account = shop.account()
    shop.deliver(paid(account), paid(account, kind="checkout.session.async_payment_succeeded"))
    assert shop.movements(account) == [("purchase", 1000)]


def test_a_checkout_that_is_not_paid_yet_waits_for_its_payment(shop):
    account = shop.account()
    shop.deliver(paid(account, payment_status="unpaid"))
    assert shop.movements(account) == []
    shop.deliver(paid(account, kind="checkout.session.async_payment_succeeded"))
    assert shop.movements(account) == [("purchase", 1000)]


def test_two_payments_of_one_pack_are_two_purchases(shop):
    account = shop.account()
    shop.deliver(paid(account, payment="pi_1"), paid(account, payment="pi_2"))
    assert shop.movements(account) == [("purchase", 1000), ("purchase", 1000)]


def test_a_smaller_pack_does_not_lower_the_tier(shop):
    account = shop.account()
    shop.deliver(paid(account, "bulk", payment="pi_1"), paid(account, "starter", payment="pi_2"))
    assert shop.accounts.get(account).tier == "bulk"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"amount_total": 499}, "499 usd were paid for pack starter, which costs 500 usd"),
        ({"amount_total": 50_000}, "50000 usd"),
        ({"currency": "eur"}, "500 eur"),
        ({"amount_total": 0, "payment_status": "no_payment_required", "payment_intent": None}, "0 usd"),
        ({"client_reference_id": "999"}, "which account"),
        ({"client_reference_id": None}, "which account"),
    ],
)
def test_a_payment_that_does_not_fit_its_pack_is_refused_and_logged(shop, caplog, changed, said):
    account = shop.account()
    with pytest.raises(PaymentMismatchError, match=said):
        shop.deliver(paid(account, event_id="evt_odd", **changed))
    assert shop.movements(account) == []
    assert shop.accounts.get(account).tier == "free"
    assert [record.message for record in caplog.records] == ["payment_mismatch"]
    assert "evt_odd" in caplog.records[0].problem


def test_an_unknown_account_is_refused_and_logged(shop, caplog):
    with pytest.raises(PaymentMismatchError, match="no account 4711"):
        shop.deliver(paid(4711))
    assert [record.message for record in caplog.records] == ["payment_mismatch"]
    assert shop.credits.find_purchase("pi_1") is None


@pytest.mark.parametrize("account", ["0", "-1", "1.0", "١", "abc", "9" * 30])
def test_an_account_that_is_no_number_is_refused(shop, account):
    with pytest.raises(PaymentMismatchError, match="which account"):
        shop.deliver(paid(account))


def test_an_unknown_pack_is_refused(shop):
    account = shop.account()
    with pytest.raises(PaymentMismatchError, match="'mega' is not a pack"):
        shop.deliver(paid(account, "mega"))


def test_a_refused_payment_is_credited_once_what_was_wrong_is_put_right(shop):
    with pytest.raises(PaymentMismatchError):
        shop.deliver(paid(1))
    account = shop.account()
    assert account == 1
    shop.deliver(paid(1))
    assert shop.movements(account) == [("purchase", 1000)]


def test_checkouts_of_others_in_the_same_stripe_account_are_ignored(shop):
    account = shop.account()
    shop.deliver(
        paid(account, metadata={}),
        paid(account, metadata=None),
        paid(account, metadata={"account_id": "1", "pack": "starter"}),
        event("checkout.session.expired", {"id": "cs_1", "object": "checkout.session"}),
        event("customer.created", {"id": "cus_1", "object": "customer"}),
    )
    assert shop.movements(account) == []


def test_one_payment_cannot_fill_two_accounts(shop):
    first, second = shop.account(), shop.account()
    shop.deliver(paid(first))
    with pytest.raises(PaymentMismatchError, match="another purchase"):
        shop.deliver(paid(second))
    assert shop.movements(second) == []


def test_one_event_cannot_pay_twice(shop):
    account = shop.account()
    shop.credits.purchase(account, "pro", event_id="evt", payment_id="pi_1")
    for pack, payment in (("pro", "pi_2"), ("bulk", "pi_1")):
        with pytest.raises(ValidationError, match="another purchase"):
            shop.credits.purchase(account, pack, event_id="evt", payment_id=payment)
    assert shop.movements(account) == [("purchase", 5000)]


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(deliveries=st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=10))
def test_whatever_is_delivered_each_payment_is_credited_once(shop, deliveries):
    account = shop.account()
    names = [f"pi_{account}_{payment}" for payment, _ in deliveries]
    for name, (_, number) in zip(names, deliveries, strict=True):
        shop.deliver(paid(account, payment=name, event_id=f"evt_{name}_{number}"))
    assert shop.movements(account) == [("purchase", 1000)] * len(set(names))
