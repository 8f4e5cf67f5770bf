"""Resolved citations as tools report them: the same fields as `/api/v1/resolve`, without empty ones."""

from typing import Annotated

from pydantic import Field

from serving.api.operations import RESOLVE
from serving.mcp.charging import MeteredCall
from serving.mcp.fields import Citation, SnapshotId
from serving.mcp.links import link_to
from serving.mcp.schemas import Schema
from serving.mcp.tool import Answer, Tool, fitting
from serving.mcp.tool_context import ToolContext
from serving.mcp.untrusted import NOTICE, shown
from serving.services.citations.resolution import Outcome, Provision, Resolution
from serving.services.citations.resolve import resolve

MAX_CITATIONS = 25
_SHARES = (10, 5, 3, 2, 1, 0)
"""Candidates and members that are listed for one resolution: the largest number that fits is used."""
_HEADING = 160


class Named(Schema):
    """A provision, as far as it is known."""

    citation: str | None = None
    node_id: str | None = None
    heading: str | None = None
    status: str | None = None
    act: str | None = None


class PinnedPart(Schema):
    """The part that a pin cite names: characters of the text. Not `found`: of the nearest part above it."""

    label: str
    found: bool
    start: int
    end: int
    uncertain: bool


class Resolved(Schema):
    """The result of resolving one citation. Only `found` is good law to cite as it stands."""

    input: str
    outcome: Outcome
    reason: str | None = None
    citation: str | None = None
    code_name: str | None = None
    law_kind: str | None = None
    node_id: str | None = None
    heading: str | None = None
    jurisdiction: str | None = None
    status: str | None = None
    pin: PinnedPart | None = None
    successor: Named | None = None
    previous: Named | None = None
    next: Named | None = None
    candidates: list[Named] | None = None
    candidate_count: int | None = None
    members: list[Named] | None = None
    member_count: int | None = None
    offset: int | None = None
    expected: str | None = None


class ResolveCitation(Schema):
    """Arguments."""

    citations: Annotated[
        list[Citation],
        Field(min_length=1, max_length=MAX_CITATIONS, description="Citations, 1 to 25."),
    ]
    snapshot: SnapshotId | None = None


class Resolutions(Schema):
    """One result for each citation, in their order."""

    notice: str = NOTICE
    results: list[Resolved]
    snapshot: str


def resolved(resolution: Resolution, *, most: int) -> Resolved:
    """Return a resolution with at most so many candidates and members."""
    provision, pin, beside = resolution.provision, resolution.pin, resolution.neighbours
    successor = resolution.successor
    candidates = [
        _named(one.provision, citation=one.citation, act=one.act) for one in resolution.candidates[:most]
    ]
    members = [_named(one.provision, citation=one.citation) for one in resolution.members[:most]]
    return Resolved(
        input=resolution.input,
        outcome=resolution.outcome,
        reason=resolution.reason,
        citation=resolution.citation,
        code_name=resolution.code_name,
        law_kind=None if provision else resolution.law,
        node_id=provision.node_id if provision else None,
        heading=_short(provision.heading) if provision else None,
        jurisdiction=resolution.jurisdiction,
        status=provision.status if provision else None,
        pin=PinnedPart(
            label=pin.label, found=pin.found, start=pin.start, end=pin.end, uncertain=pin.uncertain
        )
        if pin
        else None,
        successor=_named(successor.provision, citation=successor.citation) if successor else None,
        previous=_named(beside.previous) if beside and beside.previous else None,
        next=_named(beside.next) if beside and beside.next else None,
        candidates=candidates or None,
        candidate_count=len(resolution.candidates) or None,
        members=members or None,
        member_count=resolution.member_count or None,
        offset=resolution.offset,
        expected=resolution.expected,
    )


def _named(provision: Provision | None, *, citation: str | None = None, act: str | None = None) -> Named:
    return Named(
        citation=citation or (provision.citation if provision else None),
        node_id=provision.node_id if provision else None,
        heading=_short(provision.heading) if provision else None,
        status=provision.status if provision else None,
        act=act,
    )


def _short(heading: str) -> str:
    heading = shown(heading)
    return heading if len(heading) <= _HEADING else heading[: _HEADING - 1] + "…"


async def _resolve(services: ToolContext, metered: MeteredCall, asked: ResolveCitation) -> Answer:
    with await services.lease(asked.snapshot) as snapshot:
        found = await services.run(
            metered.caller, lambda: [resolve(snapshot, one) for one in asked.citations]
        )
        content = fitting(
            lambda most: Resolutions(
                results=[resolved(one, most=most) for one in found], snapshot=snapshot.id
            ),
            _SHARES,
        )
    links = {
        one.provision.node_id: link_to(
            one.provision.node_id, one.provision.citation, one.provision.heading, snapshot=asked.snapshot
        )
        for one in found
        if one.provision is not None
    }
    return Answer(content, list(links.values()))


RESOLVE_CITATION = Tool(
    name="resolve_citation",
    aliases=("law.resolve_citation", "law_resolve_citation"),
    title="Resolve citations",
    summary="Lead citations as people write them to the provisions they mean, or say why there is none.",
    guidance="Outcomes: `found`; `ambiguous` (choose among `candidates`, or ask); `repealed`, `reserved`, "
    "`renumbered` (see `successor`); `not_in_code` (the code is held whole and has no such number: "
    "`previous` and `next` stand beside it); `outside_coverage` (not held here: it proves nothing); "
    "`unknown_code` (`code_name` is of no law that is known: it is never led to another); `act_unmapped` "
    "(the act is known, its place in the code is not); `unparsed` (see `offset` and `expected`). A pin cite "
    "such as (a)(1) gives the characters of that part.",
    arguments=ResolveCitation,
    answer=Resolutions,
    operation=RESOLVE,
    run=_resolve,
)
