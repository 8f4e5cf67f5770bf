"""Answers about a point on a zoning layer, as JSON."""

from typing import Any

import orjson

from serving.services.zoning import BOUNDARY_METRES, Location, ZoneHere


def location_body(location: Location) -> bytes:
    """Return the answer to a point look-up."""
    layer = location.layer
    body: dict[str, Any] = {
        "shortCode": layer.short_code,
        "status": layer.status,
        "citationQuality": layer.citation_quality,
        "lat": location.latitude,
        "lon": location.longitude,
        "zones": [_zone(here) for here in location.zones],
        "reason": location.reason,
        "onBoundary": location.on_boundary,
        "acrossBoundary": [_zone(here) for here in location.across_boundary],
        "boundaryToleranceMeters": BOUNDARY_METRES,
        "layerDate": layer.layer_date,
        "codeDate": layer.code_date,
        "mapCodeSkewDays": location.skew_days,
        "stale": layer.stale,
        "license": layer.license,
        "sourceUrl": layer.source_url,
    }
    return orjson.dumps(body)


def _zone(here: ZoneHere) -> dict[str, Any]:
    zone, metres = here.zone, here.boundary_metres
    return {
        "zoneId": zone.zone_id,
        "zoneCode": zone.zone_code,
        "zoneName": zone.zone_name,
        "overlay": zone.overlay,
        "nodeId": zone.node_id,
        "citation": zone.citation,
        "heading": zone.heading,
        "link": zone.link,
        "reason": zone.reason,
        "onBoundary": here.on_boundary,
        "boundaryDistanceMeters": None if metres is None else round(metres, 2),
    }
