"""Acts of a year that are named beside a citation: `17 U.S.C. § 107 (Copyright Act of 1909)`.

Such a year tells which law is meant: an act may be older than the section that bears the number now.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import dropwhile
from typing import NamedTuple

from serving.contract.citations.appositions import APPOSITION
from serving.contract.citations.asides import asides_behind, told_of_all
from serving.contract.citations.citation import Citation
from serving.contract.citations.law_names import begins_name

_YEAR = r"(?:1[789]|20)\d\d(?![\w-])"
_WORDS = r"(?:[A-Z][\w’'-]{1,24}\s(?:(?:and|for|in|of|on|the|to|with|against)\s){0,2}){0,8}"
_MONTH = r"(?:[A-Z][a-z]{2,8}\.?\s(?:\d{1,2},\s)?)?"
_NAMED = (
    rf"(?:[Tt]he\s)?(?:(?P<before>{_YEAR})\s)?(?P<name>{_WORDS}(?:Act|Law|Statute|Code)s?)"
    rf"(?:(?:,|\sof)?\s{_MONTH}\(?(?P<behind>{_YEAR})\)?)?"
)
"""An act with or without its year: `the Copyright Act of 1909`, `1909 Act`, `Act of Mar. 4, 1909`."""
_LEADING = (
    r"(?:(?i:see|as|in|under|by|of|from|per|pursuant\sto|enacted|codifying|part|section\s[\w()]{1,12})\s)"
)
_ASIDE = re.compile(rf"{_LEADING}{{0,4}}{_NAMED}(?:,?\sas\samended)?[\s.,]*")
_BEHIND = re.compile(rf",?\s(?:of|in|under)\s{_NAMED}")
_BEFORE = re.compile(rf"(?<![\w.]){_NAMED}{APPOSITION.pattern}")
_LONGEST = 160
"""Characters before a citation that are looked at for the act that it is a place of."""


class ActOfYear(NamedTuple):
    """An act that is named with its year beside a citation.

    Attributes:
        name: its name without the year.
        year: the year.
        in_brackets: it stands alone in brackets behind the citation, as what is cited.
    """

    name: str
    year: int
    in_brackets: bool


def acts_of_years(text: str, read: Sequence[Citation]) -> Mapping[Citation, ActOfYear]:
    """Return the act of a year that is named beside a citation, of citations that have one.

    What is behind a list is of all its members, and `id. § 108` is of the act of that before it.

    Args:
        text: any text.
        read: its citations, in order.
    """
    return told_of_all(read, lambda members: next(_named(text, members[0].start, members[-1].end), None))


def _named(text: str, start: int, end: int) -> Iterator[ActOfYear]:
    """Yield the acts of years beside characters [start, end) of a text, the surest first."""
    found = [(_ASIDE.fullmatch(aside.inner), True) for aside in asides_behind(text, end)]
    found += [
        (_BEHIND.match(text, end), False),
        (_BEFORE.search(text[max(0, start - _LONGEST) : start]), False),
    ]
    for match, in_brackets in found:
        year = match and (match["before"] or match["behind"])
        if match and year:
            words = dropwhile(lambda word: not begins_name(word), match["name"].split())
            yield ActOfYear(" ".join(words), int(year), in_brackets)
