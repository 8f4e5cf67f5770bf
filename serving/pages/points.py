"""Points as people write them: latitude and longitude in degrees, as map applications copy them."""

import re

from serving.api.parameters import MAX_LATITUDE, MAX_LONGITUDE
from serving.contract.errors import ValidationError

_DEGREES = r"([-+−]?[0-9]{1,3}(?:\.[0-9]{1,15})?)\s*°?\s*"
_POINT = re.compile(rf"\(?\s*{_DEGREES}([NS]?)\s*[,;\s]\s*{_DEGREES}([EW]?)\s*\)?", re.IGNORECASE)
_PLACES = 6
"""Decimals of degrees that are kept: a tenth of a metre."""


def parse_point(text: str) -> tuple[float, float]:
    """Return the latitude and the longitude that a text states, such as `37.5629, -122.3255`.

    Raises:
        ValidationError: it states none, as an address does.
    """
    folded = " ".join(text.split())
    found = _POINT.fullmatch(folded)
    if found is None:
        given = f"“{folded[:80]}” is no point." if folded else "No point was given."
        raise ValidationError(
            f"{given} Addresses are not looked up here, because nobody else is told what you ask for. Give "
            "latitude and longitude in degrees, such as 37.5629, -122.3255: map applications show those of a "
            "place. Or click the place on the map of this city.",
            parameter="point",
        )
    north, south, east, west = found.groups()
    latitude, longitude = _signed(north, south, "S"), _signed(east, west, "W")
    if abs(latitude) > MAX_LATITUDE or abs(longitude) > MAX_LONGITUDE:
        raise ValidationError(
            f"Latitudes are from -{MAX_LATITUDE} to {MAX_LATITUDE} and longitudes from -{MAX_LONGITUDE} to "
            f"{MAX_LONGITUDE}; the latitude comes first.",
            parameter="point",
        )
    return latitude, longitude


def written_point(point: tuple[float, float]) -> str:
    """Return a point as `parse_point` reads it."""
    # Adding zero takes the sign from a zero.
    return ", ".join(f"{round(one, _PLACES) + 0.0:.{_PLACES}f}".rstrip("0").rstrip(".") for one in point)


def _signed(number: str, side: str, negative: str) -> float:
    degrees = round(float(number.replace("−", "-")), _PLACES)
    if side and degrees < 0:
        raise ValidationError(
            f"{number} {side} says twice on which side it lies: leave out the sign or the letter.",
            parameter="point",
        )
    return -degrees if side.upper() == negative else degrees
