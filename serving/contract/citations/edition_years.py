"""Years of editions that are cited: `17 U.S.C. § 107 (1988 ed., Supp. V)` is of the law until 1993.

Beside the name of an act a year is read alike: `section 107 of the Copyright Act (1909)`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from serving.contract.citations.asides import asides_behind, told_of_all
from serving.contract.citations.citation import POPULAR_NAME, Citation

_YEAR = r"(?:1[789]|20)\d\d"
_WORDS = (
    r"ed(?:ition|n)?|supp(?:lement)?s?|cum(?:ulative)?|repl(?:acement)?|vols?|volume|rev(?:ised)?|main|and|as|of"
    r"|act|code|law|version|text|the|in|under"
    r"|west|michie|lexis(?:nexis)?|matthew bender|thomson(?: reuters)?|bna"
)
_EDITION = re.compile(
    rf"(?=.*{_YEAR})(?:(?:{_YEAR}|{_WORDS}|[ivx]{{1,5}})(?![a-z0-9])|[\s,.&/–-])+", re.IGNORECASE
)
"""Words of an aside that names an edition and nothing else: a year, a publisher, supplements."""
_EACH_YEAR = re.compile(rf"(?<!\d){_YEAR}(?!\d)")
_OPEN_SUPPLEMENT = re.compile(r"supp(?:lement)?s?[.,\s]*(?P<number>[ivx]*)[.\s]*\Z", re.IGNORECASE)
"""A supplement without its year: its number says how many years behind the edition it is."""
_ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10}
_BARE = re.compile(rf",?\s({_YEAR})(?:,?\s(?:ed(?:\.|ition\b)|version\b)|(?=[\s.;]*\Z))", re.IGNORECASE)
_INSIDE = re.compile(rf"\(([^()]*{_YEAR}[^()]*)\)|(?<!\d)({_YEAR},?\sed(?:\.|ition))", re.IGNORECASE)
"""An edition between the name of a code and the number: `42 U.S.C. (1970 ed.) § 1983`."""
_BEFORE_ACT = re.compile(rf"(?:\A|\bthe\s)({_YEAR})\s{{1,2}}(?=[a-z])", re.IGNORECASE)
"""A year before the name of an act: `section 107 of the 1909 Copyright Act`."""
_VERSION = r"(?:edition|version|text|codification)"
_VERSION_BEFORE = re.compile(rf"(?<!\d)({_YEAR})\s{_VERSION}\sof\s{{1,2}}(?:the\s)?\Z", re.IGNORECASE)
_LONGEST = 40
"""Characters before a citation that are looked at: more than `1952 codification of the` fills."""
_WITHIN = re.compile(
    rf"\s(?:of|in|under)\sthe\s(?:({_YEAR})\s(?:Act|Code|Law|Statute|{_VERSION})\b"
    rf"|Act\sof\s(?:[A-Z][a-z]{{2,8}}\.?\s\d{{1,2}},\s)?({_YEAR})(?!\d))"
)
"""Law behind a section of a code that has no name but its year: `17 U.S.C. § 24 of the 1909 Act`.

One with a name of its own may be a part of the code since: `42 U.S.C. § 1983 of the 1871 Civil Rights Act`.
"""


def edition_years(text: str, read: Sequence[Citation]) -> Mapping[Citation, int]:
    """Return the last year whose law the edition of a citation can hold, of citations that name an edition.

    The edition behind a list is of all its members, and `id. § 108` is of that before it. A supplement of
    which neither year nor number is said can hold the law of any year.

    Args:
        text: any text.
        read: its citations, in order.
    """
    return told_of_all(read, lambda members: _last_year_beside(text, members))


def _last_year_beside(text: str, members: Sequence[Citation]) -> int | None:
    years = map(_last_year, _editions(text, members))
    return max((year for year in years if year is not None), default=None)


def _editions(text: str, members: Sequence[Citation]) -> Iterator[str]:
    """Yield what names an edition within or behind the citations of one list."""
    first, end = members[0], members[-1].end
    named = (
        _BEFORE_ACT.search(text[first.start : end]) if first.kind == POPULAR_NAME else None,
        _VERSION_BEFORE.search(text, max(0, first.start - _LONGEST), first.start),
        _INSIDE.search(text, first.start, first.end),
        _WITHIN.match(text, end),
        _BARE.match(text, end),
    )
    for year in named:
        if year is not None:
            yield year[year.lastindex or 0]
    for aside in asides_behind(text, end):
        yield aside.inner


def _last_year(said: str) -> int | None:
    """Return the last year of an edition; None for other words, and for a supplement that has no end."""
    if _EDITION.fullmatch(said) is None:
        return None
    last = max(map(int, _EACH_YEAR.findall(said)))
    supplement = _OPEN_SUPPLEMENT.search(said)
    if supplement is None:
        return last
    number = _ROMAN.get(supplement["number"].lower())
    return None if number is None else last + number
