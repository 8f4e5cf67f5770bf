"""The layout of the US Census Geocoder, `/geocoder/locations/onelineaddress`, whose points are worked out.

Its documentation says of every match: "The resulting lat/long is calculated along an address range."
https://geocoding.geo.census.gov/geocoder/Geocoding_Services_API.html
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from serving.geocoding.matches import LONGEST_WORD, Exactness, Layout, Match, degrees, listed, member, text
from serving.points import MAX_LATITUDE, MAX_LONGITUDE


def target(address: str) -> str:
    """Return the path and query that asks for an address."""
    asked = {"address": address, "benchmark": "Public_AR_Current", "format": "json"}
    return f"/geocoder/locations/onelineaddress?{urlencode(asked, errors='replace')}"


def read(answer: object) -> tuple[Match, ...]:
    """Return the matches of an answer."""
    return tuple(map(_match, listed(member(member(answer, "result"), "addressMatches"))))


def _match(found: Mapping[str, Any]) -> Match:
    address = text(member(found, "matchedAddress"))
    coordinates = member(found, "coordinates")
    return Match(
        address=address,
        latitude=degrees(member(coordinates, "y"), most=MAX_LATITUDE),
        longitude=degrees(member(coordinates, "x"), most=MAX_LONGITUDE),
        exactness=Exactness.STREET_SIDE,
        number=address.split()[0][:LONGEST_WORD],
    )


CENSUS = Layout(target, read)
