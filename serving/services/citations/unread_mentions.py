"""Sections and rules that a draft mentions and that no citation covers: nothing is passed over in silence.

A section sign always means law. `Section 4`, `Rule 29` and `id. at 504(c)` may be of a contract, a game or a
case: they count where a statute, or a rule of a court, was cited before.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from serving.contract.citations import Citation
from serving.contract.citations.citation import RULE, SECTION
from serving.contract.citations.documents import names_document

_PARTS = r"(?:\(\w{1,5}\))"
_NUMBER = rf"\d{{1,5}}[a-z]{{0,2}}(?:-\d{{1,3}}[a-z]?)?(?![\w%]|[.:]\d){_PARTS}*"
_MENTION = re.compile(
    rf"(?P<sign>§{{1,2}} ?\d[\w.:\-–]*\w?{_PARTS}*)"
    rf"|(?<![\w-])(?:(?P<section>[Ss]ections?|[Ss]ecs?\.)|(?P<rule>Rules?))[ \u00a0]{_NUMBER}"
    rf"(?:(?:,? (?:and|or|&) |, |[-–]){_NUMBER}){{0,9}}"
    rf"|(?<![\w.@-])(?P<id>[Ii]d\.),? (?:at )?\d{{1,5}}[a-z]{{0,2}}{_PARTS}+"
)
"""A mention. Numbers with dots behind a word are those of contracts; behind `id.` a page has no parts."""
_KIND = {"section": SECTION, "rule": RULE}
_OF_DOCUMENT = re.compile(
    r",?\s(?:(?:of|to|in|under)\s(?!(?:the|that|this|such|said)\s(?:(?:same\s)?(?:Act|Code|Title|Statute))\b)"
    r"(?:the|that|this|such|said|an?|its|his|her|their|our|my|[A-Z])|above|below|infra|hereof|herein|hereto)\b"
)
"""Words behind a section of something else: `of the lease`, `below`. One of `that Act` is of law."""
_NAMED_BEFORE = re.compile(
    r"(?:(?<=[\w,’'] )[A-Z][\w’'&]*\.?|\b[A-Z]{2,}"
    r"|\b(?i:house|local|club|agreement|lease|contract|policy))\s\Z"
)
"""Name whose rule or section it is: `SEC Rule 14a-8`. A sentence begins with a capital too."""
_WINDOW = 120
_LONGEST_NAME = 30
_OWN_SECTIONS = re.compile(
    r"\b(?:this|the)\s(?:Agreement|Lease|Contract|Policy|Deed|Indenture|Plan|Note|Charter|Declaration)\b"
)
"""Name of a document that speaks of itself: its own sections are written with a word."""
_ACT = re.compile(r"\bAct\b")
_SENTENCE_BEHIND = re.compile(r"[^.;\n]{0,120}")


def unread_mentions(text: str, cited: Sequence[Citation]) -> Iterator[tuple[int, int]]:
    """Yield the spans of mentions of law that no citation covers, in their order.

    Args:
        text: the draft.
        cited: its citations, in their order.
    """
    starts = [one.start for one in cited]
    first = {
        kind: min((one.end for one in cited if one.kind == kind), default=len(text))
        for kind in (SECTION, RULE)
    }
    has_own = _OWN_SECTIONS.search(text) is not None
    for match in _MENTION.finditer(text):
        before = bisect_right(starts, match.start()) - 1
        inside = before >= 0 and cited[before].end > match.start()
        if inside or (before + 1 < len(cited) and starts[before + 1] < match.end()):
            continue
        kind = _KIND.get(match.lastgroup or "")
        begun = min(first.values()) if match["id"] else first[kind] if kind else 0
        if begun <= match.start() and (kind is None or not (has_own or _is_of_document(text, match))):
            yield match.span()


def _is_of_document(text: str, match: re.Match[str]) -> bool:
    """Return True for a section or rule, cited by its word, that is or may be of a document."""
    before = text[max(0, match.start() - _WINDOW) : match.start()]
    if _NAMED_BEFORE.search(before[-_LONGEST_NAME:]) or _OF_DOCUMENT.match(text, match.end()):
        return True
    if match["section"] is None:
        return False
    begun = before[max(map(before.rfind, ".?!\n")) + 1 :]
    rest = _SENTENCE_BEHIND.match(text, match.end())
    return names_document(_ACT.sub("", f"{begun} {rest.group() if rest else ''}"))
