"""Items of a list that are not what they should be: each fails itself, and its neighbours are answered."""

import json
from dataclasses import dataclass
from typing import Any

from serving.services.citations.resolution import Outcome, Resolution


@dataclass(frozen=True, slots=True)
class Faulty:
    """An item as it was given, and the sentence that says which it is and what it should have been."""

    given: Any
    problem: str

    @property
    def shown(self) -> str:
        """The item as it was written: a string as it is, anything else as JSON."""
        written = self.given if isinstance(self.given, str) else json.dumps(self.given, ensure_ascii=False)
        return written.encode("utf-8", "replace").decode()


def unread(item: Faulty) -> Resolution:
    """Return the resolution of an item that is no citation at all."""
    return Resolution(input=item.shown, outcome=Outcome.UNPARSED, offset=0, expected=item.problem)
