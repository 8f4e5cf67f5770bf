"""The error tree. Every error has a stable `code`; its HTTP status stands in `serving.api.errors`."""

from datetime import date


class LawError(Exception):
    """Root of all errors that this project raises on purpose."""

    code = "internal_error"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class ValidationError(LawError):
    """A parameter is missing or invalid; the message names it and says what is accepted."""

    code = "validation_error"

    def __init__(self, message: str, *, parameter: str | None = None) -> None:
        super().__init__(message)
        self.parameter = parameter


class NotFoundError(LawError):
    """The request names a thing that does not exist. `kind` says what it is: `node`, `code_body`, ..."""

    code = "not_found"

    def __init__(self, message: str, *, kind: str) -> None:
        super().__init__(message)
        self.kind = kind


class CitationNotFoundError(NotFoundError):
    """A citation does not lead to one provision, or to one part of it.

    Attributes:
        outcome: to what it leads.
        reason: why, as far as it is known.
    """

    def __init__(self, message: str, *, outcome: str, reason: str | None = None) -> None:
        super().__init__(message, kind="citation")
        self.outcome = outcome
        self.reason = reason


class SnapshotGoneError(NotFoundError):
    """The requested snapshot is not retained, or not any more."""

    def __init__(self, snapshot: str) -> None:
        super().__init__(
            f"Snapshot {snapshot} is not retained here; /api/v1/snapshots lists those that are.",
            kind="snapshot_gone",
        )
        self.snapshot = snapshot


class NoSnapshotByDateError(NotFoundError):
    """No snapshot is retained that had been published by the end of a day.

    Attributes:
        oldest: id of the oldest retained snapshot.
        oldest_date: the day on which that was published, in UTC.
    """

    def __init__(self, day: date, *, oldest: str, oldest_date: date) -> None:
        super().__init__(
            f"No snapshot that was published by the end of {day} (UTC) is retained here; the oldest is "
            f"{oldest}, published on {oldest_date}.",
            kind="snapshot_gone",
        )
        self.oldest = oldest
        self.oldest_date = oldest_date


class SnapshotDamagedError(NotFoundError):
    """The requested snapshot is retained, but a file of it differs from what was published."""

    def __init__(self, snapshot: str) -> None:
        super().__init__(
            f"Snapshot {snapshot} was found damaged and is out of service; /api/v1/snapshots lists "
            "those that are in order.",
            kind="snapshot_damaged",
        )
        self.snapshot = snapshot


class InvalidApiKeyError(LawError):
    """The request carries no usable key, or carries it where keys are not accepted."""

    code = "invalid_api_key"


class NoSnapshotError(LawError):
    """No snapshot has been published in the server's folder."""

    code = "no_snapshot"


class OverloadedError(LawError):
    """More work is under way than the server takes on; nothing was charged."""

    code = "overloaded"

    def __init__(self, message: str, *, retry_after_seconds: int) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


class AbandonedError(LawError):
    """The client closed its connection before the answer was made. Nothing was charged."""

    code = "abandoned"


class SnapshotCorruptError(LawError):
    """A file of a snapshot is missing or does not match the manifest. The message names the file."""

    code = "snapshot_corrupt"

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class DamagedFileError(SnapshotCorruptError):
    """A file of a snapshot is missing, or its bytes differ from those that were published."""


class InsufficientScopeError(LawError):
    """The key lacks the scope that the endpoint asks for; the message names it."""

    code = "insufficient_scope"


class RateLimitedError(LawError):
    """The key made as many requests as its tier allows in the window."""

    code = "rate_limited"

    def __init__(self, message: str, *, retry_after_seconds: int) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


class InsufficientCreditsError(LawError):
    """Allotment and wallet together hold less than the call costs; nothing was taken.

    Attributes:
        allotment: credits left of the month's allotment.
        wallet: credits left in the wallet.
        renews_at: time at which the allotment is next filled, in RFC 3339.
    """

    code = "insufficient_credits"

    def __init__(self, message: str, *, allotment: int, wallet: int, renews_at: str) -> None:
        super().__init__(message)
        self.allotment = allotment
        self.wallet = wallet
        self.renews_at = renews_at


class SignInRefusedError(LawError):
    """The password does not open the account. The message is the same if there is no such account."""

    code = "sign_in_refused"


class TooManyAttemptsError(LawError):
    """Too many attempts to sign in, sign up or reset a password were made; this one was not examined."""

    code = "too_many_attempts"

    def __init__(self, *, retry_after_seconds: int) -> None:
        super().__init__(f"Too many attempts; try again in {_wait(retry_after_seconds)}.")
        self.retry_after_seconds = retry_after_seconds


def _wait(seconds: int) -> str:
    if seconds < 60:
        return "1 second" if seconds == 1 else f"{seconds} seconds"
    minutes = -(-seconds // 60)
    if minutes == 1:
        return "1 minute"
    return f"{minutes} minutes" if minutes < 120 else f"{-(-minutes // 60)} hours"


class SessionEndedError(LawError):
    """The session behind the request ended in the meantime; nothing was done."""

    code = "session_ended"

    def __init__(self) -> None:
        super().__init__("Your session has ended.")


class SupersededError(LawError):
    """The request refers to an earlier state of the account, as a form sent twice does; nothing was done."""

    code = "superseded"

    def __init__(self) -> None:
        super().__init__("The account has changed since; nothing was done.")


class StoreUnavailableError(OverloadedError):
    """The store of accounts cannot be reached or failed; it is unknown whether the work was done.

    Attributes:
        cause: one of `serving.metering.health.CAUSES`.
    """

    def __init__(self, message: str, *, cause: str = "unreachable") -> None:
        super().__init__(message, retry_after_seconds=5)
        self.cause = cause
