"""The payments that the settings of a server describe."""

from typing import TYPE_CHECKING

from serving.accounts.billing import Billing
from serving.settings.settings import Settings

if TYPE_CHECKING:
    from serving.payments.payments import Payments


def payments_of(settings: Settings, billing: Billing) -> "Payments | None":
    """Return the payments that the settings describe; None if Stripe is not configured."""
    key, secret = settings.stripe_secret_key, settings.stripe_webhook_secret
    if key is None or secret is None:
        return None
    # Stripe's client is a twentieth of what a server loads, and most servers sell nothing.
    from serving.payments.checkout import open_client  # noqa: PLC0415 - as said above
    from serving.payments.payments import Payments  # noqa: PLC0415 - as said above

    return Payments(open_client(key), webhook_secret=secret, credits=billing.credits)
