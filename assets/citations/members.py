"""The members of a provision that goes by a list or a range of numbers: `24 U.S.C. §§ 1, 2`."""

import re
from collections.abc import Iterator, Sequence

from serving.contract.citations import Citation, CitationScheme, format_act_section, format_section, parse
from serving.contract.citations.grammar import Grammar

_NUMBER = re.compile(r"(?P<digits>\d{1,6})(?P<letter>[A-Za-z])?")

LONGEST_RANGE = 2_000
"""Numbers that a range may count; a longer one is known by its ends alone."""


def members_of(citation: str, grammar: Grammar) -> tuple[str, ...]:
    """Return the canonical citations of the single provisions that a citation of several stands for.

    Of a range, whole numbers in between are given, or single letters: `22 to 43a` holds 23, `8B to 8J` holds
    8C, but nothing is known of what lies in `78a to 78pp`. Empty where the citation is of one provision.
    """
    if "§§" not in citation:
        return ()
    schemes = {scheme.key: scheme for scheme in grammar.schemes}
    read = parse(citation, grammar)
    found: dict[str, None] = {}
    for part in read:
        if part.scheme is None or part.num is None:
            continue
        for number in _numbers(part):
            found[_target(part, number, schemes[part.scheme], read)] = None
    found.pop(citation, None)
    return tuple(found)


def _numbers(citation: Citation) -> Iterator[str]:
    first, last = citation.num, citation.through
    if first is None or last is None:
        yield first or ""
        return
    between = _between(first, last)
    yield first
    yield from between
    yield last


def _between(first: str, last: str) -> Sequence[str]:
    """Return the numbers that surely lie in a range: whole numbers, or single letters after one number."""
    start, end = _NUMBER.fullmatch(first), _NUMBER.fullmatch(last)
    if start is None or end is None:
        return ()
    if start["digits"] == end["digits"] and start["letter"] and end["letter"]:
        letters = range(ord(start["letter"]) + 1, ord(end["letter"]))
        return [f"{start['digits']}{chr(letter)}" for letter in letters]
    count = int(end["digits"]) - int(start["digits"])
    if not 0 < count <= LONGEST_RANGE:
        return ()
    return [str(int(start["digits"]) + step) for step in range(1, count + (end["letter"] is not None))]


def _target(citation: Citation, number: str, scheme: CitationScheme, read: Sequence[Citation]) -> str:
    act = citation.act or read[0].act
    if act is None:
        return format_section(scheme, number, title=citation.title, appendix=citation.appendix)
    # What stands behind the numbers of an act is the same for its members: `, 5 U.S.C. app.`.
    _, _, container = citation.target.partition(", ") if citation.act else read[0].target.partition(", ")
    return format_act_section(act, number, container)
