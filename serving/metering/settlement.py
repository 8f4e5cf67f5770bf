"""Settlement of a batch of work on keys and accounts. Pure: an engine loads the state and writes the changes.

A key's windows are counted, not searched. Requests that pass are numbered; a row `(key, instant, ordinal)`
says how many had passed before that instant. The requests in a window are then all that ever passed less the
ordinal of the window's oldest row: one seek, exact, and one row per key and transaction however many pass.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from serving.metering.balances import Balance
from serving.metering.clock import DAY, HOUR, MINUTE, SECOND
from serving.metering.records import (
    Charge,
    Entry,
    InsufficientCredits,
    KeyRefused,
    NothingToRefund,
    Outcome,
    RateLimited,
    Receipt,
    Refund,
    Refunded,
    Settled,
    Windows,
    WindowState,
    Work,
)
from serving.metering.tiers import TIERS, Tier

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


@dataclass(slots=True)
class Batch:
    """State of everything that the work of one transaction names.

    Attributes:
        now: the transaction's instant.
        uses: keys by the hash that the work named.
        balances: accounts by id, those of the keys and those of the refunds.
        charges: the charges to refund that exist.
        refunded: those charges among them that were refunded before.
    """

    now: int
    uses: Mapping[str, Use]
    balances: Mapping[int, Balance]
    charges: Mapping[Receipt, Entry] = field(default_factory=dict)
    refunded: set[Receipt] = field(default_factory=set)

    def settle(self, work: Sequence[Work]) -> list[Outcome]:
        """Settle the work in order, and return one outcome for each piece."""
        return [self._charge(item) if isinstance(item, Charge) else self._refund(item) for item in work]

    @property
    def entries(self) -> list[Entry]:
        """New entries for the ledger."""
        return [entry for balance in self.balances.values() for entry in balance.entries]

    @property
    def moved(self) -> list[Balance]:
        """Accounts whose balance changed."""
        return [balance for balance in self.balances.values() if balance.entries]

    @property
    def used(self) -> list[Use]:
        """Keys with requests that passed."""
        return [use for use in self.uses.values() if use.new]

    def _charge(self, charge: Charge) -> Outcome:
        use = self.uses.get(charge.key_hash)
        if use is None:
            return KeyRefused("unknown")
        if use.revoked_at is not None:
            return KeyRefused("revoked")
        if use.expires_at is not None and use.expires_at <= use.at:
            return KeyRefused("expired")
        balance, tier = use.balance, TIERS[use.balance.tier]
        limited = _limited(use, tier)
        if limited is not None:
            return limited
        use.new += 1
        balance.renew(at=use.at)
        entry = balance.take(charge, at=use.at, key_id=use.key_id) if charge.cost else None
        if charge.cost and entry is None:
            return InsufficientCredits(
                account_id=balance.account_id,
                key_id=use.key_id,
                tier=tier.name,
                cost=charge.cost,
                allotment=balance.allotment,
                wallet=balance.wallet,
                windows=_windows(use, tier),
            )
        return Settled(
            account_id=balance.account_id,
            key_id=use.key_id,
            tier=tier.name,
            cost=charge.cost,
            allotment=balance.allotment,
            wallet=balance.wallet,
            windows=_windows(use, tier),
            receipt=Receipt(balance.account_id, entry.entry_no) if entry else None,
        )

    def _refund(self, refund: Refund) -> Outcome:
        entry = self.charges.get(refund.receipt)
        if entry is None:
            return NothingToRefund()
        balance = self.balances[refund.receipt.account_id]
        if refund.receipt not in self.refunded:
            self.refunded.add(refund.receipt)
            balance.give_back(entry, at=self.now, request_id=refund.request_id)
        return Refunded(balance.account_id, balance.allotment, balance.wallet)


def _limited(use: Use, tier: Tier) -> RateLimited | None:
    minute_full = use.minute_used + use.new >= tier.per_minute
    day_full = use.day_used + use.new >= tier.per_day
    if not minute_full and not day_full:
        return None
    windows = _windows(use, tier)
    return RateLimited(
        account_id=use.balance.account_id,
        key_id=use.key_id,
        tier=tier.name,
        window="day" if day_full else "minute",
        retry_after_seconds=windows.day.reset_seconds if day_full else windows.minute.reset_seconds,
        windows=windows,
    )


def _windows(use: Use, tier: Tier) -> Windows:
    return Windows(
        minute=_window(tier.per_minute, use.minute_used + use.new, use.minute_oldest + MINUTE - use.at),
        day=_window(tier.per_day, use.day_used + use.new, use.day_oldest + DAY - use.at),
    )


def _window(limit: int, used: int, left: int) -> WindowState:
    return WindowState(limit, max(0, limit - used), -(-left // SECOND))
