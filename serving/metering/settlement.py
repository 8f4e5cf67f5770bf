"""Settlement of a batch of work on keys and accounts: pure, between an engine's reads and its writes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from serving.metering.balances import Balance
from serving.metering.rate_limits import Use, refusal_of, windows_of
from serving.metering.records import (
    Charge,
    Entry,
    InsufficientCredits,
    KeyRefused,
    NothingToRefund,
    Outcome,
    Receipt,
    Refund,
    Refunded,
    Settled,
    Work,
)
from serving.metering.tiers import TIERS


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
    balances: dict[int, Balance]
    charges: dict[Receipt, Entry] = field(default_factory=dict)
    refunded: set[Receipt] = field(default_factory=set)

    def settle(self, work: Sequence[Work]) -> list[Outcome]:
        """Settle the work in order, and return one outcome for each piece."""
        return [self._charge(item) if isinstance(item, Charge) else self._refund(item) for item in work]

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
        limited = refusal_of(use, tier)
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
                month=balance.month,
                windows=windows_of(use, tier),
            )
        return Settled(
            account_id=balance.account_id,
            key_id=use.key_id,
            tier=tier.name,
            cost=charge.cost,
            allotment=balance.allotment,
            wallet=balance.wallet,
            month=balance.month,
            windows=windows_of(use, tier),
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
