"""Tell lists and ranges of section numbers from single numbers, years and quantities."""

import re

from serving.contract.citations.source import SOFT_HYPHEN, SourceText

JOIN = re.compile(
    r" {0,3}(?P<by>[,;] {0,3}(?:(?:and/or|and|or|&) {0,3})?|(?<= )(?:and/or|and|or|&) {1,3})"
    r"(?P<mark>§ ?§?|(?:sections?|sect?s?\.) ?(?=\d))? ?"
)
"""Join between two numbers of a list; group `mark` is set where the second has its own section mark."""

_QUANTITY = re.compile(
    r" (?:percent|per centum|(?:calendar |business )?(?:days?|months?|years?|hours?)|times|members|persons)"
    r"(?![a-z])"
)
"""Words after a number that is a quantity: `section 1001 and 60 percent of` lists one section."""
_FUNCTION = (
    r"(?:the|an?|th(?:is|at|ese|ose|ey|ere|an|en)|such|its?|he|she|we|any|all|no|not|both|alone|only|also|each"
    r"|is|are|was|were|be|been|has|have|had|shall|may|must|can|could|will|would|should|do|does|did"
    r"|and|or|but|nor|for|in|on|by|under|with|without|to|as|at|from|into|because|when|where|while|if|unless"
    r"|which|who|whose|whether|before|after|since|until|through|against|pursuant|respectively|et|notes?"
    r"|appl(?:y|ies|ied)|provide[sd]?|require[sd]?|prohibit(?:s|ed)?|authorize[sd]?|permit(?:s|ted)?"
    r"|govern(?:s|ed)?|define[sd]?|state[sd]|create[sd]?)"
    r"(?![a-z])"
)
_NAMED = re.compile(r" {1,2}[A-Z]")
_LOWER_WORD = re.compile(r" [a-z]{2}")
_FUNCTION_WORD = re.compile(rf" {{1,2}}{_FUNCTION}")
"""Words after which a number neither counts nor names anything: `1332 the court`, not `14 Penn Plaza`."""
_PLAIN_END = re.compile(rf"\Z|[)\]\"”?!:]|[.,;-](?!\d)|'(?![a-z])| {{0,2}}(?:\(|\[|{_FUNCTION}|[&§])")
_OF_ANOTHER = re.compile(r" of (?:the |this |that |such |title )")
_OF_A_TITLE = re.compile(r" of (?:the )?title \d")
_YEAR = re.compile(r"(?:1[89]\d\d|20[0-4]\d)\Z", re.ASCII)
_FALLING_DIGITS = 3
_LONGEST_END = 3
_LONGEST_BROKEN = 5
"""Most digits of one number that a line may break in two: `19-` and `83`."""

_LETTERS = re.compile(r"[a-z]+")
_DIGITS = re.compile(r"[0-9]+")
_NOT_STOPS = re.compile(r"[0-9a-z-]+")
_PARTS = re.compile(r"[0-9]+|[a-z]+")
_HYPHENATED = re.compile(
    r"(\d{1,6}[a-z]*(?:[.:]\d+[a-z]*)?)-(\d+[a-z]*(?:[.:]\d+[a-z]*)?(?:-[a-z]{1,3})?)", re.ASCII
)
_EQUAL_ENDS = re.compile(r"(\d{3})-\d{3}|(\d{4})-\d{4}|(\d{5})-\d{5}", re.ASCII)
_SHORTEST_LISTED = 2
"""Least number of digits of a first number that makes `§§ 10-11` a range and not one number."""


def is_quantity(source: SourceText, end: int) -> bool:
    """Return True where the number that ends here is a quantity: `60 percent`."""
    return _QUANTITY.match(source.folded, end) is not None


def counts_something(source: SourceText, end: int) -> bool:
    """Return True where a word follows that is no function word: `12 debtors filed`."""
    return (
        _LOWER_WORD.match(source.folded, end) is not None and _FUNCTION_WORD.match(source.folded, end) is None
    )


def begins_a_name(source: SourceText, end: int) -> bool:
    """Return True where a capitalised word follows, as in `14 Penn Plaza` and `410 U.S. 113`."""
    return _NAMED.match(source.original, end) is not None and _FUNCTION_WORD.match(source.folded, end) is None


def is_year(number: str) -> bool:
    """Return True for a number that may be a year."""
    return _YEAR.match(number) is not None


def is_of_another(source: SourceText, end: int) -> bool:
    """Return True where the next words tell to what the number belongs: ` of the`, ` of title`."""
    return _OF_ANOTHER.match(source.folded, end) is not None


def is_of_a_title(source: SourceText, end: int) -> bool:
    """Return True where the title follows the number: ` of title 35`."""
    return _OF_A_TITLE.match(source.folded, end) is not None


def needs_proof(join: re.Match[str]) -> bool:
    """Return True unless the join alone shows that a list goes on: `; § 1985`, `and § 1985`.

    After a comma alone the next § may be of another code, and a word may begin anything.
    """
    return not (join.group("mark") or "").startswith("§") or join.group("by").strip() == ","


def ends_plainly(source: SourceText, end: int) -> bool:
    """Return True where no word follows that the number could count or name."""
    return _PLAIN_END.match(source.folded, end) is not None or source.original[end] == "\n"


def continues_list(
    source: SourceText, *, first: str, before: str, number: str, pinned: bool, end: int
) -> bool:
    """Return True where a number without a section mark continues a list: `28 USC 1331, 1332(a)`.

    Years, pages, quantities and the beginnings of other citations look alike. So the sentence must end or go
    on with a word that follows no quantity; a number alone must rise, or be of one length with the one before
    it; and a year counts among years alone: `42 U.S.C. 1981, 1983`.

    Args:
        source: the text.
        first: first number of the list.
        before: number before this one.
        number: this number.
        pinned: this number has a pin cite.
        end: position after this number.
    """
    if not ends_plainly(source, end):
        return False
    if pinned or not number.replace("-", "").isdigit():
        return True
    if is_year(number) and not is_year(first):
        return False
    return follows(before, number) or _FALLING_DIGITS <= len(before) == len(number)


def same_form(before: str, label: str) -> bool:
    """Return True for labels of one kind: figures, small letters or capitals."""
    return _kind(before) == _kind(label)


def _kind(label: str) -> str:
    if label[0].isdigit():
        return "1"
    return "A" if label[0].isupper() else "a"


def natural_key(number: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key under which 9 precedes 10 and 2000e precedes 2000e-1."""
    return tuple(
        (0, int(part), "") if part.isdigit() else (1, len(part), part)
        for part in _PARTS.findall(number.lower())
    )


def follows(first: str, last: str) -> bool:
    """Return True where the second number stands after the first in a code."""
    return natural_key(last) > natural_key(first)


def leading_number(number: str) -> int:
    """Return the number that a section number begins with; 0 where it begins with none."""
    digits = _DIGITS.match(number)
    return int(digits.group()) if digits else 0


def may_be_elided(before: str, number: str) -> bool:
    """Return True for a number that may be the end of one like that before it: `3` behind `2000e-2`."""
    head, hyphen, end = before.rpartition("-")
    return (
        bool(hyphen)
        and end.isdigit()
        and number.isdigit()
        and len(number) <= _LONGEST_END
        and int(end) < int(number) < leading_number(head)
    )


def may_be_broken(source: SourceText, start: int, end: int, number: str) -> bool:
    """Return True where the hyphen of a number may be that of a line's end, or one that is never shown."""
    digits = number.replace("-", "")
    hyphenated = source.breaks_line(start, end) or SOFT_HYPHEN in source.original[start:end]
    return hyphenated and digits.isdigit() and len(digits) <= _LONGEST_BROKEN


def alike(first: str, last: str) -> bool:
    """Return True where both have the same form, as the ends of ranges have: `78a-78pp`, not `12a-101`."""
    shapes = [_LETTERS.sub("a", _DIGITS.sub("9", number)) for number in (first, last)]
    if shapes[0] == shapes[1]:
        return True
    stops = [_NOT_STOPS.sub("", number) for number in (first, last)]
    return stops[0] == stops[1] and len(str(leading_number(first))) == len(str(leading_number(last)))


def is_range(first: str, last: str) -> bool:
    """Return True where two numbers that a hyphen joins are written alike and rise."""
    return alike(first, last) and leading_number(last) >= leading_number(first) and follows(first, last)


def split_range(number: str, *, several: bool, rising: bool) -> tuple[str, str] | None:
    """Split a number that may also be a range: `1331-32`, `78a-78pp`, `51-60`; None where it is a number.

    Args:
        number: the number with hyphens, in its own case.
        several: the mark before it announces several numbers, as `§§` does; the second may be cut short.
        rising: no section of the code has a number above the one before its hyphen.
    """
    match = _HYPHENATED.fullmatch(number.lower()) if "-" in number else None
    if match is None:
        return None
    first, last = number[: match.end(1)], number[match.start(2) :]
    digits = number.replace("-", "").isdigit()
    if rising and (first.isdigit() or leading_number(first) == leading_number(last)) and follows(first, last):
        return (first, last) if digits or is_range(first.lower(), last.lower()) else None
    if not (several or _EQUAL_ENDS.fullmatch(number)) or len(str(leading_number(first))) < _SHORTEST_LISTED:
        return None
    if digits:
        last = first[: max(0, len(first) - len(last))] + last
    return (first, last) if is_range(first.lower(), last.lower()) else None
