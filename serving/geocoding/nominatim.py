"""The layout of Nominatim, `/search` in `jsonv2`, which finds houses, streets, cities and other things.

Its documentation says that numbers which are worked out from others come as `place=house`, with the way that
they were worked out along: https://nominatim.org/release-docs/latest/api/Output/#osm-reference
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from serving.geocoding.matches import (
    LONGEST_WORD,
    MOST,
    Exactness,
    Layout,
    Match,
    degrees,
    listed,
    member,
    text,
)
from serving.points import MAX_LATITUDE, MAX_LONGITUDE

_OF_HOUSES = 30
"""Rank of houses, and of what else is as small."""


def target(address: str) -> str:
    """Return the path and query that asks for an address."""
    asked = {
        "q": address,
        "format": "jsonv2",
        "countrycodes": "us",
        "addressdetails": "1",
        "limit": str(MOST),
        "accept-language": "en-US",
    }
    return f"/search?{urlencode(asked, errors='replace')}"


def read(answer: object) -> tuple[Match, ...]:
    """Return the matches of an answer."""
    return tuple(map(_match, listed(answer)))


def _match(found: Mapping[str, Any]) -> Match:
    exactness = _exactness(found)
    is_wider = exactness is Exactness.WIDER
    return Match(
        address=text(member(found, "display_name")),
        latitude=degrees(member(found, "lat"), most=MAX_LATITUDE),
        longitude=degrees(member(found, "lon"), most=MAX_LONGITUDE),
        exactness=exactness,
        number=None if is_wider else text(_parts(found)["house_number"], most=LONGEST_WORD),
        kind=_kind(found) if is_wider else "",
    )


def _exactness(found: Mapping[str, Any]) -> Exactness:
    category, kind = member(found, "category"), member(found, "type")
    if "house_number" not in _parts(found) or member(found, "place_rank") != _OF_HOUSES:
        return Exactness.WIDER
    # A way is the building of that number, or what the number was worked out along: that is not told.
    if (category, kind) == ("place", "house") and found.get("osm_type") != "node":
        return Exactness.STREET_SIDE
    return Exactness.HOUSE


def _parts(found: Mapping[str, Any]) -> Mapping[str, Any]:
    parts = found.get("address")
    return parts if isinstance(parts, dict) else {}


def _kind(found: Mapping[str, Any]) -> str:
    return text(found.get("addresstype") or member(found, "type"), most=LONGEST_WORD).replace("_", " ")


NOMINATIM = Layout(target, read)
