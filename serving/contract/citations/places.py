"""Names of the places that make laws of their own, as lawyers write them."""

import tomllib
from functools import cache
from pathlib import Path

COUNTRIES, PROVINCES, STATES = "countries", "provinces", "states"
_DATA = Path(__file__).with_name("places.toml")


@cache
def places(*kinds: str) -> tuple[str, ...]:
    """Return the names of the places of some kinds, with their abbreviations."""
    with _DATA.open("rb") as file:
        data = tomllib.load(file)
    return tuple(name for kind in kinds for name in data[kind])
