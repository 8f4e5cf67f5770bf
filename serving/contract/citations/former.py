"""Words by which a text says that it means a provision of former law: `former 18 U.S.C. § 16`."""

import re
from collections.abc import Sequence

from serving.contract.citations.asides import asides_behind, cited_together
from serving.contract.citations.citation import Citation
from serving.contract.citations.source import skip

_PERIOD = r"(?:[Pp]re|PRE)-(?:\d{4}|[A-Z]{2,6}|(?:[A-Z][a-z]{1,20} (?:(?:of|and) )?){1,6}Act)(?![\w-])"
"""Time before a year or an act, such as `pre-AIA`; others say nothing of a provision: `pre-trial`."""
_YEAR = r"(?:1[789]|20)\d\d(?![\d-])"
_DATE = rf"(?:\d{{1,2}}\s)?(?:[A-Z][a-z]{{2,8}}\.?\s)?(?:\d{{1,2}},\s)?{_YEAR}"
_NUMBERED_ANEW = r"(?:renumbered|redesignated|reclassified|transferred)"
_OLDER = r"(?:former|prior|previous|earlier|superseded)"

# Before a citation.
_VERSION = r"\s(?:version|text|language)s?\sof"
_PLACED = (
    r"(?:formerly|previously|originally|once|then)[\s-](?:codified|classified|found|located)"
    r"(?:,?\sas\samended,?)?\s(?:at|in|as|under)"
)
_BEFORE = re.compile(
    rf"\b(?:(?i:{_PLACED}|{_OLDER}{_VERSION})|(?:(?i:former(?:ly)?|superseded)|{_PERIOD})(?:{_VERSION})?)[\s§]{{1,5}}"
)
_DIRECTLY_BEFORE = re.compile(rf"(?:{_BEFORE.pattern})\Z")
_LONGEST = 120
"""Characters before a citation that are looked at: more than words of former law fill."""

# Behind it, in brackets or without.
_PLACE = r"(?:(?:(?:as|to|at)\s)?(?:§|(?:sections?|secs?\.|titles?)\s)|(?:as|to|at)\s\d)"
_MOVED = (
    r"current\sversion\s(?:at|in)\s|recodified\s(?:as\samended\s)?(?:at|as)\s"
    rf"|{_NUMBERED_ANEW}\s{_PLACE}"
)
"""Words behind a number that the provision bore before; one `renumbered from § 5` bears it now."""
_SINCE = r"(?:(?:since|now|later|subsequently)\s)?"
_LAPSED = rf"{_SINCE}(?:expired|abrogated|rescinded)"
_CHANGE = r"(?:amendment|repeal|revision|recodification|renumbering|redesignation|reenactment)s?\b"
_WAS_CHANGED = r"(?:it|they)\s(?:was|were)\s(?:amended|repealed|revised|recodified|renumbered|redesignated)\b"
_EARLIER = r"(?:immediately\s|just\s)?(?:before|prior\sto)\s"
_IN_EFFECT = (
    r"(?:as\s)?(?:(?:it|they)\s(?:was|were)\s)?in\s(?:effect|force)\s"
    r"(?:(?:immediately\s|just\s)?(?:before|prior\sto|until|through|during|between|when)\b"
    r"|at\s(?:the|that|all)\s(?:relevant\s)?times?\b"
    rf"|(?:in|on|as\sof)\s(?:the\s(?:date|day|year)s?\b|{_DATE})|from\s{_DATE}\s?(?:to|through|until|[-–]))"
)
"""Times that are over: what is `in effect on and after` a day, or `since`, may be in effect now."""
_AS_IT_WAS = (
    rf"{_IN_EFFECT}|(?:as\s)?then\sin\s(?:effect|force)\b"
    r"|as\s(?:it|they)\s(?:then\s)?(?:existed|stood|read|appeared|was\s(?:in|before)|were\s(?:in|before))\b"
    rf"|as\s(?:originally|first|initially)\senacted\b|{_EARLIER}(?:(?:its|their)\s(?:{_YEAR}\s)?{_CHANGE}"
    rf"|the\s{_YEAR}\s{_CHANGE}|{_CHANGE}\s(?:in|by|of|effective)\s(?:the\s)?(?:{_DATE}|Pub|Act)|{_WAS_CHANGED})"
)
"""Words by which a provision is meant as it stood at another time."""

_END = r"(?=\s?(?:[,;]|\Z))"
_AS_A_WHOLE = rf"(?:{_END}|\s(?:version|text|law)\b)"
_OF_ANOTHER = r"\s(?:§|sec|\d{1,3}\s)"
"""Beginning of another citation, of which the words before it speak: `(pre-AIA 35 U.S.C. § 112)`."""
_IN_BRACKETS = re.compile(
    rf"(?i:{_SINCE}repealed\b(?!,?\sin\spart|{_OF_ANOTHER})"
    rf"|{_LAPSED}(?:{_END}|\s(?:(?:in|by|effective|eff\.)\s|{_DATE}))|superseded\b(?!{_OF_ANOTHER})"
    rf"|{_MOVED}|{_NUMBERED_ANEW}(?:{_END}|\s(?:in\s)?\d{{4}}\b)"
    rf"|former{_AS_A_WHOLE}|{_OLDER}\s(?:version|text|law|codification)\b|{_AS_IT_WAS}"
    rf"|{_EARLIER}(?:the\s)?(?:{_CHANGE}|{_DATE}{_END}))"
    rf"|{_PERIOD}{_AS_A_WHOLE}"
)
_WITHOUT = re.compile(
    rf",\s{{1,2}}(?i:(?:{_SINCE}repealed|{_LAPSED})"
    rf"(?:\sby\s|\s(?:in\s|effective\s)?\d{{4}}\b|(?=[,.;:)\]]|\Z))|superseded\sby\s|{_MOVED})"
    r"|\s{1,2}(?i:former)\s{0,2}(?:§|(?i:sec(?:tion)?s?)\.?\s\d)"
    rf"|,?\s{{1,2}}(?:(?i:{_AS_IT_WAS})|{_PERIOD}(?=\s?(?:[,.;:)\]]|\Z)))"
)
"""Without brackets only what cannot go on with another noun: `§ 116, repealed regulations` says nothing.

A title goes on with the section itself: `17 U.S.C. former § 116`.
"""


def skip_former(text: str, position: int) -> int:
    """Return the position behind words of former law that begin at a position; that itself without any."""
    return skip(_BEFORE, text, position)


def begins_former_behind(text: str, position: int) -> bool:
    """Return whether words of former law, not in brackets, begin at a position behind a citation."""
    return _WITHOUT.match(text, position) is not None


def is_former(text: str, start: int, end: int) -> bool:
    """Return whether the words around a citation say that it is of a former provision.

    Args:
        text: any text.
        start: first character of the citation.
        end: character behind its last.
    """
    before = text[max(0, start - _LONGEST) : start]
    if _DIRECTLY_BEFORE.search(before) or begins_former_behind(text, end):
        return True
    return any(
        _IN_BRACKETS.match(aside.inner) or begins_former_behind(text, aside.end)
        for aside in asides_behind(text, end)
    )


def former_among(text: str, read: Sequence[Citation]) -> frozenset[Citation]:
    """Return the citations of former provisions; what is said before or behind a list is of all its members.

    Args:
        text: any text.
        read: its citations, in order.
    """
    former: set[Citation] = set()
    for members in cited_together(read):
        said = [one for one in members if is_former(text, one.start, one.end)]
        if members[0] in said or members[-1] in said:
            said = members
        former.update(said)
    return frozenset(former)
