"""Balances of accounts: charges, refunds and monthly renewal. Every change is a ledger entry."""

from dataclasses import dataclass, field

from serving.metering.clock import month_of
from serving.metering.records import Charge, Entry, Kind


@dataclass(slots=True)
class Balance:
    """An account's credits; `entries` collects the entries to append to the ledger.

    Attributes:
        month: ordinal of the month for which the allotment was last filled.
        entry_no: number of the account's newest ledger entry.
        batch_no: number of the newest record that names it, where a connection follows it.
    """

    account_id: int
    tier: str
    allotment_limit: int
    allotment: int
    month: int
    wallet: int
    entry_no: int
    entries: list[Entry] = field(default_factory=list)
    batch_no: int = 0

    @property
    def total(self) -> int:
        """Credits left, in allotment and wallet together."""
        return self.allotment + self.wallet

    def post(
        self,
        kind: Kind,
        *,
        at: int,
        allotment: int = 0,
        wallet: int = 0,
        endpoint: str | None = None,
        key_id: int | None = None,
        request_id: str | None = None,
        refers_to: int | None = None,
        snapshot: str | None = None,
    ) -> Entry:
        """Change the credits and record the entry."""
        self.allotment += allotment
        self.wallet += wallet
        self.entry_no += 1
        entry = Entry(
            account_id=self.account_id,
            entry_no=self.entry_no,
            at=at,
            kind=kind,
            allotment=allotment,
            wallet=wallet,
            balance_after=self.total,
            endpoint=endpoint,
            request_id=request_id,
            key_id=key_id,
            refers_to=refers_to,
            snapshot=snapshot,
        )
        self.entries.append(entry)
        return entry

    def renew(self, *, at: int) -> None:
        """Fill the allotment if a new month has begun. A clock that is set back renews nothing."""
        month = month_of(at)
        if month <= self.month:
            return
        if self.allotment:
            self.post("expiry", at=at, allotment=-self.allotment)
        self.month = month
        self.post("allotment", at=at, allotment=self.allotment_limit)

    def take(self, charge: Charge, *, at: int, key_id: int) -> Entry | None:
        """Take the cost, from the allotment first. Return None, and take nothing, if both do not suffice."""
        if charge.cost > self.total:
            return None
        allotment = min(charge.cost, self.allotment)
        return self.post(
            "charge",
            at=at,
            allotment=-allotment,
            wallet=allotment - charge.cost,
            endpoint=charge.endpoint,
            key_id=key_id,
            request_id=charge.request_id,
            snapshot=charge.snapshot,
        )

    def give_back(self, entry: Entry, *, at: int, request_id: str) -> Entry:
        """Give a charge back, except what it took from an allotment that has expired since."""
        same_month = month_of(entry.at) == self.month
        return self.post(
            "refund",
            at=at,
            allotment=-entry.allotment if same_month else 0,
            wallet=-entry.wallet,
            endpoint=entry.endpoint,
            request_id=request_id,
            key_id=entry.key_id,
            refers_to=entry.entry_no,
        )
