"""Events as Stripe sends and signs them."""

import json
from itertools import count
from typing import Any

import stripe

from serving.metering.tiers import PACKS

SECRET = "whsec_of_this_test"
KEY = "sk_test_of_this_test"
NOON = 1_795_003_200
"""18 November 2026, 12:00 UTC, in seconds, as Stripe counts."""

_numbers = count(1)


def sign(body: str, *, secret: str = SECRET, timestamp: int | None = None) -> str:
    """The header by which Stripe would vouch for the body."""
    header: str = stripe.WebhookSignature.generate_signature_header(body, secret, timestamp)
    return header


def event(kind: str, reported: dict[str, Any], *, at: int = NOON, event_id: str | None = None) -> str:
    """The body of an event."""
    return json.dumps(
        {
            "id": event_id or f"evt_of_this_test_{next(_numbers)}",
            "object": "event",
            "api_version": "2026-10-28.endive",
            "created": at,
            "livemode": False,
            "type": kind,
            "data": {"object": reported},
        }
    )


def paid(
    account: int,
    pack: str = "starter",
    *,
    payment: str = "pi_1",
    kind: str = "checkout.session.completed",
    event_id: str | None = None,
    **changed: Any,
) -> str:
    """The event of a checkout that is paid, or of one that differs in some fields."""
    session = {
        "id": f"cs_of_{payment}",
        "object": "checkout.session",
        "mode": "payment",
        "amount_total": PACKS[pack].price_cents if pack in PACKS else 500,
        "currency": "usd",
        "client_reference_id": str(account),
        "metadata": {"law_account_id": str(account), "law_pack": pack},
        "payment_intent": payment,
        "payment_status": "paid",
    }
    return event(kind, session | changed, event_id=event_id)


def refunded(cents: int, *, payment: str | None = "pi_1", at: int = NOON + 10, currency: str = "usd") -> str:
    """The event that says how much a charge has given back so far."""
    charge = {
        "id": f"ch_of_{payment}",
        "object": "charge",
        "amount": 500,
        "amount_refunded": cents,
        "currency": currency,
        "payment_intent": payment,
        "refunded": False,
    }
    return event("charge.refunded", charge, at=at)


def failed_refund(
    cents: int,
    *,
    refund: str = "re_1",
    payment: str = "pi_1",
    at: int = NOON + 20,
    kind: str = "refund.failed",
    status: str = "failed",
) -> str:
    """The event that says that a refund came back."""
    reported = {
        "id": refund,
        "object": "refund",
        "amount": cents,
        "currency": "usd",
        "payment_intent": payment,
        "status": status,
    }
    return event(kind, reported, at=at)


def disputed(
    cents: int,
    status: str = "needs_response",
    *,
    dispute: str = "dp_1",
    payment: str = "pi_1",
    at: int = NOON + 30,
    kind: str = "charge.dispute.created",
) -> str:
    """The event that says how a dispute stands."""
    reported = {
        "id": dispute,
        "object": "dispute",
        "amount": cents,
        "currency": "usd",
        "charge": f"ch_of_{payment}",
        "payment_intent": payment,
        "status": status,
    }
    return event(kind, reported, at=at)
