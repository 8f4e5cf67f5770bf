"""Reads what was typed as one citation, or says where it is none."""

import re
from collections.abc import Iterator, Sequence

from serving.contract.citations.asides import aside_at
from serving.contract.citations.citation import PAGE, POPULAR_NAME, Citation, cite_act
from serving.contract.citations.defined_names import end_of_definition
from serving.contract.citations.diagnosis import (
    Unparsed,
    diagnose_end,
    diagnose_missing,
    diagnose_start,
)
from serving.contract.citations.explanations import explains
from serving.contract.citations.former import begins_former_behind, is_former, skip_former
from serving.contract.citations.grammar import Grammar, folded_name_key
from serving.contract.citations.parser import parse_typed
from serving.contract.citations.source import SourceText, skip

_LEAD = re.compile(
    r"[\s\"“”'‘’(\[*_`>|•–—-]*(?:(?:cite|citation|authority|source|statute|ref(?:erence)?|re):\s*)?"
    r"(?:(?:see|but|cf\.?|e\.g\.|compare|contra|accord|also|generally|under|pursuant to"
    r"|citing|quoting|per|violation of|in|of|the)(?:,\s*|\s+))*[\"“”'‘’(\[]*",
    re.IGNORECASE,
)
_STOPS = re.compile(r"[\s\"“”'’)\].,;*_`<|]*")
_EDITION = re.compile(
    r",? ?(?:(?:as )?(?:so )?(?:amended|added|enacted|codified)(?: by)?(?![a-z])"
    r"|(?:1[789]|20)\d\d(?:\Z|,? ed(?:\.|ition\b)))",
    re.IGNORECASE,
)
_BY_LAW = re.compile(
    r",? ?(?:as )?(?:so )?(?:added|amended|enacted|revised)(?: and amended)? by(?: the)? ", re.IGNORECASE
)
"""Words before the law that made a provision what it is: `, as added by Pub. L. 94-553`."""
_FORMERLY = re.compile(r",? ?formerly (?:(?:at|cited as|codified (?:as|at)) )?", re.IGNORECASE)
"""Words before the number that a provision had: `, formerly 42 U.S.C. § 1973`."""
_LAWS = ("act", PAGE, POPULAR_NAME)
_NO_NAME = " .,;*_\"”')"
"""Marks behind a name, folded."""
_STATUTES = re.compile(r",? ?\d{1,3} Stat\. \d{1,5}(?:[-–, ]{1,2}\d{1,5}){0,3}")
_BETWEEN = re.compile(
    r"[\s,;&/-]*(?:and/or|and|or)?[\s§]*(?:(?:sections?|sect?s?\.|rules?)\s*)?", re.IGNORECASE
)


def read_one(text: str, grammar: Grammar, *, explain: bool = True) -> tuple[Citation, ...] | Unparsed:
    """Read a text that should be one citation.

    Signals before it (`See, e.g.,`), labels (`Cite:`) and marks of lists and mails are skipped, and so are
    stops and parentheses behind it: the year, edition, publisher or an explanation. Words by which it is one
    of former law (`former 18 U.S.C. § 16`) are skipped too: whoever resolves it asks for them.

    Args:
        text: the text.
        grammar: the grammar of citations.
        explain: say what would fit where there is no citation; looking for names that are spelled like one of
            the text takes longer than all the rest.

    Returns:
        The citation, or all members of a list; `Unparsed` where the text is not a citation.
    """
    source = SourceText.of(text)
    begin = skip(_LEAD, text, 0)
    nicknamed = grammar.nicknames.get(folded_name_key(source.folded[begin:].rstrip(_NO_NAME)))
    if nicknamed is not None:
        return tuple(cite_act(nicknamed, begin, len(text)))
    # What words of former law name is no citation of its own: the act of `pre-AIA 35 U.S.C. § 102`.
    said = skip_former(text, begin)
    every = _without_short_names(text, parse_typed(source, grammar))
    found = [citation for citation in every if not begin <= citation.start < said]
    if not found:
        return diagnose_missing(source, begin, grammar) if explain else Unparsed(begin, "")
    if found[0].start > begin and not _begins_former(text, begin, found[0]):
        return diagnose_start(source, begin, found[0])
    read = [found[0]]
    last = found[0]
    for citation in found[1:]:
        behind = _end_of_short_name(text, last)
        if not _BETWEEN.fullmatch(text, behind, max(behind, citation.start)):
            break
        last = citation
        # The page of the volume in which a law stands is the same law: `Pub. L. 104-317, 110 Stat. 3853`.
        if citation.kind != PAGE or read[-1].kind == PAGE:
            read.append(citation)
    further = [citation for citation in found if citation.start >= last.end]
    if _end_of_all(text, last, further) == len(text):
        return tuple(read)
    return diagnose_end(source, begin, last)


def _without_short_names(text: str, read: Sequence[Citation]) -> Iterator[Citation]:
    """Yield citations, but for the short names that are given to acts, which cite nothing."""
    floor = 0
    for citation in read:
        if citation.start >= floor:
            yield citation
            floor = _end_of_short_name(text, citation)


def _end_of_short_name(text: str, cited: Citation) -> int:
    """Return the position behind the short name that is given to an act; else the end of what is cited.

    As in `Federal Arbitration Act (“FAA”), 9 U.S.C. § 2`.
    """
    named = end_of_definition(text, cited.end) if cited.kind == POPULAR_NAME else None
    return cited.end if named is None else named


def _begins_former(text: str, begin: int, first: Citation) -> bool:
    """Return True where nothing stands before a citation but words by which it is one of former law."""
    return first.start <= skip_former(text, begin) and is_former(text, first.start, first.end)


def _end_of_all(text: str, last: Citation, further: Sequence[Citation]) -> int:
    """Return the position behind what may follow the last citation: stops, editions, asides, its repeal.

    Args:
        text: the text.
        last: the citation.
        further: the citations behind it; only laws can have made it former.
    """
    position = _end_of_short_name(text, last)
    while position < len(text):
        if begins_former_behind(text, position) and all(one.kind in _LAWS for one in further):
            return len(text)
        behind = _end_of_history(text, position, further)
        behind = skip(_STATUTES, text, skip(_EDITION, text, skip(_STOPS, text, behind)))
        aside = aside_at(text, behind)
        if aside is not None and explains(text, aside, last):
            behind = aside.end
        if behind == position:
            break
        position = behind
    return position


def _end_of_history(text: str, position: int, further: Sequence[Citation]) -> int:
    """Return the position behind the law that made a provision, or its former number; else the position."""
    for words, of_law in ((_BY_LAW, True), (_FORMERLY, False)):
        said = words.match(text, position)
        for one in further:
            if said is not None and one.start == said.end() and (one.kind in _LAWS) is of_law:
                return one.end
    return position
