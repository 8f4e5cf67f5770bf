"""Ranges of section numbers: what makes two numbers the ends of one, however it is written."""

import re

_LETTERS = re.compile(r"[a-z]+")
_DIGITS = re.compile(r"[0-9]+")
_NOT_STOPS = re.compile(r"[0-9a-z-]+")
_PARTS = re.compile(r"[0-9]+|[a-z]+")
_HYPHENATED = re.compile(r"(\d{1,6}[a-z]*(?:[.:]\d+[a-z]*)?)-(\d+[a-z]*(?:[.:]\d+[a-z]*)?)", re.ASCII)
_EQUAL_ENDS = re.compile(r"(\d{3})-\d{3}|(\d{4})-\d{4}|(\d{5})-\d{5}", re.ASCII)
_SHORTEST_LISTED = 2
"""Digits of the first number from which `§§ 10-11` is a range and not one number."""


def natural_key(number: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key under which 9 precedes 10 and 2000e precedes 2000e-1."""
    return tuple(
        (0, int(part), "") if part.isdigit() else (1, len(part), part)
        for part in _PARTS.findall(number.lower())
    )


def follows(first: str, last: str) -> bool:
    """Return True where the second number stands after the first in a code."""
    return natural_key(last) > natural_key(first)


def leading(number: str) -> int:
    """Return the number that a section number begins with; 0 where it begins with none."""
    digits = _DIGITS.match(number)
    return int(digits.group()) if digits else 0


def alike(first: str, last: str) -> bool:
    """Return True where both are written alike, as the ends of a range are: `78a-78pp`, but not `12a-101`."""
    shapes = [_LETTERS.sub("a", _DIGITS.sub("9", number)) for number in (first, last)]
    if shapes[0] == shapes[1]:
        return True
    stops = [_NOT_STOPS.sub("", number) for number in (first, last)]
    return stops[0] == stops[1] and len(str(leading(first))) == len(str(leading(last)))


def is_range(first: str, last: str) -> bool:
    """Return True where two numbers that a hyphen joins are written alike and rise."""
    return alike(first, last) and leading(last) >= leading(first) and follows(first, last)


def split(number: str, *, several: bool, rising: bool) -> tuple[str, str] | None:
    """Return both ends of a range that reads as one number too: `1331-32`, `78a-78pp`, `51-60`; else None.

    Args:
        number: with hyphens, in its own case.
        several: what stands before it announces several numbers, as `§§` does; the end may be cut short.
        rising: no section of the code is numbered so that the second number is above the first.
    """
    match = _HYPHENATED.fullmatch(number.lower())
    if match is None:
        return None
    first, last = number[: match.end(1)], number[match.start(2) :]
    digits = number.replace("-", "").isdigit()
    if rising and (first.isdigit() or leading(first) == leading(last)) and follows(first, last):
        return (first, last) if digits or is_range(first.lower(), last.lower()) else None
    if not (several or _EQUAL_ENDS.fullmatch(number)) or len(str(leading(first))) < _SHORTEST_LISTED:
        return None
    if digits:
        last = first[: max(0, len(first) - len(last))] + last
    return (first, last) if is_range(first.lower(), last.lower()) else None
