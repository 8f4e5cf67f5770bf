"""Lists of section numbers: what joins two, and what shows that a number is not of the list."""

import re

from serving.contract.citations.ranges import follows
from serving.contract.citations.source import SourceText

JOIN = re.compile(
    r" ?(?P<by>[,;] ?(?:(?:and/or|and|or|&) ?)?|(?<= )(?:and/or|and|or|&) )"
    r"(?P<mark>§ ?§?|(?:sections?|sect?s?\.) ?(?=\d))? ?"
)
"""What joins the numbers of a list; `mark` is set where the second has a mark of its own."""

_QUANTITY = re.compile(
    r" (?:percent|per centum|(?:calendar |business )?(?:days?|months?|years?|hours?)|times|members|persons)"
    r"(?![a-z])"
)
"""`section 1001 and 60 percent of` lists one section."""
_FUNCTION = (
    r"(?:the|an?|th(?:is|at|ese|ose|ey|ere|an|en)|such|its?|he|she|we|any|all|no|not|both|alone|only|also|each"
    r"|is|are|was|were|be|been|has|have|had|shall|may|must|can|could|will|would|should|do|does|did"
    r"|and|or|but|nor|for|in|on|by|under|with|without|to|as|at|from|into|because|when|where|while|if|unless"
    r"|which|who|whose|whether|before|after|since|until|through|against|pursuant|respectively|et|notes?"
    r"|appl(?:y|ies|ied)|provide[sd]?|require[sd]?|prohibit(?:s|ed)?|authorize[sd]?|permit(?:s|ted)?"
    r"|govern(?:s|ed)?|define[sd]?|state[sd]|create[sd]?)"
    r"(?![a-z])"
)
_NAMED = re.compile(r" {1,2}[A-Z]")
_LOWER_WORD = re.compile(r" [a-z]{2}")
_FUNCTION_WORD = re.compile(rf" {{1,2}}{_FUNCTION}")
"""A word before which a number is no quantity and of no name: `1332 the court`, not `14 Penn Plaza`."""
_PLAIN_END = re.compile(rf"\Z|[)\]\"”?!:]|[.,;-](?!\d)|'(?![a-z])| {{0,2}}(?:\(|\[|{_FUNCTION}|[&§])")
_OF_ANOTHER = re.compile(r" of (?:the |this |that |such |title )")
_OF_A_TITLE = re.compile(r" of (?:the )?title \d")
_YEAR = re.compile(r"(?:1[89]\d\d|20[0-4]\d)\Z", re.ASCII)
_FALLING_DIGITS = 3


def is_quantity(source: SourceText, end: int) -> bool:
    """Return True where what ends here counts something: `60 percent`."""
    return _QUANTITY.match(source.folded, end) is not None


def counts(source: SourceText, end: int) -> bool:
    """Return True where a word follows that is no function word: `12 debtors filed`."""
    return (
        _LOWER_WORD.match(source.folded, end) is not None and _FUNCTION_WORD.match(source.folded, end) is None
    )


def begins_a_name(source: SourceText, end: int) -> bool:
    """Return True where a capitalised word follows, as in `14 Penn Plaza` and `410 U.S. 113`."""
    return _NAMED.match(source.original, end) is not None and _FUNCTION_WORD.match(source.folded, end) is None


def is_year(number: str) -> bool:
    """Return True for a number that may be a year."""
    return _YEAR.match(number) is not None


def is_of_another(source: SourceText, end: int) -> bool:
    """Return True where it is said of what the number is: ` of the`, ` of title`."""
    return _OF_ANOTHER.match(source.folded, end) is not None


def is_of_a_title(source: SourceText, end: int) -> bool:
    """Return True where the title is named behind the number: ` of title 35`."""
    return _OF_A_TITLE.match(source.folded, end) is not None


def needs_proof(join: re.Match[str]) -> bool:
    """Return True unless the join itself makes the second number one of the list: `; § 1985`, `and § 1985`.

    After a comma alone the next § may be of another code, and a word may begin anything.
    """
    return not (join.group("mark") or "").startswith("§") or join.group("by").strip() == ","


def ends_plainly(source: SourceText, end: int) -> bool:
    """Return True where nothing follows that makes a number count or name something."""
    return _PLAIN_END.match(source.folded, end) is not None or source.original[end] == "\n"


def is_plain(source: SourceText, *, first: str, before: str, number: str, pinned: bool, end: int) -> bool:
    """Return True where a number that nothing announces plainly continues a list: `28 USC 1331, 1332(a)`.

    Years, pages, quantities and the beginnings of other citations look alike. So the sentence must end or go
    on with a word that follows no quantity; a bare number must rise, or be of one length with the one before
    it; and a year counts among years alone: `42 U.S.C. 1981, 1983`.

    Args:
        source: the text.
        first: number of the list.
        before: number before it.
        number: the number itself.
        pinned: it has a pin cite.
        end: where it ends.
    """
    if not ends_plainly(source, end):
        return False
    if pinned or not number.replace("-", "").isdigit():
        return True
    if is_year(number) and not is_year(first):
        return False
    return follows(before, number) or _FALLING_DIGITS <= len(before) == len(number)
