"""Credit packs sold through Stripe: the way to its checkout, and what it reports of payments."""

from serving.payments.payments import Payments

__all__ = ["Payments"]
