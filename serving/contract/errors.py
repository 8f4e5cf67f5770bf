"""The error tree. Every error has a stable `code`; HTTP statuses of codes stand in `serving.api.errors`."""


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
    """What the request names does not exist. `kind` says what kind of thing: `node`, `code_body`, ..."""

    code = "not_found"

    def __init__(self, message: str, *, kind: str) -> None:
        super().__init__(message)
        self.kind = kind


class SnapshotGoneError(NotFoundError):
    """The pinned snapshot is not retained (any more)."""

    def __init__(self, snapshot: str) -> None:
        super().__init__(
            f"Snapshot {snapshot} is not retained here; leave `snapshot` out to read the current one.",
            kind="snapshot_gone",
        )
        self.snapshot = snapshot


class SnapshotDamagedError(NotFoundError):
    """The pinned snapshot is there, but a file of it is not as it was published."""

    def __init__(self, snapshot: str) -> None:
        super().__init__(
            f"Snapshot {snapshot} was found damaged and is out of service; leave `snapshot` out to read the "
            "current one.",
            kind="snapshot_damaged",
        )
        self.snapshot = snapshot


class InvalidApiKeyError(LawError):
    """The request carries no usable key, or carries it where keys are not accepted."""

    code = "invalid_api_key"


class NoSnapshotError(LawError):
    """No snapshot has been published where the server looks."""

    code = "no_snapshot"


class OverloadedError(LawError):
    """More work is under way than the server takes on; nothing was charged."""

    code = "overloaded"

    def __init__(self, message: str, *, retry_after_seconds: int) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


class AbandonedError(LawError):
    """Nobody waits for the answer any more: the client closed its connection. Nothing was charged."""

    code = "abandoned"


class SnapshotCorruptError(LawError):
    """A file of a snapshot is missing or is not what the manifest says. The message names the file."""

    code = "snapshot_corrupt"

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class DamagedFileError(SnapshotCorruptError):
    """A file of a snapshot is missing, or its bytes are not those that were published."""


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
    """Allotment and wallet together are less than the call costs; nothing was taken."""

    code = "insufficient_credits"


class SignInRefusedError(LawError):
    """The password does not open the account. Says the same whether there is such an account or not."""

    code = "sign_in_refused"


class TooManyAttemptsError(LawError):
    """As many attempts to sign in, sign up or reset were made as may be; this one was not looked at."""

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
    """The session by which something was asked for has ended meanwhile; nothing was done."""

    code = "session_ended"

    def __init__(self) -> None:
        super().__init__("Your session has ended.")


class SupersededError(LawError):
    """The caller went by a state of the account that is over, as a form sent twice does; nothing was done."""

    code = "superseded"

    def __init__(self) -> None:
        super().__init__("The account has changed since; nothing was done.")


class StoreUnavailableError(OverloadedError):
    """The store of accounts cannot be reached or gave up; whether the work was done is not known.

    Attributes:
        cause: one of `serving.metering.health.CAUSES`.
    """

    def __init__(self, message: str, *, cause: str = "unreachable") -> None:
        super().__init__(message, retry_after_seconds=5)
        self.cause = cause
