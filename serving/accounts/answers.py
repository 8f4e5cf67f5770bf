"""Accounts and orders as they are answered."""

from dataclasses import dataclass
from typing import Annotated

from serving.accounts.accounts import Statement
from serving.contract.answers import DETAIL
from serving.metering.clock import rfc3339
from serving.metering.gate import Caller
from serving.metering.records import Entry, Order
from serving.metering.tiers import PACKS, TIERS


@dataclass(frozen=True, slots=True)
class RateLimit:
    """The requests that a tier allows each key."""

    requests_per_minute: int
    requests_per_day: int


@dataclass(frozen=True, slots=True)
class PackOffer:
    """A credit pack that can be bought."""

    pack: str
    price_cents: int
    credits: int


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """A movement of credits; both parts are signed."""

    at: str
    kind: str
    endpoint: str | None
    allotment: int
    wallet: int
    balance_after: int
    request_id: str | None
    reference: Annotated[str | None, DETAIL]


@dataclass(frozen=True, slots=True)
class ResearchAllotment:
    """The month's free credits."""

    limit: int
    remaining: int
    renews_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountAnswer:
    """An account; `ledger` has its newest entries first."""

    tier: str
    credits_remaining: int
    rate_limit: RateLimit
    upgrade_options: Annotated[tuple[PackOffer, ...], DETAIL]
    ledger: Annotated[tuple[LedgerEntry, ...], DETAIL]
    research_allotment: ResearchAllotment
    wallet: int
    key_prefix: str
    scopes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReachedStage:
    """A stage of an order, and the time at which it was reached."""

    state: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderAnswer:
    """The progress of a formation order."""

    order_id: str
    state: str
    entity_name: str
    entity_type: str
    filing_jurisdiction: str
    stages: tuple[ReachedStage, ...]
    updated_at: str


def account_answer(statement: Statement, caller: Caller) -> AccountAnswer:
    """Return the account of a caller as it is answered."""
    account = statement.account
    tier = TIERS[account.tier]
    return AccountAnswer(
        tier=account.tier,
        credits_remaining=account.allotment + account.wallet,
        rate_limit=RateLimit(tier.per_minute, tier.per_day),
        upgrade_options=tuple(
            PackOffer(pack.name, pack.price_cents, pack.credits) for pack in PACKS.values()
        ),
        ledger=tuple(map(_entry, statement.entries)),
        research_allotment=ResearchAllotment(
            account.allotment_limit, account.allotment, rfc3339(account.renews_at)
        ),
        wallet=account.wallet,
        key_prefix=caller.prefix,
        scopes=caller.scopes,
    )


def order_answer(order: Order) -> OrderAnswer:
    """Return an order as it is answered."""
    return OrderAnswer(
        order_id=order.order_id,
        state=order.state,
        entity_name=order.entity_name,
        entity_type=order.entity_type,
        filing_jurisdiction=order.filing_jurisdiction,
        stages=tuple(ReachedStage(stage.state, rfc3339(stage.at)) for stage in order.stages),
        updated_at=rfc3339(order.updated_at),
    )


def _entry(entry: Entry) -> LedgerEntry:
    return LedgerEntry(
        at=rfc3339(entry.at),
        kind=entry.kind,
        endpoint=entry.endpoint,
        allotment=entry.allotment,
        wallet=entry.wallet,
        balance_after=entry.balance_after,
        request_id=entry.request_id,
        reference=entry.reference,
    )
