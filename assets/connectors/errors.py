"""Errors of fetching, in the one error tree."""

from serving.contract.errors import LawError


class FetchError(LawError):
    """A publisher's answer cannot be used; asking again at once would not help."""

    code = "fetch_failed"


class NotOfferedError(FetchError):
    """A method, such as `HEAD`, that the publisher's server does not know."""


class SignatureRefusedError(FetchError):
    """Files or metadata are not signed as the registry asks, or are not those that were signed."""

    code = "signature_refused"


class UnreachableError(FetchError):
    """No publisher answers at an address: this machine is offline, or theirs is."""

    code = "publisher_unreachable"


class PassingError(FetchError):
    """An answer that may be another in a while: overload, a broken connection, a time-out.

    Attributes:
        retry_after: seconds that the publisher asks to wait; None: it does not say.
    """

    code = "publisher_busy"

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class PassingUnreachableError(PassingError, UnreachableError):
    """No connection came about, this time."""

    code = "publisher_unreachable"
