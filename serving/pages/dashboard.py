"""The dashboard of an account, read from the store in one go. The functions that read block."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from serving.accounts.authorizations.connections import Connection
from serving.accounts.billing import Billing
from serving.authorization.redirect_uris import destination
from serving.metering.clock import DAY, SECOND
from serving.metering.records import Account, DayUsage, Entry, Key
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
"""Names of the kinds of ledger entries on the pages."""


@dataclass(frozen=True, slots=True)
class KeyRow:
    """One row of the table of keys."""

    key: Key
    state: Literal["live", "expires soon", "expired", "revoked"]

    @property
    def is_live(self) -> bool:
        """True if the key can still be used."""
        return self.state in ("live", "expires soon")


@dataclass(frozen=True, slots=True)
class AgentRow:
    """One row of the table of connected agents. `destination` is None for an app on a device."""

    connection: Connection
    destination: str | None


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One entry of the ledger."""

    entry: Entry
    what: str
    change: int


@dataclass(frozen=True, slots=True)
class KeyUsage:
    """Charged calls with one key over the period of the chart."""

    key: Key
    calls: int
    credits: int


@dataclass(frozen=True, slots=True)
class Prices:
    """The price list, and whether packs can be bought here."""

    tiers: tuple[Tier, ...]
    packs: tuple[Pack, ...]
    sells: bool


@dataclass(frozen=True, slots=True)
class Dashboard:
    """One account with everything that its dashboard shows. `once_state` changes with every key created."""

    account: Account
    tier: Tier
    keys: tuple[KeyRow, ...]
    agents: tuple[AgentRow, ...]
    chart: Chart
    usage: tuple[KeyUsage, ...]
    entries: tuple[EntryRow, ...]
    prices: Prices
    once_state: str

    @property
    def balance(self) -> int:
        """Credits left, in allotment and wallet together."""
        return self.account.allotment + self.account.wallet

    @property
    def live_keys(self) -> tuple[KeyRow, ...]:
        """Keys that can be used."""
        return tuple(row for row in self.keys if row.is_live)

    @property
    def ended_keys(self) -> tuple[KeyRow, ...]:
        """Keys that can no longer be used."""
        return tuple(row for row in self.keys if not row.is_live)


def read_dashboard(billing: Billing, account: Account, *, sells: bool) -> Dashboard:
    """Read the dashboard of an account."""
    account_id = account.account_id
    with billing.database.reading(behind=True) as connection:
        now = billing.database.now(connection)
    keys = billing.accounts.list_keys(account_id)
    usage = billing.customers.usage(account_id)
    return Dashboard(
        account=account,
        tier=TIERS[account.tier],
        keys=tuple(KeyRow(key, _state(key, now)) for key in keys if not key.is_of_agent),
        agents=tuple(
            AgentRow(one, destination(one.redirect_uri))
            for one in billing.authorizations.live_connections(account_id)
        ),
        chart=build_chart(usage, today=datetime.fromtimestamp(now // SECOND, UTC).date()),
        usage=usage_by_key(usage, keys),
        entries=entry_rows(billing.customers.ledger_page(account_id, before=None, limit=NEWEST)),
        prices=prices(sells=sells),
        once_state=keys_state(newest_key(keys)),
    )


def usage_by_key(usage: Iterable[DayUsage], keys: Iterable[Key]) -> tuple[KeyUsage, ...]:
    """Return the usage of each key that was used, the most used first, agents included."""
    calls: Counter[int] = Counter()
    spent: Counter[int] = Counter()
    for row in usage:
        calls[row.key_id] += row.calls
        spent[row.key_id] += row.credits
    used = [KeyUsage(key, calls[key.key_id], spent[key.key_id]) for key in keys if calls[key.key_id]]
    return tuple(sorted(used, key=lambda one: -one.calls))


def newest_key(keys: Sequence[Key]) -> int:
    """Return the id of the newest key; 0 if there is none."""
    return max((key.key_id for key in keys), default=0)


def keys_state(newest: int) -> str:
    """Return a name for the state of an account's keys, which changes whenever a key is created."""
    return f"key {newest}"


def entry_rows(entries: Sequence[Entry]) -> tuple[EntryRow, ...]:
    """Return ledger entries as the page shows them."""
    return tuple(EntryRow(entry, KINDS[entry.kind], entry.allotment + entry.wallet) for entry in entries)


def prices(*, sells: bool) -> Prices:
    """Return the price list."""
    return Prices(tuple(TIERS.values()), tuple(PACKS.values()), sells)


def _state(key: Key, now: int) -> Literal["live", "expires soon", "expired", "revoked"]:
    if key.revoked_at is not None:
        return "revoked"
    if key.expires_at is None or key.expires_at > now + SOON:
        return "live"
    return "expires soon" if key.expires_at > now else "expired"
