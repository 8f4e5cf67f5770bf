"""Parts of a section that a text cites behind what was read of it, in ways that are not understood."""

import re

from serving.contract.citations.pins import ORDINALS
from serving.contract.citations.source import SourceText
from serving.contract.citations.wrapped_lines import LABEL, cut_by_line

_NOT_OF_ANOTHER = r"(?! ?(?:of|in|to|above|below|supra|infra)(?![a-z]))"
_PART = (
    r"(?:at )?(?:¶{1,2} ?(?:\d{1,2}|\([0-9a-z]{1,5}\))"
    rf"|(?:{'|'.join(map(str.lower, ORDINALS))}|last|\d{{1,2}}(?:st|d|nd|rd|th)) "
    r"(?:full |un(?:designated|numbered) )?(?:sub)?(?:paragraphs?|paras?\.|pars?\.)(?![a-z])"
    r"|(?:subdivisions?|subsections?|subsecs?\.|subds?\.|(?:sub-?)?paragraphs?|(?:sub)?paras?\."
    r"|(?:sub)?pars?\.|(?:sub)?clauses?|subparts?)"
    r" ?\(?(?:\d{1,2}[a-z]?|[b-z]|a(?=\)|[.,;:]|\Z)|[ivx]{2,5})(?![0-9a-z'.-]*[0-9a-z'])\)?+"
    r"(?:(?:,? ?(?:and|or|to|through|-)? ?)(?:\([0-9a-z]{1,5}\))+){0,8}+"
    rf"|(?:factors?|elements?|prongs?|parts?|pts?\.|items?|exceptions?|grounds?) ?{LABEL}"
    r"|(?:factor|element|prong)s? \d{1,2}(?![\w.-]*\w)"
    rf"){_NOT_OF_ANOTHER}"
)
"""A part that is named in words: `second paragraph`, `¶ 2`, `para. 3`, `factor (4)`."""
_NAMED = re.compile(
    r"(?:'s)?,? {0,2}\(?(?:(?:see|specifically|namely|particularly|especially|i\.e\.),? )?" + _PART
)
_NAMED_IN_LAW = re.compile(rf",? {{0,2}}{_PART}")
_RECORD = re.compile(r",? {0,2}(?:\((?:see )?(?:at )?|see )(?:¶|paras?|pars?|paragraphs?)")
"""Paragraph of a complaint or declaration that a draft refers to: `17 U.S.C. § 106 (¶ 25)`."""
_LABELS_BEHIND = re.compile(
    rf"(?:(?:'s)?,? {{1,2}}\(?[a-z]{{2,14}}\.? | ?, ?)(?:{LABEL}){{1,9}}+"
    rf"(?:(?:,? (?:and|or|to) |, ?|-)(?:{LABEL}){{1,9}}+){{0,9}}+(?=[.,;:)\]\"”]|\Z)",
    re.ASCII,
)
"""Labels that end a phrase, behind a comma or any word: `17 U.S.C. § 106 under (9).`"""
_BRACKETED = re.compile(
    rf" ?[\[(]{LABEL}|\.{LABEL}| ?[:/]{LABEL}|(?<=\))\[\d{{1,2}}\]"
    r"|\.[a-z]{1,2}(?:\.[0-9a-z]{1,3}){1,9}+(?![0-9a-z])|\.[a-z](?=[.,;:)(]|\Z)",
    re.ASCII,
)
"""Labels in other brackets, or behind stops: `[(9)]`, `:(9)`, `(a)[4]`, `.a.4`."""
_LETTER_APART = re.compile(
    r"(?<!\))[ \xa0](?:[A-Za-z]|([a-z])\1)\([0-9A-Za-z]{1,4}\)"
    r"|(?<!\))[ \xa0](?!v\.)[A-Za-z](?:[,;:)\]]|\.(?! ?\d|[a-z]| ?[A-Z]\.)|\Z)"
    r"|(?<!\)) [A-Z] (?:and|or|of|to) "
    r"|[ -](?:bis|ter|quater|quinquies)(?![\w'’])| ?[¼-¾⅐-⅞]",
    re.ASCII,
)
"""The end of a number that stands apart, in the text as written: `106 A(a)`, `107 bis`, `107½`."""


def unread_part(source: SourceText, end: int) -> int | None:
    """Return the end of a part that a citation names behind what was read of it; None where it names none.

    Args:
        source: the text.
        end: position behind what was read.
    """
    named = (_NAMED_IN_LAW if source.enacted else _NAMED).match(source.folded, end)
    recorded = named is not None and _RECORD.match(source.folded, end) is not None
    if named is not None and not (recorded or _begins_line(source, end, named.end())):
        return named.end()
    if source.enacted:
        return None
    behind = _LABELS_BEHIND.match(source.folded, end) or _BRACKETED.match(source.folded, end)
    if behind is not None and not source.breaks_line(end, behind.end()):
        return behind.end()
    apart = _LETTER_APART.match(source.original, end)
    return cut_by_line(source, end) if apart is None else apart.end()


def _begins_line(source: SourceText, start: int, end: int) -> bool:
    """Return True for words below a citation that are none of it: a heading, or a part of enacted text."""
    if not source.breaks_line(start, end):
        return False
    words = source.original[start:end].lstrip(" ,\r\n")
    return source.enacted or not words[:1].islower() or "\n" in words
