"""The tool `list_coverage`."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Annotated, Any

import orjson
from pydantic import Field

from serving.api.operations import COVERAGE
from serving.contract.errors import ValidationError
from serving.mcp.charging import MeteredCall
from serving.mcp.fields import Jurisdiction, SnapshotId
from serving.mcp.schemas import Schema
from serving.mcp.tool import Answer, Tool, fitting
from serving.mcp.tool_context import ToolContext
from serving.services.coverage import coverage
from serving.snapshot.store import Snapshot

_PAGES = (40, 20, 10, 5, 1)
_GAPS = 10
"""Gaps that are listed for each jurisdiction where the answer covers several."""


class ListCoverage(Schema):
    """Arguments."""

    jurisdiction: Jurisdiction | None = None
    offset: Annotated[
        int,
        Field(ge=0, le=100_000, description="Jurisdictions to pass over: `nextOffset` of the answer before."),
    ] = 0
    snapshot: SnapshotId | None = None


class CoveredBody(Schema):
    """A code that is held; `complete`: nothing of it is known to be missing."""

    id: str
    name: str
    current_through: str | None = None
    release_point: str | None = None
    complete: bool
    node_count: int


class Covered(Schema):
    """A jurisdiction with law or a zoning layer; `gaps` say in words what is known to be missing."""

    short_code: str
    name: str
    level: str
    node_count: int
    searchable_chunks: int
    gis_status: str | None = None
    citation_quality: str | None = None
    code_bodies: list[CoveredBody]
    gaps: list[str]
    gap_count: int


class CoverageAnswer(Schema):
    """The law that is held. `placeholders` are listed without law: an empty search there says nothing."""

    total_jurisdictions: int
    total_nodes: int
    total_searchable_chunks: int
    published_gis_layers: int
    jurisdictions: list[Covered]
    next_offset: int | None = None
    placeholders: list[str]
    snapshot: str


async def _list(services: ToolContext, metered: MeteredCall, asked: ListCoverage) -> Answer:
    del metered
    with await services.lease(asked.snapshot) as snapshot:
        return Answer(coverage_answer(snapshot, asked))


def coverage_answer(snapshot: Snapshot, asked: ListCoverage) -> CoverageAnswer:
    """Return what a snapshot covers, in all or for one jurisdiction and those within it.

    Raises:
        ValidationError: the snapshot does not list the jurisdiction.
    """
    answer: dict[str, Any] = orjson.loads(coverage(snapshot).plain)
    entries = answer["jurisdictions"]
    if asked.jurisdiction is not None:
        entries = _of(entries, asked.jurisdiction)
    held = [one for one in entries if not one["placeholder"] or one["gisStatus"] is not None]
    chosen = held[asked.offset :]

    def made(limit: int) -> CoverageAnswer:
        following = asked.offset + limit
        return CoverageAnswer(
            total_jurisdictions=answer["totalJurisdictions"],
            total_nodes=answer["totalNodes"],
            total_searchable_chunks=answer["totalSearchableChunks"],
            published_gis_layers=answer["publishedGisLayers"],
            jurisdictions=[_covered(one, gaps=_GAPS if len(chosen) > 1 else 100) for one in chosen[:limit]],
            next_offset=following if following < len(held) else None,
            placeholders=[one["shortCode"] for one in entries if one["placeholder"]],
            snapshot=snapshot.id,
        )

    return fitting(made, _PAGES)


def _of(entries: list[dict[str, Any]], code: str) -> list[dict[str, Any]]:
    codes = [str(one["shortCode"]) for one in entries]
    if code not in codes:
        near = get_close_matches(code, codes, n=3, cutoff=0.5)
        hint = f" Nearest: {', '.join(near)}." if near else ""
        raise ValidationError(
            f"Argument `jurisdiction` names {code}, which this snapshot does not list.{hint}",
            parameter="jurisdiction",
        )
    return [one for one in entries if one["shortCode"] == code or one["shortCode"].startswith(f"{code}-")]


def _covered(one: Mapping[str, Any], *, gaps: int) -> Covered:
    return Covered(
        short_code=one["shortCode"],
        name=one["name"],
        level=one["level"],
        node_count=one["nodeCount"],
        searchable_chunks=one["searchableChunks"],
        gis_status=one["gisStatus"],
        citation_quality=one["citationQuality"],
        code_bodies=[
            CoveredBody(
                id=body["id"],
                name=body["name"],
                current_through=body["currentThrough"],
                release_point=body["releasePoint"],
                complete=body["complete"],
                node_count=body["nodeCount"],
            )
            for body in one["codeBodies"]
        ],
        gaps=[gap[:300] for gap in one["gaps"][:gaps]],
        gap_count=len(one["gaps"]),
    )


LIST_COVERAGE = Tool(
    name="list_coverage",
    aliases=("law.list_coverage", "law_list_coverage"),
    title="List what is covered",
    summary="List the jurisdictions and codes that are held here, how current they are, and what is known to "
    "be missing.",
    guidance="Call it before you conclude anything from an empty search: a jurisdiction under `placeholders` "
    "is listed and has no law here yet.",
    arguments=ListCoverage,
    answer=CoverageAnswer,
    operation=COVERAGE,
    run=_list,
)
