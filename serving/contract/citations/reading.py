"""Read one citation as somebody types it, and say where and why if it cannot be read."""

import re

from serving.contract.citations.citation import Citation
from serving.contract.citations.expecting import (
    Unparsed,
    instead_of_the_end,
    not_at_the_beginning,
    nothing_found,
)
from serving.contract.citations.grammar import Grammar
from serving.contract.citations.labels import is_label
from serving.contract.citations.parsing import parse_typed
from serving.contract.citations.source import SourceText

_LEAD = re.compile(
    r"[\s\"“”'‘’(\[]*(?:(?:see|but|cf\.?|e\.g\.|compare|contra|accord|also|generally|under|pursuant to|citing"
    r"|quoting|per|violation of|in|of|the)(?:,\s*|\s+))*[\"“”'‘’(\[]*",
    re.IGNORECASE,
)
_STOPS = re.compile(r"[\s\"“”'’)\].,;]*")
_ASIDE = re.compile(r"[(\[]([^()\[\]]{1,100})[)\]]")
_EDITION = re.compile(
    r",? ?(?:(?:as )?(?:so )?(?:amended|added|enacted|codified)(?: by)?(?![a-z])|(?:1[789]|20)\d\d\Z)",
    re.IGNORECASE,
)
_STATUTES = re.compile(r",? ?\d{1,3} Stat\. \d{1,5}(?:[-–, ]{1,2}\d{1,5}){0,3}")
_BETWEEN = re.compile(
    r"[\s,;&-]*(?:and/or|and|or)?[\s§]*(?:(?:sections?|sect?s?\.|rules?)\s*)?", re.IGNORECASE
)


def read_one(text: str, grammar: Grammar) -> tuple[Citation, ...] | Unparsed:
    """Return the citation that a text is, all members where it is a list, or why it is none.

    Signals before it (`See, e.g.,`) are passed over, and behind it stops and what stands in parentheses: the
    year, edition, publisher or an explanation.
    """
    source = SourceText.of(text)
    found = parse_typed(source, grammar)
    begin = _skip(_LEAD, text, 0)
    if not found:
        return nothing_found(source, begin, grammar)
    if found[0].start > begin:
        return not_at_the_beginning(source, begin, found[0])
    read = [found[0]]
    for citation in found[1:]:
        if not _BETWEEN.fullmatch(text, read[-1].end, max(read[-1].end, citation.start)):
            break
        read.append(citation)
    if _end_of_all(text, read[-1].end) == len(text):
        return tuple(read)
    return instead_of_the_end(source, begin, read[-1])


def _end_of_all(text: str, position: int) -> int:
    """Return the place behind stops, editions and parentheses."""
    while True:
        position = _skip(_STOPS, text, position)
        further = _skip(_STATUTES, text, _skip(_EDITION, text, position))
        aside = _ASIDE.match(text, further)
        if aside is not None and not is_label(aside.group(1)):
            further = aside.end()
        if further == position:
            return position
        position = further


def _skip(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else position
