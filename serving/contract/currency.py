"""The day in what a publisher says of how current its law is."""

import re
from datetime import date
from functools import lru_cache

_DAY = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")


@lru_cache(1024)  # thousands of provisions have the words of one release
def current_date(words: str | None) -> str | None:
    """Return the ISO date in a publisher's words; None where they name a law and no day.

    Args:
        words: the publisher's words, such as `D.C. Law 25-218 (through 2024-10-20)`.
    """
    for found in _DAY.findall(words or ""):
        try:
            return date.fromisoformat(found).isoformat()
        except ValueError:
            continue
    return None
