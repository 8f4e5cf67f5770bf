"""Provisions that go by several numbers, of which the numbers between are not known: `.01—.05 Repealed`."""

import re

from assets.citations.members import members_of
from assets.findings import Finding, Severity, Verdict
from assets.selection.selection import Selection
from serving.contract.citations import parse
from serving.contract.citations.grammar import Grammar
from serving.contract.citations.lists import follows, is_range

_NUMBER = r"[\w.:]*\d[\w.:]*(?:-\w+)?"
_WORDED = re.compile(rf"({_NUMBER})\s*(?:to|through|thru|,|;|&|and|[–—])\s*(?:§+\s*)?({_NUMBER})", re.ASCII)
_MARKS = "§ []"
_LONGEST = 60
"""Characters beyond which what stands for a number is none."""


def ends_of(number: str) -> tuple[str, str] | None:
    """Return the first and the last number of a list or range; None for a number of one provision.

    A hyphen joins two numbers only where both are written alike and rise, or the second goes on from a dot:
    `26.13.07.01-.05`, `27.20.010-27.20.050`, but not `29-801.02`.
    """
    plain = number.strip(_MARKS)
    if len(plain) > _LONGEST:
        return None
    worded = _WORDED.search(plain)
    if worded is not None:
        return worded[1], worded[2]
    for hyphen in re.finditer("-", plain):
        first, last = plain[: hyphen.start()], plain[hyphen.end() :]
        if last.startswith(".") and follows(first.rpartition(".")[2], last[1:]):
            return first, last
        stops = sum(first.count(mark) for mark in ".:-")
        if stops and is_range(first.lower(), last.lower()) and stops == sum(map(last.count, ".:-")):
            return first, last
    return None


def _is_one(number: str, citation: str, grammar: Grammar) -> bool:
    """Return whether a hyphen stands within a number: what it joins are no numbers of the code.

    `3.2-101` of the Code of Virginia is a section of Title 3.2, and no section is numbered 3.2.
    """
    read = parse(citation, grammar)
    ends = ends_of(number)
    code = grammar.code(read[0].scheme) if len(read) == 1 and read[0].scheme else None
    if code is None or ends is None or read[0].num != number or ends[1].startswith("."):
        return False
    return not all(re.fullmatch(code.scheme.number, end, re.IGNORECASE | re.ASCII) for end in ends)


def ranges_are_unfolded(selection: Selection, grammar: Grammar) -> Verdict:
    """Look for provisions named by a range that a citation of a number within it does not lead to."""
    names = ("num", "citation", "citable", "status")
    columns = (selection.provisions.column(name).to_pylist() for name in names)
    found: list[Finding] = []
    ranges = examined = 0
    for number, citation, citable, status in zip(*columns, strict=True):
        if not citable or number is None:
            continue
        examined += 1
        ends = ends_of(number)
        if ends is None or _is_one(number, citation, grammar):
            continue
        ranges += 1
        if not members_of(citation, grammar):
            message = (
                f"{citation} ({status}) stands for {ends[0]} to {ends[1]} and stays one provision: "
                "a citation of a number between them does not lead to it."
            )
            found.append(Finding("range_unread", citation, message, Severity.WARNING))
    return Verdict(max(examined, 1), found, {"ranges": ranges, "unread": len(found)})
