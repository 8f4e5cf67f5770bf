"""Settings of a client: the address of the service, the key, the timeouts and the retries."""

import datetime
import re
from dataclasses import dataclass, field

from legal_client.errors import LegalError

DEFAULT_URL = "http://127.0.0.1:8000"
KEPT_ANSWERS = 64


class MisusedError(LegalError):
    """A setting or an argument is invalid; nothing was sent."""

    code = "misused"


@dataclass(frozen=True, slots=True)
class Patience:
    """Bounds on the waits of one call for a service that cannot answer now.

    Attributes:
        seconds: in all, over every wait of one call; a wait that would exceed it is not begun.
        attempts: how often a call is sent at most where the service is unavailable.
        backoff: seconds before the second attempt where the service names none; doubled each time.
    """

    seconds: float = 60.0
    attempts: int = 4
    backoff: float = 0.5


@dataclass(frozen=True, slots=True)
class Connection:
    """Settings that every call of a client shares.

    Attributes:
        base_url: address of the service.
        key: API key; None for the free calls alone.
        snapshot: answers come from this retained snapshot; None for the one in service.
        date: answers come from the retained snapshot that was newest at the end of this day, in UTC, as
            `YYYY-MM-DD`; given instead of `snapshot`.
        timeout: seconds that an answer may take.
        patience: how long to wait for a service that cannot answer now.
        kept_answers: answers that are kept, to be asked for again without a charge.
    """

    base_url: str = DEFAULT_URL
    key: str | None = field(default=None, repr=False)
    snapshot: str | None = None
    timeout: float = 30.0
    patience: Patience = field(default_factory=Patience)
    kept_answers: int = KEPT_ANSWERS
    date: datetime.date | str | None = None

    def __post_init__(self) -> None:
        if not re.fullmatch(r"https?://[^/?#\s]+[^?#\s]*", self.base_url):
            raise MisusedError(f"{self.base_url!r} is no http or https address.")
        if self.key is not None and not re.fullmatch(r"[!-~]+", self.key):
            raise MisusedError("The key holds blanks or letters that no key has; copy it again.")
        if self.snapshot is not None and self.date is not None:
            raise MisusedError("Give either a snapshot or a date, which chooses one itself.")
        object.__setattr__(self, "base_url", self.base_url.rstrip("/"))
