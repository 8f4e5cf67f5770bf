"""The table of error codes and their HTTP statuses, and the fields of errors, which every door goes by."""

from typing import Any

from serving.contract.errors import (
    AbandonedError,
    CitationNotFoundError,
    InsufficientCreditsError,
    LawError,
    NoSnapshotByDateError,
    NotFoundError,
    OverloadedError,
    RateLimitedError,
    ValidationError,
)

STATUS = {
    "bad_request": 400,
    "invalid_api_key": 401,
    "insufficient_credits": 402,
    "insufficient_scope": 403,
    "not_found": 404,
    "method_not_allowed": 405,
    "not_acceptable": 406,
    "request_timeout": 408,
    "uri_too_long": 414,
    "unsupported_media_type": 415,
    "range_not_satisfiable": 416,
    "validation_error": 422,
    "rate_limited": 429,
    "headers_too_large": 431,
    "internal_error": 500,
    "no_snapshot": 503,
    "overloaded": 503,
}
"""HTTP status of every error code. A code that is not listed is a failure of the server: 500
`internal_error`."""

CLIENT_CLOSED_REQUEST = 499
"""Status in logs and metrics of a request whose client has gone; no client sees it."""
_NO_SNAPSHOT_RETRY_SECONDS = 5


def status_of(error: Exception) -> int:
    """Return the HTTP status of an error."""
    if isinstance(error, AbandonedError):
        return CLIENT_CLOSED_REQUEST
    return STATUS.get(error.code, 500) if isinstance(error, LawError) else 500


def retry_after(error: LawError) -> int | None:
    """Return the seconds after which a request that failed by this error may be sent again, if it says so."""
    if isinstance(error, OverloadedError | RateLimitedError):
        return error.retry_after_seconds
    return _NO_SNAPSHOT_RETRY_SECONDS if status_of(error) == 503 else None


def fields_of(error: LawError, *, upgrade_url: str) -> dict[str, Any]:
    """Return the fields that an error has beside its code and its message.

    Args:
        error: the error.
        upgrade_url: address at which credits are bought.
    """
    fields: dict[str, Any] = {}
    if isinstance(error, NotFoundError):
        fields["kind"] = error.kind
    if isinstance(error, CitationNotFoundError):
        fields["outcome"] = error.outcome
        if error.reason is not None:
            fields["reason"] = error.reason
    if isinstance(error, NoSnapshotByDateError):
        fields |= {"oldestSnapshot": error.oldest, "oldestDate": str(error.oldest_date)}
    if isinstance(error, ValidationError) and error.parameter is not None:
        fields["parameter"] = error.parameter
    if isinstance(error, InsufficientCreditsError):
        fields |= {
            "upgradeUrl": upgrade_url,
            "creditsRemaining": error.allotment + error.wallet,
            "renewsAt": error.renews_at,
        }
    seconds = retry_after(error)
    return fields if seconds is None else fields | {"retryAfterSec": seconds}
