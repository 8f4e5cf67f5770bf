"""Tell whether a number that was read behind a join is the next one of a list."""

import re
from collections.abc import Sequence

from serving.contract.citations.cited_numbers import CitedNumber
from serving.contract.citations.lists import (
    continues_list,
    counts_something,
    ends_plainly,
    follows,
    is_of_another,
    leading_number,
    needs_proof,
)
from serving.contract.citations.source import SourceText

_CLOSED = re.compile(r"(?<![a-z])(?:and|or|&)")
_OF_SECTIONS = (
    r"(?:action|appeal|application|argument|case|challenge|charge|claim|count|damage|defen[cs]e|exception"
    r"|exclusion|exemption|factor|fee|ground|issue|limitation|motion|notice|offen[cs]e|order|petition"
    r"|proceeding|protection|purpose|rejection|requirement|right|sanction|standard|suit|test|violation)s"
)
"""Plurals before which sections stand as names: `§§ 101, 102, and 103 rejections`."""
_PLURAL = re.compile(
    rf" (?!(?:{_OF_SECTIONS}|always|perhaps|besides|thus|sometimes)(?![a-z]))"
    r"(?:[a-z]{2,20}(?<!s)s|people|men|women|children)(?![a-z'])"
)
"""A plural noun behind a number that counts: `11 plaintiffs`."""


_VERB = re.compile(r" (?:are|could|did|do|had|have|may|might|should|was|were|will|would)(?![a-z])")
"""Verb whose subject a number may be: `under § 10, 12 were denied`."""


def is_signed(source: SourceText, join: re.Match[str], more: Sequence[CitedNumber], *, forward: bool) -> bool:
    """Return True for `and § 1985`, unless `of the Act` follows."""
    return not needs_proof(join) and not (forward and is_of_another(source, more[-1].end))


def is_counted(
    source: SourceText, members: Sequence[CitedNumber], more: Sequence[CitedNumber], join: re.Match[str]
) -> bool:
    """Return True where a number behind an announced list counts what follows: `§§ 9 and 10, 11 patents`.

    After `and` a list is closed, and a semicolon opens something else. In an open list only the plural of
    what has no section of its own tells: `§§ 101, 102, and 103 bar` and `103 rejections` are of sections.
    """
    number, end = more[0], more[-1].end
    by = join.group("by").strip()
    closed = (
        by == ","
        and len(members) > 1
        and _CLOSED.search(source.folded, members[-2].end, members[-1].start) is not None
    )
    if closed and _may_be_subject(source, more):
        return True
    if number.pin is not None or not number.num.isdigit() or not counts_something(source, end):
        return False
    if by.startswith(";") or len(members) == 1:
        return by.startswith(";")
    return closed or _PLURAL.match(source.folded, end) is not None


def is_proven(
    source: SourceText, members: Sequence[CitedNumber], more: Sequence[CitedNumber], join: re.Match[str]
) -> bool:
    """Return True for a number whose own form shows that it is the next one of a list."""
    before, number, end = members[-1].through or members[-1].num, more[0].num, more[-1].end
    if _repeats_mark(source, members[0].start, join):
        return ends_plainly(source, end) and not is_of_another(source, end)
    pinned = more[0].pin is not None
    if join.group("by").strip() == "," and _may_be_subject(source, more):
        return False
    if join.group("by").startswith(";") and not (pinned and _may_follow(before, number)):
        return False
    return continues_list(source, first=members[0].num, before=before, number=number, pinned=pinned, end=end)


def _may_be_subject(source: SourceText, more: Sequence[CitedNumber]) -> bool:
    """Return True for a number alone that may count what is done: `12 were denied`."""
    alone = more[0].pin is None and more[0].num.isdigit()
    return alone and _VERB.match(source.folded, more[-1].end) is not None


def _repeats_mark(source: SourceText, first: int, join: re.Match[str]) -> bool:
    """Return True for `Section 1341 and Section 2`: the capital word before both numbers is the same."""
    if join.group("mark") is None:
        return False
    word = source.original[join.start("mark") : join.end("mark")].strip()
    before = source.original[max(0, first - len(word) - 2) : first].rstrip()
    return word[:1].isupper() and before.endswith(word)


def _may_follow(before: str, number: str) -> bool:
    """Return True for numbers of one length that rise, as in `5 U.S.C. 801(a)(1); 804(2)`."""
    lengths = {len(str(leading_number(one))) for one in (before, number)}
    return len(lengths) == 1 and follows(before, number)
