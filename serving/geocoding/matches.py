"""Matches of a geocoder: the address that it took, its point, and how exact that is."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from serving.contract.errors import LawError

MOST = 10
"""Most matches of an answer that are read."""
_LONGEST, LONGEST_WORD = 300, 40
"""Characters that are kept of an address, which has some hundred, and of a number or a kind."""
_SEVERAL = re.compile(r"\s*[;,]\s*")
_BETWEEN = re.compile(r"[\s,;#]+")


class Exactness(Enum):
    """The thing that a match's point stands for."""

    HOUSE = "house"
    """A house or building that has the number."""
    STREET_SIDE = "street_side"
    """A place worked out along the street, from the house numbers at its ends."""
    WIDER = "wider"
    """The middle of a street, a city or another thing that has no house number: no point of a house."""


class BrokenAnswerError(LawError):
    """An answer is none of its layout; the message says why, and nothing of what was asked."""

    code = "broken_answer"


@dataclass(frozen=True, slots=True)
class Match:
    """An address that a geocoder found.

    Attributes:
        address: as the geocoder writes it.
        latitude: degrees, WGS 84.
        longitude: degrees, WGS 84.
        exactness: what the point stands for.
        number: house number that was matched, and several between semicolons; None where there is none.
        kind: a word for what was found, such as `road`; empty where it has a number.
    """

    address: str
    latitude: float
    longitude: float
    exactness: Exactness
    number: str | None
    kind: str = ""

    def has_number_of(self, asked: str) -> bool:
        """Return whether the house number that was matched is one of the words that were asked for."""
        if self.number is None:
            return False
        words = {word.casefold() for word in _BETWEEN.split(asked)}
        return any(number.casefold() in words for number in _SEVERAL.split(self.number) if number)


@dataclass(frozen=True, slots=True)
class Layout:
    """The way in which a kind of geocoder is asked and answers.

    Attributes:
        target: returns the path and query, below the service's base, that asks for an address.
        read: returns the matches of an answer, at most `MOST`; raises BrokenAnswerError if it is none.
    """

    target: Callable[[str], str]
    read: Callable[[object], tuple[Match, ...]]


def listed(value: object) -> list[Mapping[str, Any]]:
    """Return the first entries of a list of objects."""
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise BrokenAnswerError("no list of matches")
    return value[:MOST]


def member(value: object, name: str) -> Any:
    """Return a member of an object."""
    if not isinstance(value, dict) or name not in value:
        raise BrokenAnswerError(f"no {name}")
    return value[name]


def text(value: object, *, most: int = _LONGEST) -> str:
    """Return a text on one line, without anything that cannot be seen."""
    if not isinstance(value, str):
        raise BrokenAnswerError("no text")
    shown = "".join(one if one.isprintable() else " " for one in value)
    folded = " ".join(shown.split())
    if not folded:
        raise BrokenAnswerError("an empty text")
    return folded[:most]


def degrees(value: object, *, most: int) -> float:
    """Return an angle, which may be written as a text."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise BrokenAnswerError("no number of degrees")
    try:
        found = float(value)
    except (OverflowError, ValueError):
        raise BrokenAnswerError("no number of degrees") from None
    if not math.isfinite(found) or abs(found) > most:
        raise BrokenAnswerError("degrees beyond the earth")
    return found
