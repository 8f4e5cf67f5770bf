"""Payments of a server: addresses at which to pay, and reports that change credits."""

import logging
import re

import stripe

from serving.accounts.credits import Credits
from serving.contract.errors import NotFoundError, ValidationError
from serving.metering.records import Account
from serving.metering.tiers import Pack, find_pack
from serving.payments import events
from serving.payments.checkout import CURRENCY, start_checkout
from serving.payments.errors import PaymentMismatchError
from serving.payments.events import Payment, PaymentReversed, Report

_log = logging.getLogger(__name__)


class Payments:
    """Sells packs through one Stripe account.

    Args:
        client: client of Stripe's API.
        webhook_secret: secret with which Stripe signs its reports.
        credits: credits that purchases change.
    """

    def __init__(self, client: stripe.StripeClient, *, webhook_secret: str, credits: Credits) -> None:  # noqa: A002 - credits are credits here, not the site's
        self._client = client
        self._secret = webhook_secret
        self._credits = credits

    def checkout_url(self, account: Account, pack: Pack, *, return_url: str) -> str:
        """Return the address of a page on which to pay for the pack. Blocks, for a few seconds at most.

        Args:
            account: the buyer.
            pack: the pack to buy.
            return_url: address to which the buyer returns, with `payment=success` or `payment=canceled` added
                to its query. Coming back proves nothing: credits come when Stripe reports the payment.

        Raises:
            PaymentsUnavailableError: Stripe cannot be reached, or refuses.
        """
        return start_checkout(self._client, account, pack, return_url=return_url)

    def read(self, body: bytes, signature: str | None) -> Report | None:
        """Check a webhook's body and return its report; None if there is nothing to do. Never blocks.

        Raises:
            BadEventError: it does not come from Stripe, is too old, or is no event.
        """
        return events.read(events.verify(self._client, body, signature, secret=self._secret))

    def apply(self, report: Report) -> None:
        """Change credits by a report; applying it again changes nothing. Blocks.

        Raises:
            PaymentMismatchError: the payment does not fit what it names. It is logged, and Stripe, to which
                the error is answered, shows the event as failed and sends it again.
            StoreUnavailableError: the store failed; Stripe sends the event again.
        """
        try:
            if isinstance(report, Payment):
                self._credit(report)
            else:
                self._reverse(report)
        except PaymentMismatchError as error:
            _log.error("payment_mismatch", extra={"problem": error.message})
            raise

    def _credit(self, payment: Payment) -> None:
        where = f"Event {payment.event_id}, checkout {payment.session_id}"
        if payment.reference != payment.account_id or not re.fullmatch(
            r"[1-9][0-9]{0,17}", payment.account_id
        ):
            raise PaymentMismatchError(f"{where}: the payment does not say for which account it is.")
        try:
            pack = find_pack(payment.pack)
        except ValidationError as error:
            raise PaymentMismatchError(f"{where}: {error.message}") from error
        if (payment.amount_cents, payment.currency) != (pack.price_cents, CURRENCY):
            raise PaymentMismatchError(
                f"{where}: {payment.amount_cents} {payment.currency} were paid for pack {pack.name}, "
                f"which costs {pack.price_cents} {CURRENCY}; nothing was credited."
            )
        try:
            purchase = self._credits.purchase(
                int(payment.account_id), pack.name, event_id=payment.event_id, payment_id=payment.payment_id
            )
        except (NotFoundError, ValidationError) as error:
            raise PaymentMismatchError(f"{where}: {error.message}") from error
        _log.info(
            "purchase_credited" if purchase.event_id == payment.event_id else "purchase_known",
            extra={
                "account_id": purchase.account_id,
                "pack": purchase.pack,
                "payment_id": purchase.payment_id,
                "event_id": payment.event_id,
            },
        )

    def _reverse(self, report: PaymentReversed) -> None:
        reversal = report.reversal
        if report.currency != CURRENCY:
            # No pack is sold in it: most likely another payment of the same Stripe account.
            if self._credits.find_purchase(reversal.payment_id) is not None:
                raise PaymentMismatchError(
                    f"Event {reversal.event_id}: {reversal.amount_cents} {report.currency} of payment "
                    f"{reversal.payment_id} were reversed, which was made in {CURRENCY}; no credits moved."
                )
            return
        purchase = self._credits.reverse(reversal)
        _log.info(
            "payment_reversed",
            extra={
                "account_id": None if purchase is None else purchase.account_id,
                "payment_id": reversal.payment_id,
                "event_id": reversal.event_id,
                "reversed": None if purchase is None else purchase.reversed,
                "taken_back": None if purchase is None else purchase.taken_back,
            },
        )
