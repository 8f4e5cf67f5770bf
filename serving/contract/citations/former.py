"""Words by which a text says that it means a provision of former law: `former 18 U.S.C. § 16`."""

import re
from collections.abc import Sequence

from serving.contract.citations.asides import asides_behind, cited_together
from serving.contract.citations.citation import POPULAR_NAME, Citation
from serving.contract.citations.past_times import (
    AS_IT_WAS,
    AT_ANOTHER_TIME,
    BEFORE_ACT,
    BEGINNING_OF_SENTENCE,
    DATE,
    END,
    IN_FORMER_TIMES,
    PERIOD,
    THEN_IN_EFFECT,
    YEAR,
)
from serving.contract.citations.source import ANY_DASH, skip

_SINCE = rf"(?:since|now|later|subsequently|long(?:\s|{ANY_DASH})since)(?:\s|{ANY_DASH})"
"""Words, or a part of one, before what became of a provision: `now-repealed`."""
_LAPSED = (
    r"(?:expired|lapsed|abrogated|rescinded|abolished|obsolete|defunct|no\slonger\sin\s(?:effect|force))"
)
_NUMBERED_ANEW = r"(?:renumbered|redesignated|reclassified|relocated|transferred)"
_OLDER = r"(?:former|prior|previous|earlier|superseded|older|old|original|repealed)"

# Before a citation.
_VERSION = r"\s(?:version|text|language)s?\sof"
_PLACED = (
    rf"(?:(?:formerly|previously|originally|once|then)(?:\s|{ANY_DASH})(?:codified|classified|found|located)"
    r"(?:,?\sas\samended,?)?|formerly)\s(?:at|in|as|under)"
)
_REPEALED = (
    r"(?<!\bnot\s)(?<!\bnever\s)(?<!\bhave\s)(?<!\bpartly\s)(?<!\bpartially\s)"
    r"(?<!\bwhich\s)(?<!\bthat\s)repealed"
)
"""Repeal of a provision, as an adjective or a verb; `which repealed` may tell of a bill."""
_OLD = rf"(?<!\ban\s)(?<!\byears\s)(?<!{ANY_DASH})old"
"""Nouns that go on behind a citation have no older text: `an old § 1983 case`."""
_GONE = (
    rf"former(?:ly)?|superseded|{_SINCE}(?:repealed|superseded|amended|{_LAPSED}|{_NUMBERED_ANEW})|{_OLD}"
    rf"|defunct|obsolete|abrogated|rescinded|{THEN_IN_EFFECT}"
)
_QUOTES = "\"“”'‘’*_"
"""Quotation marks, and marks that stress a word."""
_BEFORE = re.compile(
    rf"(?:\b(?:(?i:{_PLACED}|{_OLDER}{_VERSION})|(?:(?i:{_GONE}|{_REPEALED})|{PERIOD})(?:{_VERSION})?)\s"
    rf"|[(\[](?:(?i:former|old)|{PERIOD})[)\]][^\S\n])[\s§{_QUOTES}]{{0,4}}"
)
_DIRECTLY_BEFORE = re.compile(
    rf"(?:{_BEFORE.pattern}|{BEGINNING_OF_SENTENCE}(?i:{IN_FORMER_TIMES})[\s§]{{0,4}})\Z"
)
_FIRST = re.compile(rf"{BEGINNING_OF_SENTENCE}\Z")
_WAS_REPEALED = re.compile(
    r"\s(?:was|were|(?:has|have)\s(?:since\s)?been)\srepealed\b(?!,?\sin\spart|,?\sonly|,?\sto\sthe\sextent)"
)
"""Repeal that a sentence tells of the citation that it begins with."""
_LONGEST = 120
"""Characters before a citation that are looked at: more than words of former law fill."""

# Behind it, in brackets or without.
_PLACE = r"(?:(?:(?:as|to|at)\s)?(?:§|(?:sections?|secs?\.|titles?)\s)|(?:as|to|at)\s\d)"
_MOVED = (
    r"current\sversion\s(?:at|in)\s|moved\sto\s(?:§|\d)|recodified\s(?:as\samended\s)?(?:at|as)\s"
    rf"|{_NUMBERED_ANEW}\s{_PLACE}"
)
"""Words behind a number that the provision bore before; one `renumbered from § 5` bears it now."""
_TODAY = r"(?:now|today|currently|presently)"
_STANDING = r"(?:re)?(?:codified|classified|found|located)(?:,?\sas\samended,?)?"
_NUMBER = r"(?:§|(?:sections?|secs?\.)\s\d|\d{1,3}\s(?-i:[A-Z]))"
_NOW_AT = (
    rf"(?:(?:see|is|are)\s)?{_TODAY}\s(?:{_STANDING}\s(?:at|in|as|under)\s|(?:at\s)?{_NUMBER})"
    rf"|codified\s{_TODAY}\s(?:at|in|as|under)\s"
)
"""Another place, where the provision is now; that of an act's section is the one that is cited."""
_ACTS = ("act", POPULAR_NAME)
_NOW_ELSEWHERE = re.compile(
    rf"(?i:(?:,\s{{1,2}}|\s{{0,2}}[(\[]|\s{{1,2}}(?=(?:is|are)\s))(?:{_NOW_AT})"
    rf"|\s{{0,2}}[(\[](?:current\s{_NUMBER}|(?:later|since|subsequently)\s{_STANDING}\s(?:at|in|as|under)\s))"
)

_NOUN = (
    r"(?:version|text|law|codification|wording"
    rf"|(?:statute|language|section|provision|form|act|code|rule)s?{END})"
)
_AS_A_WHOLE = rf"[{_QUOTES}]?(?:{END}|\s{_NOUN}\b)"
_OF_ANOTHER = r"\s(?:§|sec|\d{1,3}\s)"
"""Beginning of another citation, of which the words before it speak: `(pre-AIA 35 U.S.C. § 112)`."""
_CLAUSE = r"(?:(?:which|that|it|they)\s)?(?:(?:was|were|is|are|(?:has|have)\s(?:since\s)?been)\s)?"
_EDITION = rf"(?:[^()\d]{{0,20}}{YEAR}(?:\sed\.)?[,;]?\s{{1,2}})?"
"""Edition before what is said of it: `(2006, pre-AIA)`."""
_OF_THE = r"(?:(?:in|under|applying|quoting)\s)?(?:(?:the|its|their)\s)?"
_IN_BRACKETS = re.compile(
    rf"{_EDITION}(?:(?i:{_CLAUSE}(?:{_SINCE})?(?:repealed\b(?!,?\sin\spart|{_OF_ANOTHER})"
    rf"|{_LAPSED}(?:{END}|\s(?:(?:in|by|effective|eff\.)\s|{DATE}))|superseded\b(?!{_OF_ANOTHER})"
    rf"|replaced\sby\s|{_MOVED}|{_NUMBERED_ANEW}(?:{END}|\s(?:in\s)?\d{{4}}\b))"
    rf"|{_OF_THE}(?:(?:former|old){_AS_A_WHOLE}|{_OLDER}\s{_NOUN}\b)|{AT_ANOTHER_TIME})"
    rf"|(?i:{_OF_THE}){PERIOD}(?:\s(?:and|or)\s|(?:\s[a-z]{{1,12}}-[a-z-]{{1,20}})?{_AS_A_WHOLE}))"
)
_WITHOUT = re.compile(
    rf",\s{{1,2}}(?i:{_CLAUSE}(?:{_SINCE})?(?:repealed|{_LAPSED})"
    rf"(?:\sby\s|\s(?:in\s|effective\s)?\d{{4}}\b|(?=[,.;:)\]]|\Z))|superseded\sby\s|{_MOVED})"
    rf"|\s{{1,2}}(?:(?i:{_GONE})|{PERIOD})\s{{0,2}}(?:§|(?i:sec(?:tion)?s?)\.?\s\d)"
    rf"|,?\s{{1,2}}(?:(?i:{AS_IT_WAS}|{BEFORE_ACT})|{PERIOD}(?=\s?(?:[,.;:)\]]|\Z)))"
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


def is_former(text: str, start: int, end: int, *, of_act: bool = False) -> bool:
    """Return whether the words around a citation say that it is of a former provision.

    Args:
        text: any text.
        start: first character of the citation.
        end: character behind its last.
        of_act: it cites a section by an act; `now codified at` tells where that stands in a code.
    """
    before = text[max(0, start - _LONGEST) : start]
    if _DIRECTLY_BEFORE.search(before) or (_WAS_REPEALED.match(text, end) and _FIRST.search(before)):
        return True
    asides = list(asides_behind(text, end))
    if any(_IN_BRACKETS.match(aside.inner.strip(_QUOTES)) for aside in asides):
        return True
    return any(
        begins_former_behind(text, position) or (not of_act and _NOW_ELSEWHERE.match(text, position))
        for position in (end, *(aside.end for aside in asides))
    )


def former_among(text: str, read: Sequence[Citation]) -> frozenset[Citation]:
    """Return the citations of former provisions; what is said before or behind a list is of all its members.

    `Id. (b)` is of the former section that is cited before it; of another, `id. § 108`, nothing is said.

    Args:
        text: any text.
        read: its citations, in order.
    """
    former: set[Citation] = set()
    before: Citation | None = None
    for members in cited_together(read):
        said = [one for one in members if is_former(text, one.start, one.end, of_act=one.kind in _ACTS)]
        if members[0] in said or members[-1] in said or (before in former and _repeats(members, before)):
            said = members
        former.update(said)
        before = members[-1]
    return frozenset(former)


def _repeats(members: Sequence[Citation], before: Citation) -> bool:
    """Return True for citations that take their law from the one before them, and cite its section."""
    section = before.code, before.title, before.num
    return all(one.inferred and (one.code, one.title, one.num) == section for one in members)
