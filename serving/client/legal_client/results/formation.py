"""Records of formation: orders, providers and prices."""

from collections.abc import Mapping
from dataclasses import dataclass

from legal_client.results.meta import Meta


@dataclass(frozen=True, slots=True)
class OrderStage:
    """A stage that a formation order reached."""

    state: str
    at: str


@dataclass(frozen=True, slots=True)
class Order:
    """A formation order and the stages that it has reached."""

    order_id: str
    state: str
    entity_name: str
    entity_type: str | None
    filing_jurisdiction: str | None
    stages: tuple[OrderStage, ...]
    updated_at: str | None
    meta: Meta


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact of a provider: cents, yes or no; None where it is not known, which is not a no."""

    value: int | bool | None
    status: str
    source: str | None
    date: str | None


@dataclass(frozen=True, slots=True)
class Provider:
    """A formation provider; `score` is None where too much of the rubric's weight is unknown."""

    key: str
    name: str
    url: str
    kind: str
    is_publisher: bool
    score: int | None
    unknown_weight: int
    facts: Mapping[str, Fact]


@dataclass(frozen=True, slots=True)
class Criterion:
    """One line of a rubric."""

    key: str
    weight: int
    full_points_when: str
    facts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rubric:
    """The rubric by which providers are scored."""

    date: str
    max_score: int
    rankable_unknown_weight: int
    criteria: tuple[Criterion, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Formation providers, the publisher among them, by one rubric."""

    date: str
    publisher: str
    note: str
    statuses: Mapping[str, str]
    rubric: Rubric
    providers: tuple[Provider, ...]
    meta: Meta


@dataclass(frozen=True, slots=True)
class PriceItem:
    """One part of a price; `cents` is None where it is not known."""

    item: str
    what: str | None
    cents: int | None
    status: str
    source: str | None
    date: str | None


@dataclass(frozen=True, slots=True)
class PriceTotal:
    """The sum of what is known, its weakest status, and what is missing of it."""

    cents: int
    status: str
    complete: bool
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Office:
    """The office with which a formation is filed."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class Price:
    """The list price of one formation: the sum of `items`; the others stand beside it."""

    state: str
    state_name: str
    entity_type: str
    office: Office
    items: tuple[PriceItem, ...]
    total: PriceTotal
    expedite: PriceItem
    report: PriceItem
    registered_agent_renewal: PriceItem


@dataclass(frozen=True, slots=True)
class FoundingOffer:
    """Cents off while slots remain."""

    discount: int
    discount_cents: int | None
    cap: int
    remaining: int


@dataclass(frozen=True, slots=True)
class Prices:
    """Formation prices by state and entity; `founding_offer` is None once its cohort is full."""

    date: str
    currency: str
    statuses: Mapping[str, str]
    prices: tuple[Price, ...]
    founding_offer: FoundingOffer | None
    meta: Meta
