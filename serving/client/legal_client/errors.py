"""Errors of a call: one tree of exceptions, with the codes of the service."""

from collections.abc import Mapping
from typing import Any


class LegalError(Exception):
    """Root of all errors of the client.

    Attributes:
        message: for people.
        code: what clients branch on; the service's own for answers, ours for calls without one.
        status: HTTP status; None where no answer came.
        request_id: names the call in the service's log; None where it is not known.
        retry_after: seconds to wait before it is worth trying again; None where waiting does not help.
    """

    code = "client_error"

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        status: int | None = None,
        request_id: str | None = None,
        retry_after: int | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or type(self).code
        self.status = status
        self.request_id = request_id
        self.retry_after = retry_after
        self.body: Mapping[str, Any] = body or {}


class InvalidKeyError(LegalError):
    """401: the key is missing, unknown, expired or revoked."""

    code = "invalid_api_key"


class InsufficientCreditsError(LegalError):
    """402: allotment and wallet are used up."""

    code = "insufficient_credits"

    @property
    def upgrade_url(self) -> str | None:
        """Address at which credits are bought."""
        found = self.body.get("upgradeUrl")
        return found if isinstance(found, str) else None


class InsufficientScopeError(LegalError):
    """403: the key lacks the scope."""

    code = "insufficient_scope"


class NotFoundError(LegalError):
    """404: what the call names does not exist."""

    code = "not_found"

    @property
    def kind(self) -> str | None:
        """Kind of the missing thing: `node`, `code_body`, `layer`, `order`, `snapshot_gone`."""
        found = self.body.get("kind")
        return found if isinstance(found, str) else None

    @property
    def oldest_date(self) -> str | None:
        """The earliest `date` that can be read, where the one asked for lies before it."""
        found = self.body.get("oldestDate")
        return found if isinstance(found, str) else None


class ValidationError(LegalError):
    """422: a parameter is missing or invalid."""

    code = "validation_error"

    @property
    def parameter(self) -> str | None:
        """Name of the parameter."""
        found = self.body.get("parameter")
        return found if isinstance(found, str) else None


class RateLimitedError(LegalError):
    """429: the key made as many calls as its tier allows, and the wait is longer than the client may wait."""

    code = "rate_limited"


class UnavailableError(LegalError):
    """503: the service has too much to do, or holds no law yet, after all attempts."""

    code = "unavailable"


class ServiceError(LegalError):
    """Any other answer that is not what was asked for."""

    code = "service_error"


class ConnectionFailedError(LegalError):
    """No answer came: the service cannot be reached, or took too long."""

    code = "connection_failed"


class DamagedDownloadError(LegalError):
    """A file came with other bytes than the service lists. Nothing is left of it."""

    code = "damaged_download"


class NotWrittenError(LegalError):
    """A file cannot be written here: no room, no such folder, or no right to."""

    code = "not_written"


class MalformedAnswerError(LegalError):
    """The answer is not what the service describes: the address may be that of another service."""

    code = "malformed_answer"


BY_STATUS: Mapping[int, type[LegalError]] = {
    401: InvalidKeyError,
    402: InsufficientCreditsError,
    403: InsufficientScopeError,
    404: NotFoundError,
    422: ValidationError,
    429: RateLimitedError,
    503: UnavailableError,
}
