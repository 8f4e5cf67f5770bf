"""Places that make laws of their own, by the names and abbreviations that lawyers use."""

import tomllib
from functools import cache
from pathlib import Path

COUNTRIES, PROVINCES, STATES = "countries", "provinces", "states"
_DATA = Path(__file__).with_name("places.toml")
_DROPPED = str.maketrans("", "", " .'’")
_UNION = ("US", "UnitedStates", "Fed", "Federal")
_MOST_WORDS = 3


@cache
def places(*kinds: str) -> tuple[str, ...]:
    """Return the names of the places of some kinds, with their abbreviations."""
    with _DATA.open("rb") as file:
        data = tomllib.load(file)
    return tuple(name for kind in kinds for name in data[kind])


def is_place(said: str) -> bool:
    """Return True for the name of a place, with or without its blanks and dots: `N. Y.`."""
    return said.translate(_DROPPED) in _without_blanks()


def without_place(name: str) -> str | None:
    """Return the rest of a name that begins with a place or `Fed.`: `Crim. R.` of `Fed. Crim. R.`.

    None where it begins with neither.
    """
    words = name.split()
    for count in range(_MOST_WORDS, 0, -1):
        first = " ".join(words[:count])
        if is_place(first) or first.translate(_DROPPED) in _UNION:
            return " ".join(words[count:])
    return None


@cache
def _without_blanks() -> frozenset[str]:
    return frozenset(name.translate(_DROPPED) for name in places(COUNTRIES, PROVINCES, STATES))
