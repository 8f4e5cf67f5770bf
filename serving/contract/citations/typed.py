"""Reads what was typed as one citation, or says where it is none."""

import re
from collections.abc import Sequence

from serving.contract.citations.citation import CONTAINER, PAGE, Citation, cite_act
from serving.contract.citations.diagnosis import (
    Unparsed,
    diagnose_end,
    diagnose_missing,
    diagnose_start,
)
from serving.contract.citations.former import is_former, skip_former
from serving.contract.citations.grammar import Grammar, folded_name_key
from serving.contract.citations.parser import parse_typed
from serving.contract.citations.pins import is_label
from serving.contract.citations.source import SourceText, skip

_LEAD = re.compile(
    r"[\s\"“”'‘’(\[*_`>|•–—-]*(?:(?:cite|citation|authority|source|statute|ref(?:erence)?|re):\s*)?"
    r"(?:(?:see|but|cf\.?|e\.g\.|compare|contra|accord|also|generally|under|pursuant to"
    r"|citing|quoting|per|violation of|in|of|the)(?:,\s*|\s+))*[\"“”'‘’(\[]*",
    re.IGNORECASE,
)
_STOPS = re.compile(r"[\s\"“”'’)\].,;*_`<|]*")
_ASIDE = re.compile(r"[(\[]([^()\[\]]{1,100})[)\]]")
_DESIGNATOR = re.compile(r"(?!(?:1[789]|20)\d\d\Z)(?=[^\d]*\d)[0-9A-Za-z–‑-]{1,10}")
_FIRST_WORD = re.compile(r"[0-9A-Za-z]+(?:[.‐‑–-][0-9A-Za-z]+)*")
_LETTERS = re.compile(r"[a-z]{1,3}|[A-Z]{1,2}")
_JOINED = re.compile(r"(?:\s*(?:[,;/&‐‑–—-]|\b(?:and|or|to|through|thru)\b))+\s*", re.IGNORECASE)
_UNIT = re.compile(
    r"(?:[§¶]|\b(?:sub)?(?:sections?|sect?s?|chapters?|chs?|articles?|arts?|parts?|pts?|titles?|tits?|rules?"
    r"|divisions?|divs?|paragraphs?|paras?|pars?|clauses?|cls?|subds?)\b)[.§¶\s]*(?=\d|[a-z]\b|[ivxl]+\b)",
    re.IGNORECASE,
)
"""Mark or unit before a number or label: what it begins is cited, and explains nothing."""
_OF_ACT = re.compile(r"[\w.:–-]+ of ")
"""Behind a unit: `29 U.S.C. § 158 (section 8 of the NLRA)` names the section as its act does."""
_EDITION = re.compile(
    r",? ?(?:(?:as )?(?:so )?(?:amended|added|enacted|codified)(?: by)?(?![a-z])|(?:1[789]|20)\d\d\Z)",
    re.IGNORECASE,
)
_NO_NAME = " .,;*_\"”')"
"""Marks behind a name, folded."""
_STATUTES = re.compile(r",? ?\d{1,3} Stat\. \d{1,5}(?:[-–, ]{1,2}\d{1,5}){0,3}")
_BETWEEN = re.compile(
    r"[\s,;&-]*(?:and/or|and|or)?[\s§]*(?:(?:sections?|sect?s?\.|rules?)\s*)?", re.IGNORECASE
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
    found = [citation for citation in parse_typed(source, grammar) if not begin <= citation.start < said]
    if not found:
        return diagnose_missing(source, begin, grammar) if explain else Unparsed(begin, "")
    if found[0].start > begin and not _begins_former(text, begin, found[0]):
        return diagnose_start(source, begin, found[0])
    read = [found[0]]
    last = found[0]
    for citation in found[1:]:
        if not _BETWEEN.fullmatch(text, last.end, max(last.end, citation.start)):
            break
        last = citation
        # The page of the volume in which a law stands is the same law: `Pub. L. 104-317, 110 Stat. 3853`.
        if citation.kind != PAGE or read[-1].kind == PAGE:
            read.append(citation)
    if _end_of_all(text, last) == len(text):
        return tuple(read)
    return diagnose_end(source, begin, last)


def _begins_former(text: str, begin: int, first: Citation) -> bool:
    """Return True where nothing stands before a citation but words by which it is one of former law."""
    return first.start <= skip_former(text, begin) and is_former(text, first.start, first.end)


def _end_of_all(text: str, last: Citation) -> int:
    """Return the position behind the last citation's stops, editions and parentheses."""
    position = last.end
    while position < len(text):
        position = skip(_STOPS, text, position)
        further = skip(_STATUTES, text, skip(_EDITION, text, position))
        aside = _ASIDE.match(text, further)
        if aside is not None and not _cites(text, aside, last):
            further = aside.end()
        if further == position:
            break
        position = further
    return position


def _cites(text: str, aside: re.Match[str], last: Citation) -> bool:
    """Return True for an aside that cites a part or section which is not understood: it explains nothing."""
    inner = aside.group(1).strip()
    glued = not text[aside.start() - 1].isspace()
    return is_label(inner) or _is_pin_list(inner, glued=glued) or _begins_with_unit(inner, last)


def _is_pin_list(inner: str, *, glued: bool) -> bool:
    """Return True for labels that are joined, such as `1, 2 and 5`.

    What a number or label is followed by at once cites parts already where what stands before its first joint
    is a label, or its first word one with a figure. A year is none.
    """
    words = _JOINED.split(inner)
    if len(words) > 1 and any(words) and all(is_label(word) for word in words if word):
        return True
    return glued and (_is_part(words[0]) or _begins_with_figured_part(inner) or _are_labels(inner.split()))


def _begins_with_figured_part(inner: str) -> bool:
    """Return True where the first word is a part and has a figure: `3?`, but not `I think`."""
    first = _FIRST_WORD.match(inner)
    return first is not None and re.search(r"\d", first.group()) is not None and _is_part(first.group())


def _are_labels(words: Sequence[str]) -> bool:
    """Return True for words that are labels, all of them: `a 3`."""
    return all(is_label(word) for word in words)


def _is_part(word: str) -> bool:
    """Return True for a word that can be but a label where it is glued to a number."""
    return any((is_label(word), _DESIGNATOR.fullmatch(word), _LETTERS.fullmatch(word)))


def _begins_with_unit(inner: str, last: Citation) -> bool:
    """Return True for `§ 106` or `ch. 5`: behind a title or chapter, wherever in the aside they stand."""
    if last.kind == CONTAINER:
        return _UNIT.search(inner) is not None
    unit = _UNIT.match(inner)
    return unit is not None and _OF_ACT.match(inner, unit.end()) is None
