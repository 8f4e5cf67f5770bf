"""Names of laws that no data lists, known by their words: `Navajo Nation Code`, `Ordinances of Honolulu`."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from serving.contract.citations.source import ANY_DASH, SourceText

_NAME_WORD = r"(?:[A-Z][\w’'&-]*(?:\.[\w’'-]+)*\.?|\([A-Z][\w.’' ]{1,24}\))"
_CONNECTOR = r"(?:of|the|and|for|de|la|del|on|&)"
_BLANK = r"[ \n\u00a0]{1,2}"
_RUN = re.compile(rf"(?<![\w.]){_NAME_WORD}(?:{_BLANK}(?:{_NAME_WORD}|{_CONNECTOR}(?=[ \n\u00a0]))){{0,16}}")
_PIECE = re.compile(rf"{_NAME_WORD}|\S+")
_NOUN = re.compile(
    r"(?:Codes?|CODES?|Statutes?|STATUTES?|Laws|LAWS|Ordinances?|ORDINANCES?|Regulations?|REGULATIONS?"
    r"|Charter|By-?[Ll]aws|Regs\.|Stats?\.|Ords?\.|Ordin\.)"
)
_ANY_KIND = re.compile(r"C(?:ode|ODE|harter)|Stat|STAT|L(?:aw|AW)|O(?:rd|RD)|R(?:eg|EG)|By")
"""Beginning of a word of `_NOUN`, or of `Law`: no text without one names a law."""
_ENDS = re.compile(
    r"(?:Sections?|Secs?\.|Sects?\.|Titles?|Tit\.|Chapters?|Ch\.|Articles?|Art\.|Parts?|Pt\.|§+)"
)
_SIGNAL = re.compile(
    r"(?:See|Under|The|In|As|By|And|But|Cf\.?|E\.g\.|Per|Of|This|That|These|For|To|On|From|Compare|Accord|Also"
    r"|Pursuant|Only|Nothing|Our|Its|His|Her|Their|Your|My|Any|No|A|An|If|Or|Nor|Both|Neither|Either|Whether"
    r"|When|Where|While|Unlike|Like|With|Without|Section|Sections|Title|Chapter)"
)
_CITY_AND_STATE = re.compile(
    r"(?<![\w.])[A-Z][a-z]+(?: [A-Z][a-z]+){0,2}, (?:[A-Z][a-z]{1,4}\.|(?:[A-Z]\. ?){2}),? \Z"
)
_CITY_WINDOW = 60
_LONGER_BEHIND = re.compile(r" of (?:the )?(?!(?:United States|America)\b)[A-Z][a-z]")
_LONGER_BEFORE = re.compile(
    r"(?:[Cc]ounty|[Tt]own|[Vv]illage|[Pp]rovince|[Rr]epublic|[Kk]ingdom) of (?:the )?\Z"
)
_GENERIC = frozenset(
    (
        *(
            "Code",
            "Codes",
            "Statutes",
            "Laws",
            "Law",
            "Ordinance",
            "Ordinances",
            "Regulations",
            "Charter",
            "Mun",
        ),
        *(
            "Municipal",
            "City",
            "County",
            "State",
            "Zoning",
            "Planning",
            "Building",
            "Housing",
            "Health",
            "Safety",
        ),
        *("Penal", "Civil", "Criminal", "Procedure", "Tax", "Revenue", "Election", "Elections", "Vehicle"),
        *("Traffic", "Fire", "Plumbing", "Subdivision", "General", "Revised", "Administrative", "Annotated"),
        *("Official", "Government", "Business", "Professions", "Labor", "Education", "Public", "Utilities"),
    )
)
"""Words of names that say of what kind a law is."""
_WORD_BEFORE = re.compile(r"(?<![\w.])(?P<word>[A-Z][a-z’'-]{2,}) \Z")
_OF_THE_SAME = (
    "Federal",
    "States",
    "American",
    "Official",
    "Former",
    "New",
    "Current",
    "Proposed",
    "Amended",
)
"""Words before the name of a code that do not make it another's: `Federal Bankruptcy Code`."""
_OF_ANOTHER = (
    *("North", "South", "East", "West", "Northern", "Southern", "Eastern", "Western", "Upper", "Lower"),
    "Model",
)
"""Words before the name of a code that make it another's wherever they stand: `South San Mateo Municipal
Code`. Other words at the beginning of a sentence may be no part of the name."""
_SENTENCE_BEGINS = re.compile(r"(?:\A|[.?!:;“\"(\[]|\n)\s*[“\"(]?\Z")
_JOINED_BEFORE = re.compile(rf"(?:[^\W\d_][-‐‑]|(?<![A-Za-z])(?:[Pp]re|[Pp]ost){ANY_DASH}{{1,2}} ?)\Z")
"""A word that a hyphen joins to a name: `the pre-AIA § 102(b)` is no section of the AIA."""
_LONGEST_JOINED = 7
_FEWEST_WORDS = 2
_SMALL_WORD = rf"(?:{_CONNECTOR}|to|in|with|against|by)"
_ACT = re.compile(
    rf"(?<![\w.])(?<!v\. )(?P<name>{_NAME_WORD}"
    rf"(?:,?{_BLANK}(?:{_NAME_WORD}|{_SMALL_WORD})(?=[ \n,\u00a0])){{0,14}})"
    rf"{_BLANK}Act(?:{_BLANK}of)?{_BLANK}(?:1[789]|20)\d\d(?![\w-]| [A-Z][a-z])"
)
_OF_YEAR = re.compile(rf"Act(?:{_BLANK}of)?{_BLANK}(?:1[789]|20)\d\d")
"""End of `_ACT`, which is quickly found."""
_OF = re.compile(r"\bof\b")
_BEFORE_ACT = re.compile(
    r"(?:(?:Sub)?[Tt]itles?|[Ss]ections?|[Cc]hapters?|[Pp]arts?|[Dd]ivisions?|Tit\.|[IVXLC]+)\s+(?:[\dIVXLC]+[A-Z]?,?\s+)?"
    r"of\s+(?:the\s+)?|\band\s+the\s+"
)
"""Words that a name of an act does not begin with: `Title II of the`."""
_FULL_WORD = re.compile(r"(?:Codes?|Laws|[A-Z][a-z’'-]{5,})\.")
"""Last word of a sentence, and no abbreviation."""


class LawName(NamedTuple):
    """A name of a law over [start, end) of a text."""

    start: int
    end: int
    name: str


def law_names(source: SourceText, start: int = 0, end: int | None = None) -> Iterator[LawName]:
    """Yield what is named like a law in characters [start, end) of a text, listed anywhere or not.

    A name is a run of capitalised words one of which is that of a kind of law, such as `Code`. It goes on
    behind that word (`Code of the City of Boise`), unless the sentence ends with it.
    """
    text = source.original
    stop = len(text) if end is None else end
    floor = start
    for sign in _ANY_KIND.finditer(text, start, stop):
        # No run goes on behind a comma: it begins behind the last one before the word.
        begin = max(floor, text.rfind(",", floor, sign.start()) + 1)
        while floor <= sign.start():
            run = _RUN.search(text, begin, stop)
            if run is None:
                return
            if _ANY_KIND.search(text, *run.span()):
                yield from _in_run(text, *run.span())
            begin = floor = run.end()


def act_names(source: SourceText) -> Iterator[LawName]:
    """Yield what is named like an act of a year: `the Clean Harbors Act of 1999`, `the Companies Act 2006`.

    Two words at least say which act it is: `the Act of 1974` is named before.
    """
    text = source.original
    floor = 0
    for sign in _OF_YEAR.finditer(text):
        if sign.start() < floor:
            continue
        # No name goes on behind a semicolon: it begins behind the last one before its end.
        match = _ACT.search(text, max(floor, text.rfind(";", floor, sign.start()) + 1))
        if match is None:
            return
        floor = match.end()
        before = [cut.end() for cut in _BEFORE_ACT.finditer(match["name"])]
        words = [
            word.span()
            for word in re.finditer(r"\S+", match["name"])
            if word.start() >= max(before, default=0)
        ]
        first = 0
        while first < len(words) and not begins_name(match["name"][slice(*words[first])]):
            first += 1
        named = [match["name"][slice(*word)] for word in words[first:]]
        # `Companies Act 2006` is a whole name; `the Harbour Act of 1974` needs more to be one.
        fewest = _FEWEST_WORDS if _OF.search(match.group(), match.end("name") - match.start()) else 1
        if sum(word[0].isupper() for word in named) >= fewest:
            start = match.start() + words[first][0]
            yield LawName(start, match.end(), " ".join(text[start : match.end()].split()))


def begins_name(word: str) -> bool:
    """Return True for a word that may be the first of a name: it is capitalised, and no signal."""
    return word[0].isupper() and _SIGNAL.fullmatch(word) is None


def is_generic(name: str) -> bool:
    """Return True for a name that says the kind of a law and not whose it is: `Municipal Code`."""
    return all(word.strip(".") in _GENERIC or not word[0].isupper() for word in name.split())


def is_part_of_longer_name(source: SourceText, start: int, end: int) -> bool:
    """Return True where a known name is but a part of another law's: `Puerto Rico Internal Revenue Code`."""
    text = source.original
    if _LONGER_BEHIND.match(text, end) or _LONGER_BEFORE.search(text, max(0, start - _CITY_WINDOW), start):
        return True
    before = _WORD_BEFORE.search(text, max(0, start - _CITY_WINDOW), start)
    if before is None or _SIGNAL.fullmatch(before["word"]) or before["word"] in _OF_THE_SAME:
        return False
    if before["word"] in _OF_ANOTHER:
        return True
    return _SENTENCE_BEGINS.search(text, 0, before.start("word")) is None


def is_joined(source: SourceText, start: int) -> bool:
    """Return True where a name is the end of a compound, which says something else: `pre-AIA`."""
    return _JOINED_BEFORE.search(source.original, max(0, start - _LONGEST_JOINED), start) is not None


def is_named_longer(source: SourceText, start: int, end: int) -> bool:
    """Return True where any other name goes on beside a known one, at the beginning of a sentence too."""
    text = source.original
    before = _WORD_BEFORE.search(text, max(0, start - _CITY_WINDOW), start)
    if before is not None and not _SIGNAL.fullmatch(before["word"]) and before["word"] not in _OF_THE_SAME:
        return True
    return is_part_of_longer_name(source, start, end)


def _in_run(text: str, begin: int, stop: int) -> Iterator[LawName]:
    pieces = [piece.span() for piece in _PIECE.finditer(text, begin, stop)]
    words = [text[first:last] for first, last in pieces]
    first = 0
    for place, word in enumerate(words):
        following = words[place + 1 : place + 2]
        parted = _ENDS.fullmatch(word) is not None
        ended = _FULL_WORD.fullmatch(word) is not None and following != []
        if parted or ended or not following:
            name = _trimmed(text, pieces[first : place + (not parted)], words[first:])
            if name is not None:
                yield name
            first = place + 1


def _trimmed(text: str, pieces: list[tuple[int, int]], words: list[str]) -> LawName | None:
    """Return the name in some words, without signals before it; None where none of them is a kind of law."""
    first, last = 0, len(pieces)
    while first < last and (_SIGNAL.fullmatch(words[first]) or not words[first][0].isupper()):
        if words[first][0] == "(":
            break
        first += 1
    while last > first and not (words[last - 1][0].isupper() or words[last - 1][0] == "("):
        last -= 1
    kinds = [word for word in words[first:last] if _is_kind(word)]
    if not (kinds or words[last - 1 : last] == ["Law"]) or last - first < _FEWEST_WORDS:
        return None
    start, end = pieces[first][0], pieces[last - 1][1]
    if text[end - 1] == "." and _FULL_WORD.fullmatch(words[last - 1]):
        end -= 1
    city = _CITY_AND_STATE.search(text, max(0, start - _CITY_WINDOW), start)
    start = city.start() if city else start
    return LawName(start, end, " ".join(text[start:end].split()))


def _is_kind(word: str) -> bool:
    return _NOUN.fullmatch(word) is not None or _NOUN.fullmatch(word.removesuffix(".")) is not None
