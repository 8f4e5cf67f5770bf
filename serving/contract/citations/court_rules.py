"""Rules of courts that no data lists, known by how they are named: `Tenn. R. Civ. P. 12`."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from serving.contract.citations.source import SourceText

_STATES = (
    r"Ala(?:\.|bama)|Alaska|Ariz(?:\.|ona)|Ark(?:\.|ansas)|Cal(?:\.|if\.|ifornia)|Colo(?:\.|rado)"
    r"|Conn(?:\.|ecticut)|D\. ?C\.|Del(?:\.|aware)|Fla\.|Florida|Ga\.|Georgia|Haw(?:\.|ai[i‘’']{1,2})"
    r"|Idaho|Ill(?:\.|inois)|Ind(?:\.|iana)|Iowa|Kan(?:\.|sas)|Ky\.|Kentucky|La\.|Louisiana|Me\.|Maine"
    r"|Md\.|Maryland|Mass(?:\.|achusetts)|Mich(?:\.|igan)|Minn(?:\.|esota)|Miss(?:\.|issippi)|Mo\.|Missouri"
    r"|Mont(?:\.|ana)|Neb(?:\.|raska)|Nev(?:\.|ada)|N\. ?[CDHJMY]\.|New (?:Hampshire|Jersey|Mexico|York)"
    r"|(?:North|South) (?:Carolina|Dakota)|Ohio|Okla(?:\.|homa)|Or(?:\.|e\.|egon)|Pa\.|Pennsylvania"
    r"|P\. ?R\.|R\. ?I\.|Rhode Island|S\. ?[CD]\.|Tenn(?:\.|essee)|Tex(?:\.|as)|Utah|Vt\.|Vermont|V\. ?I\."
    r"|(?:W\. ?|West )?Va\.|(?:West )?Virginia|Wash(?:\.|ington)|Wis(?:\.|consin)|Wyo(?:\.|ming)"
)
_COURTS = (
    r"Ct\.|Court|(?:(?:\d{1,2}(?:st|nd|rd|d|th)|[A-Z][a-z]{2,6}(?:st|nd|rd|th)|Fed\.) )?Cir\."
    r"|Super\.|Bankr\.|Bankruptcy|Civ\.|Crim\.|Cr\.|App\.|Evid\.|Juv\.|Prob\.|Fam\.|Civil|Criminal|Appellate|Evidence"
    r"|Trial|Local|Juvenile|Probate|Family|Chancery|Ch\."
)
_SUBJECT = (
    r"(?:(?:Civ|Crim|Cr|App|Bankr|Juv|Prob|Fam|Gen\. Prac)\.?(?: ?P(?:roc)?\.?)?(?: ?[-–—] ?(?:Civ|Crim)\.)?"
    r"|[CA]\.? ?P\.?|Evid\.?|Ev\.|Prof(?:['’]l|\.|essional) Cond(?:uct|\.))"
)
_NUMBER = (
    r"(?:\d{1,4}(?:[A-Z]{1,2}|[a-z])?(?:[.:-]\d{1,4}[A-Za-z]{0,2}){0,3}|[IVX]{1,5})"
    r"(?: ?\([A-Za-z0-9.]{1,5}\)){0,8}(?![\w%]|[.:]\d)"
)
_RULE = re.compile(rf"R(?:ules? {{1,2}}|\.? ?(?P<subject>{_SUBJECT})? {{0,2}})(?:§ ?)?(?P<number>{_NUMBER})")
"""A rule from the `R` on; each begins with that letter, which the `re` module finds quickly."""
_STATE_BEFORE = re.compile(rf"(?<![\w.])(?:{_STATES}) {{0,2}}\Z")
_COURT_BEFORE = re.compile(rf"(?<![\w’'])(?:{_COURTS}) {{0,2}}\Z")
_ANOTHER_BEFORE = re.compile(
    rf"(?<![\w.])(?:{_STATES}|Local|Loc\.|L\.|Interim|Uniform|Unif\.|Model|State|Tribal|Cir\.|Ct\.|Court"
    r"|(?!U\. ?S\.)(?:[A-Z]\. ?){2,4}) {0,2}\Z"
)
"""A State, court or district before the name of rules that the United States have too."""
_INITIALS_BEFORE = re.compile(r"(?<![\w.’'])(?:[A-Z][a-z]{0,4}\. ?|[A-Z]){1,4}\Z")
_PREFIX = re.compile(
    rf"(?<![\w.])(?:(?:{_STATES}) {{0,2}})?"
    rf"(?:(?:{_COURTS}|Sup\.|Supreme|S\.|Unif\.|Fed\.|Federal|L\.) {{0,2}}){{0,5}}\Z"
)
_OF_SET = re.compile(
    rf",? {{1,2}}(?:of )?(?:the )?(?P<name>(?:(?:{_STATES}) )?(?:(?:Superior|District|Circuit)? ?Court )?"
    rf"(?:R\. ?{_SUBJECT}|Rules of (?:(?:Civil|Criminal|Appellate|Juvenile|Probate) Procedure|Evidence"
    r"|Professional Conduct|the (?:[A-Z]\w+ ){1,3}of [A-Z]\w+(?: [A-Z]\w+)?))"
    r"|[A-Z]{1,3}R(?:Cr|App|[CA])P(?!\w)|[A-Z]{2}RA(?!\w))"
)
"""The set of rules behind a number: `Rule 12(b)(6), SCRCP`, `Rule 12 of the Ohio Rules of Evidence`."""
_BY_LETTER = re.compile(r"[CA][. P]")
"""A subject of one letter, which means nothing without the initials before it: `C.R.C.P.`"""
_WINDOW = 48


class CourtRule(NamedTuple):
    """A rule over [start, end) of a text: the name of its set, and its number with its parts."""

    start: int
    end: int
    name: str
    number: str


def court_rules(source: SourceText) -> Iterator[CourtRule]:
    """Yield what is cited as a rule of a court, in the order of the text.

    What is called a rule alone (`Rule 4 of this game`, `R. 12`) is none: the name of a state, of a court
    or of a subject says whose rule it is.
    """
    text = source.original
    floor = 0
    for match in _RULE.finditer(text):
        if match.start() < floor:
            continue
        start, end, number = _start(text, match, floor), match.end(), " ".join(match["number"].split())
        if start is not None:
            name = text[start : match.start("number")]
        elif text.startswith("Rule", match.start()) and (named := _OF_SET.match(text, end)):
            start, end, name = match.start(), named.end(), named["name"]
        else:
            continue
        floor = end
        yield CourtRule(start, end, " ".join(name.split()), number)


def is_of_another_court(source: SourceText, start: int) -> bool:
    """Return True where another maker of rules is named right before: `Va. Sup. Ct. R. 1:5`, `Local`."""
    return _ANOTHER_BEFORE.search(source.original, max(0, start - _WINDOW), start) is not None


def _start(text: str, match: re.Match[str], floor: int) -> int | None:
    """Return where the name of a set of rules begins; None where what was found is no rule of a court."""
    begin = max(floor, match.start() - _WINDOW)
    subject = match["subject"]
    glued = text[match.start() - 1 : match.start()] if match.start() > begin else ""
    needs_initials = subject is not None and _BY_LETTER.match(subject) is not None
    if subject and (glued.isupper() or glued == "." or needs_initials):
        initials = _INITIALS_BEFORE.search(text, begin, match.start())
        if initials is not None:
            return initials.start()
    if glued.isalnum() or needs_initials:
        return None
    before = _PREFIX.search(text, begin, match.start())
    prefix = before.start() if before else match.start()
    if subject:
        return prefix
    named = _COURT_BEFORE.search(text, begin, match.start()) or (
        text.startswith("Rule", match.start()) and _STATE_BEFORE.search(text, begin, match.start())
    )
    return prefix if named else None
