"""Time in the meter: whole microseconds since 1970 UTC, and calendar months of UTC."""

import time
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Protocol

SECOND = 1_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR


class Clock(Protocol):
    """A source of the present time."""

    def now(self) -> int:
        """Return the present instant in microseconds since 1970 UTC."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> int:
        """Return the present instant in microseconds since 1970 UTC."""
        return time.time_ns() // 1_000


def month_of(instant: int) -> int:
    """Return the ordinal of an instant's calendar month (UTC): twelve times the year, plus months gone."""
    return _month_of_hour(instant // HOUR)


@lru_cache(maxsize=64)
def _month_of_hour(hour: int) -> int:
    # Asked for with every call, and months begin on the hour.
    day = datetime.fromtimestamp(hour * (HOUR // SECOND), UTC)
    return day.year * 12 + day.month - 1


def month_start(month: int) -> int:
    """Return the first instant of the month with that ordinal."""
    return int(datetime(month // 12, month % 12 + 1, 1, tzinfo=UTC).timestamp()) * SECOND


def rfc3339(instant: int) -> str:
    """Return an instant as a date and time of UTC, to the microsecond where it has a fraction."""
    at = datetime.fromtimestamp(instant // SECOND, UTC) + timedelta(microseconds=instant % SECOND)
    return at.isoformat().replace("+00:00", "Z")
