"""Words by which a text says that it means a provision of former law: `former 18 U.S.C. § 16`."""

import re
from collections.abc import Sequence

from serving.contract.citations.citation import Citation
from serving.contract.citations.source import skip

_PERIOD = r"(?:[Pp]re|PRE)-(?:\d{4}|[A-Z]{2,6}|(?:[A-Z][a-z]{1,20} (?:(?:of|and) )?){1,6}Act)(?![\w-])"
"""Time before a year or an act, such as `pre-AIA`; others say nothing of a provision: `pre-trial`."""
_WORDS = rf"\b(?:[Ff]ormer(?:ly)?|FORMER(?:LY)?|[Ss]uperseded|SUPERSEDED|{_PERIOD})"
_BEFORE = re.compile(rf"{_WORDS}(?:\s(?:version|text|language)s?\sof)?[\s§]{{1,5}}")
_DIRECTLY_BEFORE = re.compile(rf"{_BEFORE.pattern}\Z")
_LONGEST = 120
"""Characters before a citation that are looked at: more than words of former law fill."""

_PLACE = r"(?:(?:(?:as|to|at)\s)?(?:§|(?:sections?|secs?\.|titles?)\s)|(?:as|to|at)\s\d)"
_MOVED = (
    r"current\sversion\s(?:at|in)\s|recodified\s(?:as\samended\s)?(?:at|as)\s"
    rf"|(?:renumbered|redesignated|reclassified|transferred)\s{_PLACE}"
)
"""Words behind a number that the provision bore before; one `renumbered from § 5` bears it now."""
_OF_ANOTHER = r"\s(?:§|sec|\d{1,3}\s)"
"""Beginning of another citation, of which the words before it speak: `(pre-AIA 35 U.S.C. § 112)`."""
_AS_A_WHOLE = r"(?=\s?[)\],;]|\s(?:version|text|law)\b)"
_SINCE = r"(?:(?:since|now|later|subsequently)\s)?"
_IN_BRACKETS = (
    rf"{_SINCE}repealed\b(?!,?\sin\spart|{_OF_ANOTHER})|superseded\b(?!{_OF_ANOTHER})|{_MOVED}"
    r"|(?:renumbered|redesignated|reclassified|transferred)(?=\s?[)\],;]|\s(?:in\s)?\d{4}\b)"
    rf"|former{_AS_A_WHOLE}"
)
_WITHOUT = (
    rf"{_SINCE}repealed(?:\sby\s|\s(?:in\s|effective\s)?\d{{4}}\b|(?=[,.;:)\]]|\Z))|superseded\sby\s|{_MOVED}"
)
"""Without brackets only what cannot go on with another noun: `§ 116, repealed regulations` says nothing."""
_BEHIND = re.compile(
    rf",?\s{{0,2}}[(\[]\s?(?:(?i:{_IN_BRACKETS})|{_PERIOD}{_AS_A_WHOLE})"
    rf"|,\s{{1,2}}(?i:{_WITHOUT})|,?\s{{1,2}}{_PERIOD}(?=\s?(?:[,.;:)\]]|\Z))"
)
_ASIDE = re.compile(r"\s{0,2}(?:\((?:[^()]|\([^()]{0,40}\)){1,100}\)|\[[^\[\]]{1,100}\])")
"""Edition, year or explanation between a citation and the words: `(1988 & Supp. V 1993) (repealed 1993)`."""
_MOST_ASIDES = 4


def skip_former(text: str, position: int) -> int:
    """Return the position behind words of former law that begin at a position; that itself without any."""
    return skip(_BEFORE, text, position)


def is_former(text: str, start: int, end: int) -> bool:
    """Return whether the words around a citation say that it is of a former provision.

    Args:
        text: any text.
        start: first character of the citation.
        end: character behind its last.
    """
    before = text[max(0, start - _LONGEST) : start]
    return _DIRECTLY_BEFORE.search(before) is not None or _is_said_behind(text, end)


def _is_said_behind(text: str, position: int) -> bool:
    """Return whether words of former law stand at a position, or behind the asides that begin there."""
    for _ in range(_MOST_ASIDES):
        if _BEHIND.match(text, position):
            return True
        position = skip(_ASIDE, text, position)
    return False


def former_among(text: str, read: Sequence[Citation]) -> frozenset[Citation]:
    """Return the citations of former provisions; of a list, the word before its first member is of all.

    Args:
        text: any text.
        read: its citations, in order.
    """
    former: set[Citation] = set()
    before: Citation | None = None
    for citation in read:
        in_list = before in former and before is not None and citation.listing == before.listing is not None
        if in_list or is_former(text, citation.start, citation.end):
            former.add(citation)
        before = citation
    return frozenset(former)
