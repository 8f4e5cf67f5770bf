"""The tool `law_at_location`."""

from dataclasses import dataclass

from serving.api.operations import GIS_AT
from serving.contract.errors import ValidationError
from serving.mcp.charging import MeteredCall
from serving.mcp.fields import Jurisdiction, Latitude, Longitude, PublicationDate, SnapshotId
from serving.mcp.schemas import Schema
from serving.mcp.tool import Answer, Tool
from serving.mcp.tool_context import ToolContext
from serving.services.jurisdictions import find_jurisdiction
from serving.services.zoning import Location, locate
from serving.snapshot.filters import scope_of
from serving.snapshot.store import Snapshot


class AtLocation(Schema):
    """Arguments."""

    lat: Latitude
    lon: Longitude
    jurisdiction: Jurisdiction | None = None
    snapshot: SnapshotId | None = None
    date: PublicationDate | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LocationAnswer:
    """The layers that reach over the point."""

    lat: float
    lon: float
    layers: tuple[Location, ...]
    published_layers: tuple[str, ...] | None
    note: str | None


async def _at(services: ToolContext, metered: MeteredCall, asked: AtLocation) -> Answer:
    with await services.lease(asked.snapshot, asked.date) as snapshot:
        found = await services.run(metered.caller, lambda: _locations(snapshot, asked))
        published = sorted(layer.entry.short_code for layer in snapshot.layers)
        content = LocationAnswer(
            lat=asked.lat,
            lon=asked.lon,
            layers=tuple(found),
            published_layers=None if found else tuple(published[:100]),
            note=None
            if found
            else "No published zoning layer reaches over this point, which says nothing about its zoning.",
        )
    return Answer(content, snapshot.id)


def _locations(snapshot: Snapshot, asked: AtLocation) -> list[Location]:
    entries, named = [layer.entry for layer in snapshot.layers], []
    if asked.jurisdiction is not None:
        code = find_jurisdiction(snapshot.manifest, asked.jurisdiction)
        scope = scope_of(code, snapshot.manifest.jurisdictions)
        entries = [entry for entry in entries if entry.short_code in scope]
        # Its own layer answers wherever the point is; where there is none, nor one within, that is the error.
        named = [code] if not entries or code in {entry.short_code for entry in entries} else []
    reaching = [entry.short_code for entry in entries if _reaches(entry.bbox, asked.lat, asked.lon)]
    if not (named or reaching) and any(_reaches(entry.bbox, asked.lon, asked.lat) for entry in entries):
        raise ValidationError(
            f"Arguments `lat` and `lon` seem swapped: no layer reaches over lat={asked.lat:g}, "
            f"lon={asked.lon:g}, "
            "and one does with them the other way round.",
            parameter="lat",
        )
    codes = [*named, *(code for code in reaching if code not in named)]
    return [locate(snapshot, code, latitude=asked.lat, longitude=asked.lon) for code in codes]


def _reaches(bbox: tuple[float, float, float, float], latitude: float, longitude: float) -> bool:
    west, south, east, north = bbox
    return south <= latitude <= north and west <= longitude <= east


LAW_AT_LOCATION = Tool(
    name="law_at_location",
    aliases=("law.at_location", "at_location"),
    title="Find the zoning at a point",
    summary="Say which zoning districts cover a point, with the provisions that define them.",
    guidance="Do not guess coordinates: ask for them, or take them from a geocoder. Read the provision of "
    "each zone that is `linked` before you say what is allowed. `onBoundary`: the point lies "
    "within a metre of another zone, so say so. Pass on each layer's `note`: map and code are of different "
    "times. `stale`: a newer map could not be read; it says nothing of age. An overlay adds to the zone "
    "below it.",
    arguments=AtLocation,
    renamed={"shortCode": "jurisdiction"},
    answer=LocationAnswer,
    operation=GIS_AT,
    run=_at,
    quotes_law=True,
)
