"""What calls give: frozen records, in the words of the API.

Every answer has `meta`, which says what it cost and which snapshot of the law it was read from.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Meta:
    """What the headers of an answer say.

    Attributes:
        request_id: names the call in the service's log and in the ledger.
        snapshot_id: snapshot that the answer was read from.
        credits_cost: what the call cost; 0 for an answer that was still good from before.
        credits_remaining: credits left after the call; None on answers that need no key.
        next_query: query of the page after this one; None on the last.
    """

    request_id: str | None = None
    snapshot_id: str | None = None
    credits_cost: int | None = None
    credits_remaining: int | None = None
    next_query: str | None = None


@dataclass(frozen=True, slots=True)
class Span:
    """Characters of a text, from `start` up to `end`."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Match:
    """Why a provision was found: its rank by words and by meaning, and whether the query cites it."""

    keyword_rank: int | None
    semantic_rank: int | None
    citation: bool


@dataclass(frozen=True, slots=True)
class SearchItem:
    """A provision that was found. `highlights` are characters of `snippet`."""

    node_id: str
    citation: str
    heading: str
    jurisdiction: str
    code_body: str
    snippet: str
    score: float
    level: str | None
    status: str | None
    tags: tuple[str, ...]
    highlights: tuple[Span, ...]
    matched: Match | None


@dataclass(frozen=True, slots=True)
class FacetCount:
    """How many results have a value."""

    value: str
    label: str
    count: int


@dataclass(frozen=True, slots=True)
class Facets:
    """Counts by kind of value."""

    jurisdiction: tuple[FacetCount, ...]
    code_body: tuple[FacetCount, ...]
    level: tuple[FacetCount, ...]
    tag: tuple[FacetCount, ...]


@dataclass(frozen=True, slots=True)
class SearchPage:
    """One page of results."""

    results: tuple[SearchItem, ...]
    page: int
    page_size: int
    total: int
    took_ms: int
    mode: str
    facets: Facets | None
    meta: Meta


@dataclass(frozen=True, slots=True)
class Ancestor:
    """A node above another."""

    id: str
    level: str
    num: str | None
    heading: str


@dataclass(frozen=True, slots=True)
class CodeBodyName:
    """The code body that a node belongs to."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A labelled part of a text."""

    label: str
    start: int
    end: int
    uncertain: bool


@dataclass(frozen=True, slots=True)
class Reference:
    """A citation in a text; `reason` says why it leads nowhere where `node_id` is None."""

    start: int
    end: int
    citation: str
    node_id: str | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class Note:
    """An editorial note, which is not law."""

    topic: str
    heading: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Provenance:
    """The bytes of the official file that a node was read from."""

    publisher: str
    source_url: str | None
    file: str
    sha256: str
    byte_start: int
    byte_end: int
    release_point: str | None
    retrieved_at: str | None
    license: str


@dataclass(frozen=True, slots=True)
class Node:
    """A provision with its text."""

    id: str
    citation: str
    heading: str
    text: str
    breadcrumb: tuple[str, ...]
    ancestors: tuple[Ancestor, ...]
    jurisdiction: str | None
    code_body: CodeBodyName | None
    level: str | None
    num: str | None
    status: str | None
    previous_id: str | None
    next_id: str | None
    child_count: int | None
    outline: tuple[OutlineEntry, ...]
    references: tuple[Reference, ...]
    cited_by_count: int | None
    tags: tuple[str, ...]
    text_sha256: str | None
    source_credit: str | None
    notes: tuple[Note, ...]
    effective_start: str | None
    effective_end: str | None
    provenance: Provenance | None
    current_through: str | None
    meta: Meta


@dataclass(frozen=True, slots=True)
class Provision:
    """A provision by its citation."""

    node_id: str
    citation: str
    heading: str
    jurisdiction: str
    code_body: str
    level: str
    status: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """One of several things that a citation may mean."""

    act: str | None
    citation: str | None
    node_id: str | None
    heading: str | None


@dataclass(frozen=True, slots=True)
class Neighbours:
    """What stands before and after the place where a provision would be."""

    previous: Provision | None
    next: Provision | None


@dataclass(frozen=True, slots=True)
class Successor:
    """Where a provision went."""

    citation: str
    node_id: str | None


@dataclass(frozen=True, slots=True)
class PinSpan:
    """The characters of a node's text that a pin cite names."""

    start: int
    end: int
    label: str | None
    uncertain: bool


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a citation leads to; `outcome` says which of the other fields tell more."""

    input: str
    outcome: str
    citation: str | None
    node_id: str | None
    node_citation: str | None
    heading: str | None
    jurisdiction: str | None
    code_body: str | None
    level: str | None
    status: str | None
    pin: str | None
    pin_found: bool | None
    span: PinSpan | None
    reason: str | None
    candidates: tuple[Candidate, ...]
    neighbours: Neighbours | None
    successor: Successor | None
    members: tuple["Resolution", ...]
    member_count: int | None
    offset: int | None
    expected: str | None


@dataclass(frozen=True, slots=True)
class Resolutions:
    """One resolution for each citation, in their order."""

    results: tuple[Resolution, ...]
    meta: Meta


@dataclass(frozen=True, slots=True)
class CodeBody:
    """A code body and how current it is."""

    id: str
    name: str
    jurisdiction: str
    key: str | None
    level: str | None
    current_through: str | None
    release_point: str | None
    node_count: int | None
    complete: bool | None
    source_url: str | None
    license: str | None


@dataclass(frozen=True, slots=True)
class CodeBodies:
    """All code bodies."""

    code_bodies: tuple[CodeBody, ...]
    meta: Meta


@dataclass(frozen=True, slots=True)
class BrowseNode:
    """A child in a code body."""

    id: str
    heading: str
    citation: str
    level: str | None
    num: str | None
    status: str | None
    has_children: bool | None
    child_count: int | None
    citable: bool | None


@dataclass(frozen=True, slots=True)
class Children:
    """The children of a node, or the top level of a code body."""

    code_body_id: str | None
    parent: str | None
    nodes: tuple[BrowseNode, ...]
    meta: Meta


@dataclass(frozen=True, slots=True)
class GisLayer:
    """The zoning layer of a place. Cite from it only where `citation_quality` is `linked`."""

    short_code: str
    status: str
    citation_quality: str
    feature_count: int
    geojson: Mapping[str, Any]
    name: str | None
    layer_date: str | None
    code_date: str | None
    bbox: tuple[float, ...]
    license: str | None
    source_url: str | None
    meta: Meta


@dataclass(frozen=True, slots=True)
class ZoneAtPoint:
    """A zone that holds a point. `link` is `linked` where `node_id` defines it, else `placeholder`."""

    zone_id: str
    zone_code: str
    zone_name: str | None
    overlay: bool | None
    node_id: str | None
    citation: str | None
    heading: str | None
    link: str
    reason: str | None
    on_boundary: bool


@dataclass(frozen=True, slots=True)
class Location:
    """The zones at a point; `reason` says why there is none."""

    short_code: str
    lat: float
    lon: float
    zones: tuple[ZoneAtPoint, ...]
    reason: str | None
    on_boundary: bool
    across_boundary: tuple[ZoneAtPoint, ...]
    status: str | None
    citation_quality: str | None
    layer_date: str | None
    code_date: str | None
    meta: Meta


@dataclass(frozen=True, slots=True)
class CoveredCode:
    """A code body as coverage lists it."""

    id: str
    name: str
    current_through: str | None
    release_point: str | None
    complete: bool | None
    node_count: int | None


@dataclass(frozen=True, slots=True)
class Jurisdiction:
    """What is held of a jurisdiction; a placeholder is listed and cannot be searched yet."""

    short_code: str
    name: str
    level: str
    node_count: int
    searchable_chunks: int
    placeholder: bool
    gis_status: str | None
    citation_quality: str | None
    code_bodies: tuple[CoveredCode, ...]
    gaps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Coverage:
    """What is held, and what is missing."""

    total_jurisdictions: int
    total_nodes: int
    total_searchable_chunks: int
    published_gis_layers: int
    jurisdictions: tuple[Jurisdiction, ...]
    meta: Meta


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
    """One movement of credits, with the parts that allotment and wallet took or gave."""

    at: str
    kind: str
    endpoint: str | None
    allotment: int
    wallet: int
    balance_after: int
    request_id: str | None


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


@dataclass(frozen=True, slots=True)
class OrderStage:
    """A stage that a formation order reached."""

    state: str
    at: str


@dataclass(frozen=True, slots=True)
class Order:
    """How far a formation order has come."""

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
    """How providers are scored."""

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
    """Where a formation is filed."""

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
    cap: int
    remaining: int


@dataclass(frozen=True, slots=True)
class Prices:
    """What forming costs, by state and entity; `founding_offer` is None once its cohort is full."""

    date: str
    currency: str
    statuses: Mapping[str, str]
    prices: tuple[Price, ...]
    founding_offer: FoundingOffer | None
    meta: Meta
