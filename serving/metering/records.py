"""Work that the meter is given, and its outcomes. Instants are microseconds since 1970 UTC."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal, NamedTuple

from serving.metering.clock import month_start
from serving.metering.keys import ACCESS

Kind = Literal["charge", "refund", "purchase", "grant", "allotment", "expiry"]
WindowName = Literal["minute", "day"]
ReversalKind = Literal["refunds", "failed_refund", "dispute"]


@dataclass(frozen=True, slots=True)
class Charge:
    """One authenticated request to settle. With cost 0 it counts against the windows and takes no credits.

    `snapshot` is the one that is read; None where none is.
    """

    key_hash: str
    cost: int
    endpoint: str
    request_id: str
    snapshot: str | None = None


class Receipt(NamedTuple):
    """Identifies the ledger entry of one charge, so that it can be refunded."""

    account_id: int
    entry_no: int


@dataclass(frozen=True, slots=True)
class Refund:
    """A request to give one charge back. Asking twice gives it back once."""

    receipt: Receipt
    request_id: str


class WindowState(NamedTuple):
    """One sliding window after the request: requests left now, and seconds until one more is allowed."""

    limit: int
    remaining: int
    reset_seconds: int


class Windows(NamedTuple):
    """Both windows of a key."""

    minute: WindowState
    day: WindowState


class Settled(NamedTuple):
    """The request passed and its cost is taken.

    Attributes:
        month: ordinal of the month that the allotment is of.
        receipt: None if there was nothing to take.
    """

    account_id: int
    key_id: int
    tier: str
    cost: int
    allotment: int
    wallet: int
    month: int
    windows: Windows
    receipt: Receipt | None

    @property
    def balance(self) -> int:
        """Credits left, in allotment and wallet together."""
        return self.allotment + self.wallet

    @property
    def renews_at(self) -> int:
        """Instant at which the allotment is next filled."""
        return month_start(self.month + 1)


@dataclass(frozen=True, slots=True)
class RateLimited:
    """Too many requests passed before this one, which is not counted."""

    account_id: int
    key_id: int
    tier: str
    window: WindowName
    retry_after_seconds: int
    windows: Windows


@dataclass(frozen=True, slots=True)
class InsufficientCredits:
    """Allotment and wallet together are less than the cost. Nothing was taken, but the request is counted.

    Attributes:
        month: ordinal of the month that the allotment is of.
    """

    account_id: int
    key_id: int
    tier: str
    cost: int
    allotment: int
    wallet: int
    month: int
    windows: Windows

    @property
    def balance(self) -> int:
        """Credits left, in allotment and wallet together."""
        return self.allotment + self.wallet

    @property
    def renews_at(self) -> int:
        """Instant at which the allotment is next filled."""
        return month_start(self.month + 1)


@dataclass(frozen=True, slots=True)
class KeyRefused:
    """The key is unknown, revoked or expired."""

    reason: Literal["unknown", "revoked", "expired"]


@dataclass(frozen=True, slots=True)
class Refunded:
    """The charge was given back, now or earlier. Both parts are those of the account after it."""

    account_id: int
    allotment: int
    wallet: int


@dataclass(frozen=True, slots=True)
class NothingToRefund:
    """No charge has that receipt."""


Work = Charge | Refund

Joining = Callable[[], Sequence[Work]]
"""Returns the work that goes into a transaction with a batch that it was opened for."""


def nobody() -> Sequence[Work]:
    """Return no work: nobody joins the batch."""
    return ()


Outcome = Settled | RateLimited | InsufficientCredits | KeyRefused | Refunded | NothingToRefund


class Entry(NamedTuple):
    """One change of credits.

    Attributes:
        allotment, wallet: what was added; negative where it was taken.
        refers_to: number of the entry that is given back.
        snapshot: the snapshot that a charged call read.
    """

    account_id: int
    entry_no: int
    at: int
    kind: Kind
    allotment: int
    wallet: int
    balance_after: int
    endpoint: str | None = None
    request_id: str | None = None
    key_id: int | None = None
    refers_to: int | None = None
    snapshot: str | None = None

    @property
    def reference(self) -> str | None:
        """Id of the payment's event, or the operator's note, by which credits moved without a call."""
        return self.request_id if self.key_id is None else None


@dataclass(frozen=True, slots=True)
class DayUsage:
    """Calls of one endpoint with one key on one UTC day, and their cost, without those that were refunded."""

    day: date
    endpoint: str
    key_id: int
    calls: int
    credits: int


@dataclass(frozen=True, slots=True)
class Account:
    """One customer.

    Attributes:
        renews_at: instant at which the allotment is next filled up to `allotment_limit`.
        verified_at: instant at which its holder has shown that they read the mail of `email`; None before.
    """

    account_id: int
    email: str | None
    tier: str
    allotment: int
    allotment_limit: int
    wallet: int
    renews_at: int
    created_at: int
    verified_at: int | None = None


@dataclass(frozen=True, slots=True)
class Key:
    """One key, without its text, as lists show it."""

    key_id: int
    account_id: int
    name: str
    prefix: str
    scopes: tuple[str, ...]
    created_at: int
    expires_at: int | None
    revoked_at: int | None
    last_used_at: int | None
    passed: int

    @property
    def is_of_agent(self) -> bool:
        """True if its text is an access token, and nobody made it as a key."""
        return self.prefix.startswith(ACCESS)


@dataclass(frozen=True, slots=True)
class Purchase:
    """A pack that was bought.

    Attributes:
        payment_id: id by which refunds and disputes name the payment.
        event_id: the event by which it was credited.
        price_cents: price paid for all of its credits.
        reversed: credits that refunds and disputes ask back at present; the wallet may have held fewer.
        reversed_at: instant at which that last changed.
        taken_back: number of those that the wallet still held and that were taken.
    """

    payment_id: str
    event_id: str
    account_id: int
    pack: str
    price_cents: int
    credits: int
    at: int
    reversed: int
    reversed_at: int | None
    taken_back: int


@dataclass(frozen=True, slots=True)
class Reversal:
    """The state of one reversal of a payment at one moment.

    Attributes:
        reversal_id: the charge, for its `refunds`; the refund, for a `failed_refund`; or the `dispute`.
        amount_cents: of `refunds` the sum that the charge gave back so far; of a `failed_refund` the sum that
            came back to us; of a `dispute` the sum that it withholds from us at that moment, perhaps 0.
        at: instant of that state.
        event_id: the event that reported it.
    """

    reversal_id: str
    kind: ReversalKind
    payment_id: str
    amount_cents: int
    at: int
    event_id: str


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage that an order has reached, and the instant."""

    state: str
    at: int


@dataclass(frozen=True, slots=True)
class Order:
    """One formation order with its stages so far, oldest first; `naics` is its business's code, if known."""

    order_id: str
    account_id: int
    state: str
    entity_name: str
    entity_type: str
    filing_jurisdiction: str
    updated_at: int
    stages: tuple[Stage, ...]
    naics: str | None = None


@dataclass(frozen=True, slots=True)
class Imbalance:
    """An account whose balance is not the sum of its entries."""

    account_id: int
    allotment: int
    allotment_entries: int
    wallet: int
    wallet_entries: int
