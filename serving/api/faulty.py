"""Items of a list that are not what they should be: each fails itself, and its neighbours are answered."""

from dataclasses import dataclass
from typing import Any

from serving.services.citations.resolution import Outcome, Resolution


@dataclass(frozen=True, slots=True)
class Faulty:
    """An item as it was given, and what it should have been."""

    given: Any
    expected: str


def unread(item: Faulty) -> Resolution:
    """Return the resolution of an item that is no citation at all."""
    return Resolution(input=str(item.given), outcome=Outcome.UNPARSED, offset=0, expected=item.expected)
