"""The members of a provision that goes by a list or a range of numbers: `24 U.S.C. §§ 1, 2`."""

import re
from collections.abc import Iterator, Sequence

from serving.contract.citations import Citation, CitationScheme, format_act_section, format_section, parse
from serving.contract.citations.grammar import Grammar

_COUNTED = re.compile(r"(?P<digits>\d{1,6})(?P<rest>[A-Za-z]|\.\d{1,3})?")
"""Matches the step of a number by which a range counts: `43a` in `22 to 43a`, `17.2` in `1-10 to 1-17.2`."""
_STEP = re.compile(r"[-.:]")
"""Parts the steps of a number: `38-4-101`."""

LONGEST_RANGE = 2_000
"""Numbers that a range may count; a longer one is known by its ends alone."""


def members_of(citation: str, grammar: Grammar) -> tuple[str, ...]:
    """Return the canonical citations of the single provisions that a citation of several stands for.

    Of a range, whole numbers in between are given, or single letters: `22 to 43a` holds 23, `38-4-101 to
    38-4-122` holds 38-4-110, `8B to 8J` holds 8C, but nothing is known of what lies in `78a to 78pp`. Empty
    where the citation is of one provision.
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
    """Return the numbers that surely lie in a range: whole numbers, or single letters after one number.

    The ends may share the steps before them: `38-4-101 to 38-4-122` counts by the last.
    """
    head = _shared_steps(first, last)
    start, end = (_COUNTED.fullmatch(number, len(head)) for number in (first, last))
    if start is None or end is None or _may_be_decimals(head, start["digits"], end["digits"]):
        return ()
    if start["digits"] == end["digits"] and _is_letter(start["rest"]) and _is_letter(end["rest"]):
        letters = range(ord(start["rest"]) + 1, ord(end["rest"]))
        return [f"{head}{start['digits']}{chr(letter)}" for letter in letters]
    count = int(end["digits"]) - int(start["digits"])
    if not 0 < count <= LONGEST_RANGE:
        return ()
    steps = range(1, count + (end["rest"] is not None))
    return [f"{head}{int(start['digits']) + step:0{len(start['digits'])}d}" for step in steps]


def _shared_steps(first: str, last: str) -> str:
    """Return the steps that two numbers begin with alike, with the mark behind them; perhaps none."""
    ends = [match.end() for match in _STEP.finditer(first)]
    return next((first[:end] for end in reversed(ends) if last.startswith(first[:end])), "")


def _may_be_decimals(head: str, first: str, last: str) -> bool:
    """Return True for `101.2 to 101.15`, where the first may be the greater: `.15` lies before `.2`."""
    return head.endswith(".") and len(first) != len(last)


def _is_letter(rest: str | None) -> bool:
    return rest is not None and rest.isalpha()


def _target(citation: Citation, number: str, scheme: CitationScheme, read: Sequence[Citation]) -> str:
    act = citation.act or read[0].act
    if act is None:
        return format_section(scheme, number, title=citation.title, appendix=citation.appendix)
    # What stands behind the numbers of an act is the same for its members: `, 5 U.S.C. app.`.
    _, _, container = citation.target.partition(", ") if citation.act else read[0].target.partition(", ")
    return format_act_section(act, number, container)
