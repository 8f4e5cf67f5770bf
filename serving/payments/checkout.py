"""Stripe's checkout: one session for one purchase of one pack."""

import logging
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urlsplit
from uuid import uuid4

import stripe

from serving.metering.records import Account
from serving.metering.tiers import Pack
from serving.payments.errors import PaymentsUnavailableError

if TYPE_CHECKING:
    from stripe.params.checkout import SessionCreateParams

CURRENCY = "usd"
ACCOUNT_KEY = "law_account_id"
PACK_KEY = "law_pack"
"""Metadata keys of the buyer's account and the pack, by which an event is recognised as a purchase of a
pack."""

CONNECT_SECONDS = 3.05
READ_SECONDS = 8.0
RETRIES = 1
_log = logging.getLogger(__name__)


def open_client(api_key: str, *, api_base: str | None = None) -> stripe.StripeClient:
    """Return a client of Stripe's API that several threads may use and that limits every wait.

    Args:
        api_key: the account's secret key.
        api_base: address of the API; Stripe's own by default.
    """
    return stripe.StripeClient(
        api_key,
        base_addresses={} if api_base is None else {"api": api_base},
        max_network_retries=RETRIES,
        http_client=stripe.RequestsClient(timeout=(CONNECT_SECONDS, READ_SECONDS)),
    )


def start_checkout(client: stripe.StripeClient, account: Account, pack: Pack, *, return_url: str) -> str:
    """Open a session in which the account can pay for the pack, and return the address of its page.

    Raises:
        PaymentsUnavailableError: Stripe cannot be reached, or refuses.
    """
    params = _session(account, pack, return_url=return_url)
    try:
        try:
            session = _create(client, params)
        except stripe.InvalidRequestError as error:
            if error.param != "customer_email":
                raise
            # Stripe is stricter about addresses than we are; the buyer can type another.
            del params["customer_email"]
            session = _create(client, params)
    except stripe.StripeError as error:
        _log.error(
            "checkout_failed",
            extra={
                "account_id": account.account_id,
                "pack": pack.name,
                "problem": type(error).__name__,
                "stripe_code": error.code,
                "stripe_status": error.http_status,
                "stripe_request_id": error.request_id,
            },
        )
        raise PaymentsUnavailableError(_message(error)) from error
    if not session.url:
        raise PaymentsUnavailableError("The payment page did not open; nothing was charged. Try again.")
    return session.url


def _create(client: stripe.StripeClient, params: "SessionCreateParams") -> stripe.checkout.Session:
    # One key for a request and its repetition: a repetition that Stripe saw before opens nothing new.
    return client.v1.checkout.sessions.create(params, {"idempotency_key": str(uuid4())})


def _session(account: Account, pack: Pack, *, return_url: str) -> "SessionCreateParams":
    bought = {ACCOUNT_KEY: str(account.account_id), PACK_KEY: pack.name}
    params: SessionCreateParams = {
        "mode": "payment",
        "line_items": [
            {
                "quantity": 1,
                "price_data": {
                    "currency": CURRENCY,
                    "unit_amount": pack.price_cents,
                    "product_data": {"name": f"{pack.credits:,} API credits ({pack.name} pack)"},
                },
            }
        ],
        "client_reference_id": str(account.account_id),
        "metadata": bought,
        "payment_intent_data": {"metadata": bought},
        # The event must show the price that we asked, not what it was in the buyer's currency.
        "adaptive_pricing": {"enabled": False},
        "success_url": _with_outcome(return_url, "success"),
        "cancel_url": _with_outcome(return_url, "canceled"),
    }
    if account.email is not None:
        params["customer_email"] = account.email
    return params


def _with_outcome(url: str, outcome: str) -> str:
    parts = urlsplit(url)
    query = [*parse_qsl(parts.query), ("payment", outcome)]
    return parts._replace(query=urlencode(query)).geturl()


def _message(error: stripe.StripeError) -> str:
    passing = (stripe.APIConnectionError, stripe.RateLimitError, stripe.APIError)
    if isinstance(error, passing):
        return "The payment service cannot be reached; nothing was charged. Try again in a minute."
    return "The payment service does not take orders from here; nothing was charged. Tell the operator."
