"""Credit packs sold through Stripe: its checkout, and its reports of payments."""

from serving.payments.payments import Payments

__all__ = ["Payments"]
