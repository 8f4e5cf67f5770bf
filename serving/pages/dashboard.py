"""What the dashboard shows of an account, read from the store in one go. The reads block."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from serving.accounts.billing import Billing
from serving.metering.clock import DAY, SECOND
from serving.metering.keys import SCOPES
from serving.metering.records import Account, Entry, Key
from serving.metering.tiers import PACKS, TIERS, Pack, Tier
from serving.pages.chart import Chart, build_chart

NEWEST = 8
SOON = 7 * DAY

KINDS = {
    "charge": "Call",
    "refund": "Refund",
    "purchase": "Purchase",
    "grant": "Grant",
    "allotment": "Monthly allotment",
    "expiry": "Allotment expired",
}
"""Ledger entries as they are called here."""


@dataclass(frozen=True, slots=True)
class KeyRow:
    """One key of the table."""

    key: Key
    state: Literal["live", "expires soon", "expired", "revoked"]

    @property
    def is_live(self) -> bool:
        """Whether the key opens anything."""
        return self.state in ("live", "expires soon")


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One entry of the ledger."""

    entry: Entry
    what: str
    change: int


@dataclass(frozen=True, slots=True)
class KeyForm:
    """What the form of a new key holds, as at first or as it was sent."""

    name: str = ""
    scopes: tuple[str, ...] = SCOPES
    expires: str = ""


@dataclass(frozen=True, slots=True)
class Prices:
    """The price list, and whether packs can be bought here."""

    tiers: tuple[Tier, ...]
    packs: tuple[Pack, ...]
    sells: bool


@dataclass(frozen=True, slots=True)
class Dashboard:
    """One account with all that the dashboard shows of it. `once_state` changes with every key created."""

    account: Account
    tier: Tier
    keys: tuple[KeyRow, ...]
    chart: Chart
    entries: tuple[EntryRow, ...]
    prices: Prices
    once_state: str

    @property
    def balance(self) -> int:
        """Credits left: allotment and wallet."""
        return self.account.allotment + self.account.wallet

    @property
    def live_keys(self) -> tuple[KeyRow, ...]:
        """The keys that open something."""
        return tuple(row for row in self.keys if row.is_live)

    @property
    def ended_keys(self) -> tuple[KeyRow, ...]:
        """The keys that open nothing any more."""
        return tuple(row for row in self.keys if not row.is_live)


def read_dashboard(billing: Billing, account: Account, *, sells: bool) -> Dashboard:
    """Read what the dashboard shows."""
    account_id = account.account_id
    with billing.database.reading() as connection:
        now = billing.database.now(connection)
    keys = billing.accounts.list_keys(account_id)
    return Dashboard(
        account=account,
        tier=TIERS[account.tier],
        keys=tuple(KeyRow(key, _state(key, now)) for key in keys),
        chart=build_chart(
            billing.customers.usage(account_id), today=datetime.fromtimestamp(now // SECOND, UTC).date()
        ),
        entries=entry_rows(billing.customers.ledger_page(account_id, before=None, limit=NEWEST)),
        prices=prices(sells=sells),
        once_state=keys_state(newest_key(keys)),
    )


def newest_key(keys: Sequence[Key]) -> int:
    """Give the id of the newest key; 0 where there is none."""
    return max((key.key_id for key in keys), default=0)


def keys_state(newest: int) -> str:
    """Name the state of an account by its newest key: another one once a key was created."""
    return f"key {newest}"


def entry_rows(entries: Sequence[Entry]) -> tuple[EntryRow, ...]:
    """Put ledger entries as the page shows them."""
    return tuple(EntryRow(entry, KINDS[entry.kind], entry.allotment + entry.wallet) for entry in entries)


def prices(*, sells: bool) -> Prices:
    """Give the price list."""
    return Prices(tuple(TIERS.values()), tuple(PACKS.values()), sells)


def _state(key: Key, now: int) -> Literal["live", "expires soon", "expired", "revoked"]:
    if key.revoked_at is not None:
        return "revoked"
    if key.expires_at is None or key.expires_at > now + SOON:
        return "live"
    return "expires soon" if key.expires_at > now else "expired"
