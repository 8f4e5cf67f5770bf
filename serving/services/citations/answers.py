"""Resolved citations as they are answered."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from serving.contract.answers import DETAIL, Default, widen
from serving.contract.records import IN_FORCE
from serving.services.citations.resolution import (
    Candidate,
    LabelledSpan,
    LeadIn,
    Neighbours,
    Outcome,
    PinCite,
    PinReason,
    Provision,
    Reason,
    Resolution,
    Successor,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedProvision:
    """A provision as another one's answer names it; one that is not held has no id."""

    node_id: str | None = None
    citation: str | None = None
    heading: str | None = None
    jurisdiction: Annotated[str | None, DETAIL] = None
    code_body: Annotated[str | None, DETAIL] = None
    level: Annotated[str | None, Default("section")] = None
    status: Annotated[str | None, Default(IN_FORCE)] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedCandidate(NamedProvision):
    """One meaning of an ambiguous citation; `act`: the name of the act, where one was named."""

    act: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PinnedSpan:
    """Characters [start, end) that a pin cite names, or of the nearest part above it with its label."""

    start: int
    end: int
    label: str | None = None
    uncertain: bool = False


@dataclass(frozen=True, slots=True)
class Beside:
    """The provisions before and after a number that is missing; None where it would be the first or last."""

    previous: NamedProvision | None
    next: NamedProvision | None


@dataclass(frozen=True, slots=True)
class NewPlace:
    """The place to which a provision went."""

    citation: str
    node_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolutionAnswer:
    """The answer for one citation: the fields of a resolution, with its provision and pin beside them."""

    input: str | None
    outcome: Outcome
    citation: str | None = None
    code_name: str | None = None
    law_kind: Annotated[str | None, Default("code")] = None
    node_id: str | None = None
    node_citation: Annotated[str | None, DETAIL] = None
    heading: str | None = None
    jurisdiction: str | None = None
    code_body: Annotated[str | None, DETAIL] = None
    level: Annotated[str | None, Default("section")] = None
    status: Annotated[str | None, Default(IN_FORCE)] = None
    pin: str | None = None
    pin_found: Annotated[bool | None, Default(True)] = None
    pin_reason: PinReason | None = None
    pin_candidates: tuple[PinnedSpan, ...] = ()
    pin_neighbours: tuple[PinnedSpan, ...] = ()
    pin_status: Annotated[str | None, Default(IN_FORCE)] = None
    lead_in: Annotated[tuple[LeadIn, ...], DETAIL] = ()
    span: PinnedSpan | None = None
    reason: Reason | None = None
    candidates: tuple[NamedCandidate, ...] = ()
    neighbours: Beside | None = None
    successor: NewPlace | None = None
    members: tuple["ResolutionAnswer", ...] = ()
    member_count: int = 0
    offset: int | None = None
    expected: str | None = None
    inferred: bool = False
    amended_since: int | None = None


@dataclass(frozen=True, slots=True)
class Resolutions:
    """The answer for several citations, in their order."""

    results: tuple[ResolutionAnswer, ...]


def resolutions_answer(resolutions: Sequence[Resolution]) -> Resolutions:
    """Return the answer for resolved citations."""
    return Resolutions(tuple(map(resolution_answer, resolutions)))


def resolution_answer(resolution: Resolution) -> ResolutionAnswer:
    """Return the answer for a resolved citation."""
    provision, pin = resolution.provision, resolution.pin
    return ResolutionAnswer(
        input=resolution.input,
        outcome=resolution.outcome,
        citation=resolution.citation,
        code_name=resolution.code_name,
        law_kind=resolution.law,
        node_id=provision.node_id if provision else None,
        node_citation=provision.citation if provision else None,
        heading=provision.heading if provision else None,
        jurisdiction=resolution.jurisdiction,
        code_body=provision.code_body if provision else None,
        level=provision.level if provision else None,
        status=provision.status if provision else None,
        pin=pin.label if pin else None,
        pin_found=pin.found if pin else None,
        pin_reason=pin.reason if pin else None,
        pin_candidates=tuple(map(_part, pin.candidates)) if pin else (),
        pin_neighbours=tuple(map(_part, pin.neighbours)) if pin else (),
        pin_status=pin.status if pin and pin.found else None,
        lead_in=pin.lead_in if pin else (),
        span=_span(pin) if pin else None,
        reason=resolution.reason,
        candidates=tuple(map(_candidate, resolution.candidates)),
        neighbours=_beside(resolution.neighbours) if resolution.neighbours else None,
        successor=_new_place(resolution.successor) if resolution.successor else None,
        members=tuple(map(resolution_answer, resolution.members)),
        member_count=resolution.member_count,
        offset=resolution.offset,
        expected=resolution.expected,
        inferred=resolution.inferred,
        amended_since=resolution.amended_since,
    )


def _span(pin: PinCite) -> PinnedSpan:
    label = pin.label if pin.found else pin.nearest
    return PinnedSpan(start=pin.start, end=pin.end, label=label, uncertain=pin.uncertain)


def _part(part: LabelledSpan) -> PinnedSpan:
    return PinnedSpan(start=part.start, end=part.end, label=part.label, uncertain=part.uncertain)


def _named(provision: Provision) -> NamedProvision:
    return NamedProvision(
        node_id=provision.node_id,
        citation=provision.citation,
        heading=provision.heading,
        jurisdiction=provision.jurisdiction,
        code_body=provision.code_body,
        level=provision.level,
        status=provision.status,
    )


def _candidate(candidate: Candidate) -> NamedCandidate:
    known = NamedProvision() if candidate.provision is None else _named(candidate.provision)
    return widen(replace(known, citation=candidate.citation), NamedCandidate, act=candidate.act)


def _beside(neighbours: Neighbours) -> Beside:
    previous, following = neighbours.previous, neighbours.next
    return Beside(_named(previous) if previous else None, _named(following) if following else None)


def _new_place(successor: Successor) -> NewPlace:
    return NewPlace(successor.citation, successor.provision.node_id if successor.provision else None)
