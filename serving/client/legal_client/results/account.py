"""Records of an account: credits, limits and ledger."""

from dataclasses import dataclass

from legal_client.results.meta import Meta


@dataclass(frozen=True, slots=True)
class RateLimit:
    """Calls that the key may make."""

    requests_per_minute: int
    requests_per_day: int


@dataclass(frozen=True, slots=True)
class UpgradeOption:
    """A pack of credits."""

    pack: str
    price_cents: int
    credits: int


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One movement of credits, with the parts that allotment and wallet took or gave.

    Attributes:
        reference: the payment or the operator's note behind a purchase, a grant or what was taken back.
    """

    at: str
    kind: str
    endpoint: str | None
    allotment: int
    wallet: int
    balance_after: int
    request_id: str | None
    reference: str | None


@dataclass(frozen=True, slots=True)
class Allotment:
    """The credits of the month."""

    limit: int
    remaining: int
    renews_at: str


@dataclass(frozen=True, slots=True)
class Account:
    """The account of the key."""

    tier: str
    credits_remaining: int
    rate_limit: RateLimit
    upgrade_options: tuple[UpgradeOption, ...]
    ledger: tuple[LedgerEntry, ...]
    research_allotment: Allotment | None
    wallet: int | None
    key_prefix: str | None
    scopes: tuple[str, ...]
    meta: Meta
