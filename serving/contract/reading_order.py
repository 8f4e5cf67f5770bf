"""Order in which provisions are listed: as people count, so that § 9 comes before § 10."""

import re

_DIGITS = re.compile(r"(\d+)")


def by_number(citation: str) -> tuple[str | int, ...]:
    """Return a sort key that puts § 9 before § 10: words and numbers by turns, a word first."""
    parts = _DIGITS.split(citation)
    return tuple(int(part) if place % 2 else part for place, part in enumerate(parts))
