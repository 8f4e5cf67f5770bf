"""Records of the resolving of citations."""

from dataclasses import dataclass

from legal_client.results.meta import Meta


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
    """Provisions before and after the place of one that does not exist."""

    previous: Provision | None
    next: Provision | None


@dataclass(frozen=True, slots=True)
class Successor:
    """Provision that took the place of another."""

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
class LeadIn:
    """The words of a part before the first part in it; `label` is None for the words before all parts."""

    label: str | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Resolution:
    """Result of resolving a citation; `outcome` tells which of the other fields are set."""

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
    pin_reason: str | None
    pin_candidates: tuple[PinSpan, ...]
    pin_neighbours: tuple[PinSpan, ...]
    pin_status: str | None
    lead_in: tuple[LeadIn, ...]
    span: PinSpan | None
    reason: str | None
    candidates: tuple[Candidate, ...]
    neighbours: Neighbours | None
    successor: Successor | None
    members: tuple["Resolution", ...]
    member_count: int | None
    offset: int | None
    expected: str | None
    inferred: bool
    code_name: str | None = None
    law_kind: str | None = None
    amended_since: int | None = None


@dataclass(frozen=True, slots=True)
class Resolutions:
    """One resolution for each citation, in their order."""

    results: tuple[Resolution, ...]
    meta: Meta
