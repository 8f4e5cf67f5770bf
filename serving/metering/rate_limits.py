"""Rate limits: the sliding windows of a key, kept from one transaction to the next.

A key's windows are counted, not searched. Requests that pass are numbered; a mark `(instant, ordinal)` says
how many had passed before that instant. The requests in a window are then all that ever passed less the
ordinal of the window's oldest mark: exact, and one mark per key and transaction however many pass. The marks
of the last minute are kept, and of the last day the oldest; those that come after them are read when their
turn is near.
"""

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from serving.metering.balances import Balance
from serving.metering.clock import DAY, MINUTE, SECOND
from serving.metering.records import RateLimited, Windows, WindowState
from serving.metering.tiers import Tier

MOST_OLDEST = 16
"""Marks that are kept, or read at once, of the oldest of a day."""

Mark = tuple[int, int]
"""An instant, and how many requests of the key had passed before it."""
_NUMBERS = "q"
_MANY = 64
"""Marks over at which they are dropped together."""


class Marks:
    """Marks in order of time, in sixteen bytes each; those at the beginning can be dropped."""

    __slots__ = ("_first", "_numbers")

    def __init__(self) -> None:
        self._numbers = array(_NUMBERS)
        self._first = 0

    def __len__(self) -> int:
        return len(self._numbers) // 2 - self._first

    def __bool__(self) -> bool:
        return len(self._numbers) > 2 * self._first

    def add(self, at: int, before: int) -> None:
        """Add a mark, unless there is one of that instant or a later one."""
        numbers = self._numbers
        if len(numbers) == 2 * self._first or numbers[-2] < at:
            numbers.append(at)
            numbers.append(before)

    def drop(self, until: int) -> Mark | None:
        """Drop the marks up to an instant, and return the oldest that is left; None where none is."""
        numbers = self._numbers
        place, end = 2 * self._first, len(numbers)
        while place < end and numbers[place] <= until:
            place += 2
        if place == end or place > 2 * _MANY:
            del numbers[:place]
            place = 0
        self._first = place // 2
        return (numbers[place], numbers[place + 1]) if numbers else None

    @property
    def newest(self) -> int:
        """Instant of the newest mark; there must be one."""
        return self._numbers[-2]

    def __iter__(self) -> Iterator[Mark]:
        numbers = self._numbers[2 * self._first :]
        return zip(numbers[::2], numbers[1::2], strict=True)


@dataclass(slots=True, eq=False)
class Use:
    """A key: what its row says, its marks, and its part in the transaction that is under way.

    Attributes:
        last_used_at: instant of its last pass.
        passed: number of requests that ever passed, which numbers the next one.
        minute: marks of the minute before its last pass, and later ones, oldest first.
        day: the oldest marks of the day, oldest first: all, or the first of them.
        has_more: whether there are younger marks than those in `day`.
        at: the transaction's instant, never before the key's last pass, so that ordinals and instants agree.
        minute_used, day_used: how many requests passed in the window before `at`.
        minute_oldest, day_oldest: when the oldest of them did; `at` where there is none.
        new: number of requests that passed in this transaction.
        batch_no: number of the newest record that names it.
    """

    key_id: int
    key_hash: str
    balance: Balance
    expires_at: int | None
    revoked_at: int | None
    last_used_at: int
    passed: int
    minute: Marks = field(default_factory=Marks)
    day: Marks = field(default_factory=Marks)
    has_more: bool = False
    at: int = 0
    minute_used: int = 0
    minute_oldest: int = 0
    day_used: int = 0
    day_oldest: int = 0
    new: int = 0
    batch_no: int = 0

    @property
    def day_begins(self) -> int:
        """Instant after which the day before `at` begins."""
        return self.at - DAY

    def begin(self, now: int) -> bool:
        """Begin a transaction; return False if the oldest marks of the day are to be read first."""
        last, self.new = self.last_used_at, 0
        at = self.at = max(now, last)
        oldest = self.minute.drop(at - MINUTE)
        if oldest is None:
            self.minute_oldest, self.minute_used = at, 0
        else:
            self.minute_oldest, self.minute_used = oldest[0], self.passed - oldest[1]
        oldest = self.day.drop(at - DAY)
        if oldest is not None:
            self.day_oldest, self.day_used = oldest[0], self.passed - oldest[1]
            return True
        self.day_oldest, self.day_used = at, 0
        if last <= at - DAY:
            self.has_more = False
        return not self.has_more

    def count(self, at: int, before: int, new: int) -> None:
        """Count requests that passed in one transaction; those that are counted already change nothing."""
        self.minute.add(at, before)
        day = self.day
        if not self.has_more:
            if len(day) < MOST_OLDEST:
                day.add(at, before)
            elif day.newest < at:
                self.has_more = True
        self.passed, self.last_used_at = before + new, at

    def take_oldest(self, marks: Iterable[Mark]) -> None:
        """Take over the oldest marks of the day, as far as they are in their place: at most `MOST_OLDEST`."""
        for at, before in marks:
            self.day.add(at, before)
        oldest = self.day.drop(self.day_begins)
        if oldest is not None:
            self.day_oldest, self.day_used = oldest[0], self.passed - oldest[1]
        self.has_more = oldest is not None and self.day.newest < self.last_used_at


def refusal_of(use: Use, tier: Tier) -> RateLimited | None:
    """Return the refusal of a key whose window is full; None where another request may pass."""
    minute_full = use.minute_used + use.new >= tier.per_minute
    day_full = use.day_used + use.new >= tier.per_day
    if not minute_full and not day_full:
        return None
    windows = windows_of(use, tier)
    return RateLimited(
        account_id=use.balance.account_id,
        key_id=use.key_id,
        tier=tier.name,
        window="day" if day_full else "minute",
        retry_after_seconds=windows.day.reset_seconds if day_full else windows.minute.reset_seconds,
        windows=windows,
    )


def windows_of(use: Use, tier: Tier) -> Windows:
    """Return the state of a key's windows."""
    return Windows(
        minute=_window(tier.per_minute, use.minute_used + use.new, use.minute_oldest + MINUTE - use.at),
        day=_window(tier.per_day, use.day_used + use.new, use.day_oldest + DAY - use.at),
    )


def _window(limit: int, used: int, left: int) -> WindowState:
    return WindowState(limit, max(0, limit - used), -(-left // SECOND))
