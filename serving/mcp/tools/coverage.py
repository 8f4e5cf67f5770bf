"""The tool `list_coverage`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import orjson
from pydantic import Field

from serving.api.operations import COVERAGE
from serving.contract.answers import CoverageBody, CoveredJurisdiction
from serving.mcp.charging import MeteredCall
from serving.mcp.fields import WHOLE, Jurisdiction, PublicationDate, SnapshotId
from serving.mcp.schemas import Schema
from serving.mcp.tool import Answer, Tool, fitting
from serving.mcp.tool_context import ToolContext
from serving.services.coverage import coverage
from serving.services.jurisdictions import find_jurisdiction
from serving.snapshot.store import Snapshot

_PAGES = (40, 20, 10, 5, 1)
_GAPS = 10
"""Gaps that are listed for each jurisdiction where the answer covers several."""
_ALL_GAPS = 100


class ListCoverage(Schema):
    """Arguments."""

    jurisdiction: Jurisdiction | None = None
    offset: Annotated[
        int,
        Field(ge=0, le=100_000, description="`nextOffset` of the answer before."),
        WHOLE,
    ] = 0
    snapshot: SnapshotId | None = None
    date: PublicationDate | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageAnswer:
    """The law that is held. `placeholders` are listed without law: an empty search there says nothing."""

    total_jurisdictions: int
    total_nodes: int
    total_searchable_chunks: int
    published_gis_layers: int
    jurisdictions: tuple[CoveredJurisdiction, ...]
    next_offset: int | None
    placeholders: tuple[str, ...]


async def _list(services: ToolContext, metered: MeteredCall, asked: ListCoverage) -> Answer:
    del metered
    with await services.lease(asked.snapshot, asked.date) as snapshot:
        return Answer(coverage_answer(snapshot, asked), snapshot.id)


def coverage_answer(snapshot: Snapshot, asked: ListCoverage) -> CoverageAnswer:
    """Return what a snapshot covers, in all or for one jurisdiction and those within it.

    Raises:
        ValidationError: the snapshot does not list the jurisdiction.
    """
    answer: CoverageBody = orjson.loads(coverage(snapshot).plain)
    entries: Sequence[CoveredJurisdiction] = answer["jurisdictions"]
    if asked.jurisdiction is not None:
        entries = _of(entries, find_jurisdiction(snapshot.manifest, asked.jurisdiction))
    held = [one for one in entries if not one["placeholder"] or one["gisStatus"] is not None]
    chosen = held[asked.offset :]

    def made(limit: int) -> CoverageAnswer:
        following = asked.offset + limit
        return CoverageAnswer(
            total_jurisdictions=answer["totalJurisdictions"],
            total_nodes=answer["totalNodes"],
            total_searchable_chunks=answer["totalSearchableChunks"],
            published_gis_layers=answer["publishedGisLayers"],
            jurisdictions=tuple(
                _gapped(one, most=_GAPS if len(chosen) > 1 else _ALL_GAPS) for one in chosen[:limit]
            ),
            next_offset=following if following < len(held) else None,
            placeholders=tuple(one["shortCode"] for one in entries if one["placeholder"]),
        )

    return fitting(made, _PAGES)


def _of(entries: Sequence[CoveredJurisdiction], code: str) -> Sequence[CoveredJurisdiction]:
    return [one for one in entries if one["shortCode"] == code or one["shortCode"].startswith(f"{code}-")]


def _gapped(one: CoveredJurisdiction, *, most: int) -> CoveredJurisdiction:
    gaps = one["gaps"]
    return {**one, "gaps": [gap[:300] for gap in gaps[:most]], "gapCount": len(gaps)}


LIST_COVERAGE = Tool(
    name="list_coverage",
    aliases=("law.list_coverage", "law_list_coverage"),
    title="List what is covered",
    summary="List the jurisdictions and codes that are held here, how current they are, and what is known to "
    "be missing.",
    guidance="Call it before you conclude anything from an empty search: jurisdictions under `placeholders` "
    "have no law here yet.",
    arguments=ListCoverage,
    answer=CoverageAnswer,
    operation=COVERAGE,
    run=_list,
)
