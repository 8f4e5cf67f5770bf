"""Words by which a text says that it means a provision of former law: `former 18 U.S.C. § 16`."""

import re
from collections.abc import Sequence

from serving.contract.citations.citation import Citation
from serving.contract.citations.source import skip

_PERIOD = r"pre-(?:\d{4}|[A-Z]{2,6})"
"""Time before a year or an act, such as `pre-AIA`; others say nothing of a provision: `pre-trial`."""
_WORDS = rf"\b(?:[Ff]ormer(?:ly)?|FORMER(?:LY)?|[Ss]uperseded|SUPERSEDED|{_PERIOD})"
_BEFORE = re.compile(rf"{_WORDS}[\s§]+")
_BEHIND = re.compile(rf"\s?\((?:former|superseded|repealed(?! in part)|{_PERIOD})\b[^()]{{0,40}}\)")
_LONGEST = len("superseded §§  ")


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
    said = _BEFORE.search(before)
    return (said is not None and said.end() == len(before)) or _BEHIND.match(text, end) is not None


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
