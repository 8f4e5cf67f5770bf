"""The table of error codes and their HTTP statuses, which every door goes by."""

from serving.contract.errors import AbandonedError, LawError

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


def status_of(error: Exception) -> int:
    """Return the HTTP status of an error."""
    if isinstance(error, AbandonedError):
        return CLIENT_CLOSED_REQUEST
    return STATUS.get(error.code, 500) if isinstance(error, LawError) else 500
