"""Rate limits: the sliding windows of a key within one transaction.

A key's windows are counted, not searched. Requests that pass are numbered; a row `(key, instant, ordinal)`
says how many had passed before that instant. The requests in a window are then all that ever passed less the
ordinal of the window's oldest row: one seek, exact, and one row per key and transaction however many pass.
"""

from dataclasses import dataclass

from serving.metering.balances import Balance
from serving.metering.clock import DAY, HOUR, MINUTE, SECOND
from serving.metering.records import RateLimited, Windows, WindowState
from serving.metering.tiers import Tier

TRIM_AFTER = DAY + HOUR
"""Age of a key's oldest row at which its rows older than a day are dropped: an hour's rows at once."""


@dataclass(slots=True)
class Use:
    """A key inside one transaction.

    Attributes:
        at: the transaction's instant, never before the key's last pass, so that ordinals and instants agree.
        passed: number of requests that ever passed, which numbers the next one.
        minute_used, day_used: how many of them passed in the window before `at`.
        minute_oldest, day_oldest: when the oldest of them did; `at` where there is none.
        oldest: instant of the oldest row that is kept.
        new: number of requests that passed in this transaction.
    """

    key_id: int
    balance: Balance
    at: int
    expires_at: int | None
    revoked_at: int | None
    passed: int
    minute_used: int
    minute_oldest: int
    day_used: int
    day_oldest: int
    oldest: int
    new: int = 0

    @property
    def is_to_trim(self) -> bool:
        """True if there are rows that no window needs."""
        return self.oldest <= self.at - TRIM_AFTER


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
