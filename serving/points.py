"""Points as people write them: latitude and longitude in degrees, as map applications copy and show them.

The client is a distribution of its own, which imports nothing of the server: its module of this name is a
link to this file.
"""

import re

MAX_LATITUDE, MAX_LONGITUDE = 90, 180
_NUMBER = r"[0-9]{1,3}(?:\.[0-9]{1,15})?"
_DEGREES = rf"([-+−]?{_NUMBER})\s*°?\s*(?:({_NUMBER})\s*['′’]\s*(?:({_NUMBER})\s*(?:[\"″”]|''|′′|’’)\s*)?)?"
_POINT = re.compile(rf"\(?\s*{_DEGREES}([NS]?)\s*[,;\s]\s*{_DEGREES}([EW]?)\s*\)?", re.IGNORECASE)
_SIXTY = 60
_PLACES = 6
"""Decimals of degrees that are kept: a tenth of a metre."""


def parse_point(text: str) -> tuple[float, float]:
    """Return the latitude and the longitude that a text states, such as `37.5629, -122.3255`.

    Raises:
        ValueError: it states none, as an address does; the message says what a point is like.
    """
    folded = " ".join(text.split())
    found = _POINT.fullmatch(folded)
    if found is None:
        given = f"“{folded[:80]}” is no point." if folded else "No point was given."
        raise ValueError(
            f"{given} Give latitude and longitude in degrees, such as 37.5629, -122.3255: map applications "
            "show those of a place."
        )
    groups = found.groups()
    latitude, longitude = _degrees(*groups[:4], negative="S"), _degrees(*groups[4:], negative="W")
    if abs(latitude) > MAX_LATITUDE or abs(longitude) > MAX_LONGITUDE:
        raise ValueError(
            f"Latitudes are from -{MAX_LATITUDE} to {MAX_LATITUDE} and longitudes from -{MAX_LONGITUDE} to "
            f"{MAX_LONGITUDE}; the latitude comes first."
        )
    return latitude, longitude


def written_point(point: tuple[float, float]) -> str:
    """Return a point as `parse_point` reads it."""
    # Adding zero takes the sign from a zero.
    return ", ".join(f"{round(one, _PLACES) + 0.0:.{_PLACES}f}".rstrip("0").rstrip(".") for one in point)


def _degrees(number: str, minutes: str | None, seconds: str | None, side: str, *, negative: str) -> float:
    """Return an angle: `37.55558` and `37°33'20.1"` are the same."""
    if (minutes and "." in number) or (seconds and "." in (minutes or "")):
        raise ValueError(
            f"{number}° {minutes}' has a fraction before a smaller unit: only the last number may have one."
        )
    parts = float(minutes or 0), float(seconds or 0)
    if max(parts) >= _SIXTY:
        raise ValueError(f"Minutes and seconds are below {_SIXTY}.")
    whole = number.replace("−", "-")
    size = abs(float(whole)) + parts[0] / _SIXTY + parts[1] / _SIXTY**2
    degrees = round(-size if whole.startswith("-") else size, _PLACES)
    if side and degrees < 0:
        raise ValueError(
            f"{number} {side} says twice on which side it lies: leave out the sign or the letter."
        )
    return -degrees if side.upper() == negative else degrees
