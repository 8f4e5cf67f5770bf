"""The tool `resolve_citation`, and resolved citations as tools report them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from pydantic import Field

from serving.api.faulty import Faulty, unread
from serving.api.operations import RESOLVE
from serving.contract.answers import widen
from serving.contract.errors import ValidationError
from serving.mcp.charging import MeteredCall
from serving.mcp.fields import Citation, PublicationDate, SnapshotId
from serving.mcp.schemas import FAULTY, Schema
from serving.mcp.tool import Answer, Tool, fitting
from serving.mcp.tool_context import ToolContext
from serving.services.citations.answers import NamedProvision, ResolutionAnswer, resolution_answer
from serving.services.citations.resolution import Outcome, Resolution
from serving.services.citations.resolve import resolve

MAX_CITATIONS = 25
_SHARES = (10, 5, 3, 2, 1, 0)
"""Candidates and members that are listed for one resolution: the largest number that fits is used."""
_HEADING = 160
_FAULTY_INPUT = 80
"""Characters of a citation that is none which its result repeats."""


class ResolveCitation(Schema):
    """Arguments."""

    citations: Annotated[
        list[Annotated[Citation, FAULTY]],
        Field(min_length=1, max_length=MAX_CITATIONS, description="1 to 25."),
    ]
    snapshot: SnapshotId | None = None
    date: PublicationDate | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved(ResolutionAnswer):
    """A resolution of which only some candidates and members are listed; `candidate_count`: of all."""

    candidate_count: int = 0


@dataclass(frozen=True, slots=True)
class Resolutions:
    """One result for each citation, in their order."""

    results: tuple[Resolved, ...]


def resolved(resolution: Resolution, *, most: int) -> Resolved:
    """Return a resolution with at most so many candidates and members: of these what is not found first."""
    by_need = sorted(range(len(resolution.members)), key=lambda at: _is_found(resolution.members[at]))
    members = tuple(resolution.members[at] for at in sorted(by_need[:most]))
    listed = replace(resolution, candidates=resolution.candidates[:most], members=members)
    answer = _cut(resolution_answer(listed))
    return widen(answer, Resolved, candidate_count=len(resolution.candidates))


def _is_found(member: Resolution) -> bool:
    return member.outcome is Outcome.FOUND


def _cut(answer: ResolutionAnswer) -> ResolutionAnswer:
    """Return a resolution with its long headings cut, and without an input that is the citation itself."""
    return replace(
        answer,
        input=None if answer.input == answer.citation else answer.input,
        heading=_short(answer.heading),
        law_kind=None if answer.node_id else answer.law_kind,
        candidates=tuple(replace(one, heading=_short(one.heading)) for one in answer.candidates),
        members=tuple(map(_cut, answer.members)),
        neighbours=answer.neighbours
        and replace(
            answer.neighbours,
            previous=_named(answer.neighbours.previous),
            next=_named(answer.neighbours.next),
        ),
    )


def _named(one: NamedProvision | None) -> NamedProvision | None:
    return one and replace(one, heading=_short(one.heading))


def _short(heading: str | None) -> str | None:
    return heading if heading is None or len(heading) <= _HEADING else heading[: _HEADING - 1] + "…"


async def _resolve(services: ToolContext, metered: MeteredCall, asked: ResolveCitation) -> Answer:
    cited: Sequence[Any] = asked.citations
    if all(isinstance(one, Faulty) for one in cited):
        raise ValidationError(cited[0].problem, parameter="citations")
    with await services.lease(asked.snapshot, asked.date) as snapshot:
        found = await services.run(
            metered.caller,
            lambda: [_unread(one) if isinstance(one, Faulty) else resolve(snapshot, one) for one in cited],
        )
        content = fitting(lambda most: Resolutions(tuple(resolved(one, most=most) for one in found)), _SHARES)
    return Answer(content, snapshot.id)


def _unread(one: Faulty) -> Resolution:
    return unread(replace(one, given=one.shown[:_FAULTY_INPUT]))


RESOLVE_CITATION = Tool(
    name="resolve_citation",
    aliases=("law.resolve_citation", "law_resolve_citation"),
    title="Resolve citations",
    summary="Lead citations as people write them to the provisions they mean, or say why there is none.",
    guidance="Outcomes: `found`; `ambiguous` (choose among `candidates`, or ask); `repealed`, `reserved`, "
    "`renumbered` (see `successor`); `not_in_code` (its title or code is held whole, without it: see "
    "`neighbours`); `pin_not_found` (the section has no such part: see `pinNeighbours`); `outside_coverage` "
    "(not held here: it proves nothing); `unknown_code` (of no law that is known); `act_unmapped` (the act's "
    "place is not known); `unparsed` (see `expected`); `unchecked` (a court's decision). A pin cite such as "
    "(a)(1) gives the `span` of that part.",
    arguments=ResolveCitation,
    renamed={"citation": "citations"},
    answer=Resolutions,
    operation=RESOLVE,
    run=_resolve,
    quotes_law=True,
)
