"""Events that Stripe reports: signed bodies, checked, and reduced to what concerns credits."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import stripe

from serving.metering.clock import SECOND
from serving.metering.records import Reversal, ReversalKind
from serving.payments.checkout import ACCOUNT_KEY, PACK_KEY
from serving.payments.errors import BadEventError

TOLERANCE_SECONDS = 300
"""Greatest age of a signature: an intercepted event cannot be sent again later."""

_NOTHING_WITHHELD = frozenset(
    {"won", "prevented", "warning_needs_response", "warning_under_review", "warning_closed"}
)
"""Statuses of disputes in which the money is ours: inquiries that withhold nothing, and disputes we won."""

_RETURNED = frozenset({"failed", "canceled"})
"""Statuses of refunds that failed, so that the money came back to us."""


@dataclass(frozen=True, slots=True)
class Payment:
    """A paid checkout of ours. `account_id` and `pack` come from its metadata, unchecked."""

    event_id: str
    session_id: str
    payment_id: str
    account_id: str
    reference: str
    pack: str
    amount_cents: int
    currency: str


@dataclass(frozen=True, slots=True)
class PaymentReversed:
    """A payment was given back or disputed, in whole or in part; it may not be one of ours."""

    reversal: Reversal
    currency: str


Report = Payment | PaymentReversed


def verify(client: stripe.StripeClient, body: bytes, signature: str | None, *, secret: str) -> stripe.Event:
    """Check the signature and the time of a body, and return the event in it.

    Raises:
        BadEventError: the signature is missing, wrong or too old, or the body is no event.
    """
    if signature is None or not signature.isascii():
        raise BadEventError("The request carries no usable Stripe-Signature header.")
    try:
        return client.construct_event(body, signature, secret, TOLERANCE_SECONDS)
    except stripe.SignatureVerificationError:
        # Its own text may quote the body, which holds personal data.
        raise BadEventError(
            "The Stripe-Signature header does not fit the body, the endpoint's secret and the time."
        ) from None
    except (ValueError, AttributeError):
        raise BadEventError("The body is not an event as Stripe sends it.") from None


def read(event: stripe.Event) -> Report | None:
    """Return the report in an event; None if it does not concern credits, or not yet.

    Raises:
        BadEventError: it lacks a field that such an event has.
    """
    try:
        reader = _READERS.get(_text(event.type))
        return None if reader is None else reader(event, event.data.object.to_dict())
    except (KeyError, AttributeError, TypeError, ValueError):
        raise BadEventError("The event lacks what events of its type have.") from None


def _read_session(event: stripe.Event, session: Mapping[str, Any]) -> Payment | None:
    metadata = session.get("metadata") or {}
    ours = ACCOUNT_KEY in metadata and PACK_KEY in metadata
    if not ours or session["payment_status"] == "unpaid":
        return None
    return Payment(
        event_id=_text(event.id),
        session_id=_text(session["id"]),
        # A checkout without a payment has nothing to pay, and so never the price of a pack.
        payment_id=_text(session["payment_intent"] or session["id"]),
        account_id=_text(metadata[ACCOUNT_KEY]),
        reference=_text(session["client_reference_id"] or ""),
        pack=_text(metadata[PACK_KEY]),
        amount_cents=int(session["amount_total"]),
        currency=_text(session["currency"]),
    )


def _read_charge(event: stripe.Event, charge: Mapping[str, Any]) -> PaymentReversed | None:
    return _reversed(event, charge, kind="refunds", cents=charge["amount_refunded"])


def _read_refund(event: stripe.Event, refund: Mapping[str, Any]) -> PaymentReversed | None:
    if refund["status"] not in _RETURNED:
        return None
    return _reversed(event, refund, kind="failed_refund", cents=refund["amount"])


def _read_dispute(event: stripe.Event, dispute: Mapping[str, Any]) -> PaymentReversed | None:
    withheld = 0 if dispute["status"] in _NOTHING_WITHHELD else dispute["amount"]
    return _reversed(event, dispute, kind="dispute", cents=withheld)


def _reversed(
    event: stripe.Event, reported: Mapping[str, Any], *, kind: ReversalKind, cents: int
) -> PaymentReversed | None:
    payment_id = reported["payment_intent"]
    if payment_id is None:
        return None  # a charge that was made without a checkout
    reversal = Reversal(
        reversal_id=_text(reported["id"]),
        kind=kind,
        payment_id=_text(payment_id),
        amount_cents=int(cents),
        at=int(event.created) * SECOND,
        event_id=_text(event.id),
    )
    return PaymentReversed(reversal, _text(reported["currency"]))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


_READERS: dict[str, Callable[[stripe.Event, Mapping[str, Any]], Report | None]] = {
    "checkout.session.completed": _read_session,
    "checkout.session.async_payment_succeeded": _read_session,
    "charge.refunded": _read_charge,
    "charge.refund.updated": _read_refund,
    "refund.updated": _read_refund,
    "refund.failed": _read_refund,
    "charge.dispute.created": _read_dispute,
    "charge.dispute.updated": _read_dispute,
    "charge.dispute.closed": _read_dispute,
    "charge.dispute.funds_withdrawn": _read_dispute,
    "charge.dispute.funds_reinstated": _read_dispute,
}
EVENT_TYPES = tuple(_READERS)
"""Event types that the operator has the webhook send; others are answered and ignored."""
