"""Editions of a code, named beside a citation: `D.C. Code (1981 ed.)`, `Internal Revenue Code of 1939`."""

import re
from typing import NamedTuple

from serving.contract.citations.source import SourceText

_WORD = r"(?:ed(?:ition|\.)?|(?:cum\. )?supp(?:lement|\.)?|repl(?:acement|\.)?)"
_EDITION = re.compile(rf",? ?(?:\((?:[a-z/&. ]{{0,24}}\d{{4}}[^()]{{0,24}})\)|\d{{4}},? {_WORD}(?![a-z])),?")
_SUPPLEMENT = r"(?:(?:cum\. )?supp\.?(?: [ivx]{1,5})?|repl\.?(?: vol\.)?|rev\.|west|michie|lexis)"
_YEAR = re.compile(
    rf" of (?P<of>\d{{4}})(?![0-9-])"
    rf"|,? ?\((?:{_SUPPLEMENT} )?(?P<inside>\d{{4}})"
    rf"(?:,? (?:ed(?:\.|ition)|repl|(?:cum\. )?supp|&|and)[^()]{{0,30}})?\)"
    rf"|,? ?(?P<before>\d{{4}}),? {_WORD}(?![a-z])"
    r"|,? ?(?P<bare>1[89]\d\d|20\d\d)(?=,? {0,3}(?:§|sec)|, {0,3}\d{1,3}[a-z]?[-.:]\d)"
)
_YEAR_BEHIND_CODE = re.compile(r",? ?(1[89]\d\d|20\d\d)(?![0-9-])(?!\.\d)")
"""A year right behind the name of a code whose number stands before it: `§ 40-2-101, C.R.S. 1963`."""


def skip_edition(source: SourceText, position: int) -> int:
    """Return the position behind an edition: `(2018 ed.)`, `, 2001 Ed.,`."""
    edition = _EDITION.match(source.folded, position)
    return edition.end() if edition else position


class OlderEdition(NamedTuple):
    """An edition from before the year since which a code is numbered as it is; `end`: behind its year."""

    year: str
    end: int


def older_edition(
    source: SourceText, position: int, since: int, *, behind_code: bool = False
) -> OlderEdition | None:
    """Return the edition that is named at a position, where it is older than `since`.

    Args:
        source: the text.
        position: behind the name of the code, or behind all of a citation.
        since: year from which the code is numbered as it is.
        behind_code: the citation ends with that name, so that no number can stand at the position.
    """
    named = _YEAR.match(source.folded, position)
    if named is None and behind_code:
        named = _YEAR_BEHIND_CODE.match(source.folded, position)
    if named is None:
        return None
    year = named[named.lastgroup or 1]
    return OlderEdition(year, named.end()) if int(year) < since else None
