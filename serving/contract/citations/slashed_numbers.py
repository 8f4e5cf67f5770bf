"""Section numbers that slashes join: `101/102/103(a)`."""

import re
from collections.abc import Sequence
from itertools import pairwise, starmap

from serving.contract.citations.cited_numbers import CitedNumber, WrittenNumber, with_pins
from serving.contract.citations.lists import follows, is_year, leading_number
from serving.contract.citations.number_shapes import NumberShapes
from serving.contract.citations.pins import read_pins
from serving.contract.citations.source import SourceText

_SLASH = re.compile(r" ?/ ?(?:§ ?)?(?=\d)")
_GOES_ON = re.compile(r" ?[/-] ?[0-9a-z§(]")
"""Sign behind the last number of a list by which it goes on in a way that is not understood."""
_LEAST_DIGITS = 3


def read_slashed(source: SourceText, position: int, shapes: NumberShapes) -> list[CitedNumber] | None:
    """Return the numbers at a position that slashes join; None where that is not certain.

    Args:
        source: the text.
        position: start of the first number.
        shapes: shapes of the numbers, all of them, none of which holds a slash.
    """
    found: list[CitedNumber] = []
    while match := shapes.before_slash.match(source.folded, position):
        number = WrittenNumber.of(source, match)
        found += with_pins(source, *number, read_pins(source, number.end))
        slash = _SLASH.match(source.folded, found[-1].end)
        if slash is None:
            break
        position = slash.end()
    numbers = list(dict.fromkeys(one.num for one in found))
    ends = match is not None and _GOES_ON.match(source.folded, found[-1].end) is None
    return found if ends and len(numbers) > 1 and _may_be_joined(numbers) else None


def _may_be_joined(numbers: Sequence[str]) -> bool:
    """Return True for numbers that slashes join to a list: `101/102/103`, `371/1341`.

    Dates, fractions and numbers that are cut short look alike (`12/31/2010`, `1/2`, `101/2`): so each has
    three digits at least, none is a year among others, and those that do not rise are of one length.
    """
    first = numbers[0]
    lengths = [len(str(leading_number(number))) for number in numbers]
    if min(lengths) < _LEAST_DIGITS or any(is_year(number) != is_year(first) for number in numbers):
        return False
    return len(set(lengths)) == 1 or all(starmap(follows, pairwise(numbers)))
