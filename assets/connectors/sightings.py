"""Sightings: the newest release of a publisher as it was told last, and when.

Whoever asks writes here, so that checks, coverage and tables say what is known without asking anybody.
"""

from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from assets.connectors.errors import FetchError, PassingError, UnreachableError
from assets.connectors.records import load, replace_with
from assets.connectors.release import Connector, Release

PAUSE = timedelta(hours=1)
"""The least time after a publisher that did not answer before it is asked again unattended."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """The newest release of a publisher, as far as it is known. Times are RFC 3339 in UTC.

    Attributes:
        asked_at: when it was asked last, with an answer or without.
        release: its name; None: no publisher has told it yet.
        date: ISO date of the release; None: the publisher does not say it.
        first_seen_at: when it was first told that this is the newest.
        seen_at: when it was told so last.
        failure: why there was no answer last; None: there was.
        failure_code: code of that error.
        next_at: when the publisher may be asked again, where it did not answer.
    """

    asked_at: str
    release: str | None = None
    date: str | None = None
    first_seen_at: str | None = None
    seen_at: str | None = None
    failure: str | None = None
    failure_code: str | None = None
    next_at: str | None = None

    @property
    def day(self) -> str | None:
        """The ISO date of the release: the publisher's, else the day on which it was first seen."""
        return self.date or (None if self.first_seen_at is None else self.first_seen_at[:10])

    @property
    def is_busy(self) -> bool:
        """True where the publisher answered that it is overloaded, or asked too often."""
        return self.failure_code == PassingError.code

    @property
    def is_silent(self) -> bool:
        """True where asking the same host for something else would be of no use now."""
        return self.is_busy or self.failure_code == UnreachableError.code

    def rests(self, now: datetime) -> bool:
        """Return whether the publisher did not answer, and is not to be asked again yet."""
        return self.next_at is not None and _written(now) < self.next_at

    def without_answer(self, failed: "Sighting") -> "Sighting":
        """Return what is known after a host that did not answer for something else was not asked."""
        return replace(self, failure=failed.failure, failure_code=failed.failure_code, next_at=failed.next_at)

    @classmethod
    def load(cls, path: Path) -> "Sighting | None":
        """Read what is known; None where nobody has asked, or the file is damaged: then ask again."""
        try:
            return cls(**load(path))
        except TypeError:
            return None

    def save(self, path: Path) -> None:
        """Write it whole or not at all."""
        replace_with(path, asdict(self))


def ask(
    connector: Connector, before: Sighting | None, *, now: datetime, pause: timedelta = PAUSE
) -> Sighting:
    """Ask a publisher for its newest release; one that does not answer leaves what was known before."""
    try:
        newest = connector.releases()[0]
    except FetchError as error:
        return _unanswered(before, error, now=now, pause=pause)
    return seen(before, newest, now=now)


def seen(before: Sighting | None, newest: Release, *, now: datetime) -> Sighting:
    """Return what is known once a publisher has told its newest release."""
    at = _written(now)
    same = before is not None and before.release == newest.name
    first = before.first_seen_at if before is not None and same else at
    return Sighting(at, newest.name, newest.date, first, at)


def _unanswered(before: Sighting | None, error: FetchError, *, now: datetime, pause: timedelta) -> Sighting:
    asked = error.retry_after if isinstance(error, PassingError) else None
    wait = max(pause, timedelta(seconds=min(asked or 0.0, 30 * 86_400.0)))
    return replace(
        before or Sighting(""),
        asked_at=_written(now),
        failure=error.message,
        failure_code=error.code,
        next_at=_written(now + wait),
    )


def _written(instant: datetime) -> str:
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
