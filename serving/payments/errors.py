"""Errors of payments."""

from serving.contract.errors import LawError, OverloadedError, ValidationError

RETRY_AFTER_SECONDS = 30


class PaymentsUnavailableError(OverloadedError):
    """Stripe cannot be reached, or refuses the request; nobody was charged."""

    def __init__(self, message: str) -> None:
        super().__init__(message, retry_after_seconds=RETRY_AFTER_SECONDS)


class BadEventError(LawError):
    """The body does not come from Stripe, or is not an event."""

    code = "bad_request"


class PaymentMismatchError(ValidationError):
    """A payment does not fit what it names; no credits were changed, and the operator has to look at it."""
