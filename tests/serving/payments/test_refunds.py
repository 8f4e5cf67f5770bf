"""Refunds and disputes: what is left is taken back, in proportion, never below zero and never twice."""

from itertools import permutations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from serving.payments.errors import PaymentMismatchError
from tests.serving.payments.stripe_events import NOON, disputed, failed_refund, paid, refunded


def test_a_whole_refund_takes_all_back_and_leaves_the_tier(shop):
    account = shop.account()
    shop.deliver(paid(account, "pro"), refunded(2000))
    assert shop.movements(account) == [("purchase", 5000), ("refund", -5000)]
    assert shop.accounts.get(account).tier == "pro"
    purchase = shop.credits.find_purchase("pi_1")
    assert (purchase.reversed, purchase.taken_back) == (5000, 5000)
    assert purchase.reversed_at is not None


def test_partial_refunds_take_back_their_part_each_once(shop):
    account = shop.account()
    first, second = refunded(100, at=NOON + 1), refunded(350, at=NOON + 2)
    shop.deliver(paid(account), first, first, second, first, second)
    assert shop.movements(account) == [("purchase", 1000), ("refund", -200), ("refund", -500)]


def test_fractions_of_credits_are_the_customers(shop):
    account = shop.account()
    shop.deliver(paid(account, "pro"), refunded(1))
    assert shop.wallet(account) == 4998  # a cent is 2.5 credits


def test_two_partial_refunds_within_one_second_both_count(shop):
    account = shop.account()
    shop.deliver(paid(account), refunded(300, at=NOON), refunded(100, at=NOON))
    assert shop.wallet(account) == 400


def test_what_was_spent_is_not_taken_back(shop):
    account = shop.account()
    shop.deliver(paid(account))
    shop.spend(account, 700)
    shop.deliver(refunded(500))
    assert shop.wallet(account) == 0
    purchase = shop.credits.find_purchase("pi_1")
    assert (purchase.reversed, purchase.taken_back) == (1000, 300)


def test_what_was_not_left_is_not_claimed_from_later_credits(shop):
    account = shop.account()
    shop.deliver(paid(account))
    shop.spend(account, 900)
    half, whole = refunded(250, at=NOON + 1), refunded(500, at=NOON + 2)
    shop.deliver(half)
    shop.credits.grant(account, 5000)
    shop.deliver(half)
    assert shop.wallet(account) == 5000
    shop.deliver(whole)
    assert shop.wallet(account) == 4500


def test_a_refund_when_nothing_is_left_moves_nothing(shop):
    account = shop.account()
    shop.deliver(paid(account))
    shop.spend(account, 1000)
    shop.deliver(refunded(500))
    assert shop.movements(account) == [("purchase", 1000), ("charge", -1000)]


def test_refunds_take_from_the_wallet_not_from_the_allotment(shop):
    account = shop.account()
    shop.deliver(paid(account))
    shop.spend(account, 1000)
    shop.deliver(refunded(500))
    assert shop.accounts.get(account).allotment == 1000


def test_a_refund_that_comes_before_its_purchase_is_settled_with_it(shop):
    account = shop.account()
    shop.deliver(refunded(200))
    assert shop.movements(account) == []
    shop.deliver(paid(account))
    assert shop.movements(account) == [("purchase", 1000), ("refund", -400)]
    assert shop.accounts.get(account).tier == "starter"


def test_refunds_of_other_payments_touch_nobody(shop):
    account = shop.account()
    shop.deliver(paid(account), refunded(500, payment="pi_of_a_stranger"))
    assert shop.movements(account) == [("purchase", 1000)]


def test_a_charge_without_a_payment_intent_is_ignored(shop):
    shop.deliver(refunded(500, payment=None))
    with shop.database.reading() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM reversals").scalar_one() == 0


@pytest.mark.parametrize("status", ["failed", "canceled"])
@pytest.mark.parametrize("kind", ["refund.failed", "refund.updated", "charge.refund.updated"])
def test_a_refund_that_fails_gives_back_what_it_took(shop, kind, status):
    account = shop.account()
    failed = failed_refund(200, kind=kind, status=status)
    shop.deliver(paid(account), refunded(200), failed, failed)
    assert shop.movements(account) == [("purchase", 1000), ("refund", -400), ("grant", 400)]


def test_a_refund_that_goes_on_changes_nothing(shop):
    account = shop.account()
    shop.deliver(paid(account), refunded(200), failed_refund(200, kind="refund.updated", status="succeeded"))
    assert shop.wallet(account) == 600


def test_a_refund_after_one_that_failed_counts_in_full(shop):
    account = shop.account()
    shop.deliver(
        paid(account),
        refunded(500, at=NOON + 1),
        failed_refund(500, at=NOON + 2),
        refunded(500, at=NOON + 3),
        failed_refund(500, at=NOON + 4, kind="refund.updated"),
    )
    assert shop.wallet(account) == 0


def test_a_dispute_takes_back_at_once_and_a_lost_one_takes_no_more(shop):
    account = shop.account()
    shop.deliver(
        paid(account),
        disputed(500),
        disputed(500, "under_review", at=NOON + 31, kind="charge.dispute.updated"),
        disputed(500, "needs_response", at=NOON + 31, kind="charge.dispute.funds_withdrawn"),
        disputed(500, "lost", at=NOON + 99, kind="charge.dispute.closed"),
    )
    assert shop.movements(account) == [("purchase", 1000), ("refund", -1000)]


def test_a_dispute_that_is_won_gives_back_what_it_took_and_no_more(shop):
    account = shop.account()
    shop.deliver(paid(account))
    shop.spend(account, 600)
    won = disputed(500, "won", at=NOON + 99, kind="charge.dispute.closed")
    shop.deliver(disputed(500), won, won)
    shop.deliver(disputed(500, "won", at=NOON + 100, kind="charge.dispute.funds_reinstated"))
    assert shop.movements(account) == [
        ("purchase", 1000),
        ("charge", -600),
        ("refund", -400),
        ("grant", 400),
    ]


def test_an_inquiry_withdraws_nothing(shop):
    account = shop.account()
    shop.deliver(
        paid(account),
        disputed(500, "warning_needs_response"),
        disputed(500, "warning_closed", at=NOON + 40, kind="charge.dispute.closed"),
    )
    assert shop.movements(account) == [("purchase", 1000)]


def test_the_end_of_a_dispute_may_come_before_its_beginning(shop):
    account = shop.account()
    won = disputed(500, "won", at=NOON + 99, kind="charge.dispute.closed")
    shop.deliver(paid(account), won, disputed(500))
    assert shop.movements(account) == [("purchase", 1000)]


def test_a_refund_and_a_dispute_together_take_no_more_than_was_bought(shop):
    account = shop.account()
    shop.credits.grant(account, 50)
    shop.deliver(paid(account), refunded(300), disputed(500))
    assert shop.wallet(account) == 50


def test_a_reversal_in_another_currency_is_refused_and_logged(shop, caplog):
    account = shop.account()
    shop.deliver(refunded(450, currency="eur"))
    shop.deliver(paid(account))
    with pytest.raises(PaymentMismatchError, match="450 eur of payment pi_1"):
        shop.deliver(refunded(450, currency="eur"))
    assert [record.message for record in caplog.records] == ["payment_mismatch"]
    assert shop.wallet(account) == 1000


def test_every_order_of_the_events_of_one_payment_ends_alike(shop):
    for number, order in enumerate(permutations(range(4))):
        account, payment = shop.account(), f"pi_{number}"
        bodies = [
            paid(account, payment=payment),
            refunded(100, payment=payment, at=NOON + 1),
            refunded(200, payment=payment, at=NOON + 2),
            disputed(100, payment=payment, at=NOON + 3),
        ]
        shop.deliver(*(bodies[place] for place in order))
        assert shop.wallet(account) == 400, order


def _reports(payment: str):
    """Whatever may be said of one payment: how, and by how much its refunds and disputes moved."""
    return [
        *(refunded(cents, payment=payment, at=NOON + cents) for cents in (100, 250)),
        failed_refund(150, payment=payment, at=NOON + 300),
        refunded(200, payment=payment, at=NOON + 400),
        disputed(250, payment=payment, at=NOON + 500),
        disputed(250, "won", payment=payment, at=NOON + 600, kind="charge.dispute.closed"),
        disputed(50, payment=payment, dispute="dp_2", at=NOON + 550),
    ]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    sent=st.lists(st.integers(0, 6), max_size=14),
    at=st.integers(0, 14),
    spent=st.integers(0, 1000),
)
def test_whatever_is_said_nothing_is_taken_twice_or_below_zero(shop, sent, at, spent):
    account = shop.account()
    payment = f"pi_{account}"
    reports = _reports(payment)
    bodies = [reports[number] for number in sent]
    shop.deliver(*bodies[:at], paid(account, payment=payment))
    shop.spend(account, min(spent, shop.wallet(account)))
    shop.deliver(*bodies[at:])
    purchase = shop.credits.find_purchase(payment)
    assert 0 <= purchase.taken_back <= purchase.reversed <= purchase.credits
    assert sum(moved for kind, moved in shop.movements(account) if kind != "charge") == (
        purchase.credits - purchase.taken_back
    )
    again = shop.movements(account)
    shop.deliver(*bodies, paid(account, payment=payment))
    assert shop.movements(account) == again
    shop.deliver(*reports)
    assert shop.credits.find_purchase(payment).reversed == 500
