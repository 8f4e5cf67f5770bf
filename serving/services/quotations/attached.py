"""Words right before a quotation that belong to its first: a modal its verb, a number what it counts."""

import re

from serving.services.quotations.word_classes import DESIGNATOR, MODALS, WordClass, classes_in

_LABELS = re.compile(rf"(?:[\s—–:-]|{DESIGNATOR})*+$")
"""The labels of a part, and the dash or colon behind which the parts of a sentence stand."""
_AUXILIARY = (
    r"(?:not|never|be|been|have|has|also|only|then|either|both|or may not"
    r"|(?!(?:apply|comply|imply|multiply|rely|reply|supply)\b)[a-z]+ly)"
)
_ADVERBIAL = (
    r"(?:after|as soon as|at|before|by|during|for|from|if|in|no later than|not later than|on|to the extent"
    r"|upon|when|where|within)"
)
_MODAL = re.compile(
    rf"\b(?:{MODALS})\b(?:\s+{_AUXILIARY})*(?:,[^,.;:]{{0,120}},?|\s+{_ADVERBIAL}\b[^,.;:]{{0,60}},?)?"
    rf"(?:\s+{_AUXILIARY})*\s*$",
    re.IGNORECASE,
)
_NUMBER = r"\$?[^\W_]*\d(?:[\w/]|[.,:-](?=\d))*%?"
_NAMED = re.compile(
    r"(?:\b(?:act|amendment|app(?:endix)?|art(?:icle)?|ch(?:apter)?|clause|code|division|form|item|law|line|lot|no"
    r"|number|numbered|order|par(?:agraph)?|part|route|rule|schedule|sec(?:tion)?|stat|subchapter|subclause"
    r"|subdivision|subparagraph|subpart|subsection|subtitle|table|title|c\.f\.r|u\.s\.c|calendar year"
    r"|fiscal year|january|february|march|april|may|june|july|august|september|october|november|december"
    rf")s?\.?|§)\s*(?:{_NUMBER}(?:\s*,?\s*(?:and|or|to|through|–|-)\s+|\s*,\s*))*{_NUMBER}\s*$"
    r"|\b(?:(?:act|code) of|in|since|during|before|after|until|through)\s+(?:1[6-9]|20)\d\d\s*$",
    re.IGNORECASE,
)
"""A number that names what it stands behind: a section, a day, a year."""
_SHARE = re.compile(
    r"(?P<counted>\S+)(?:\s+(?:percent|per centum|per cent))?\s+of(?:\s+(?:a|an|any|each|such|the))?\s*$"
)
_LAST_WORD = re.compile(r"[$\w.,/%½¼¾⅓⅔-]*[\w%½¼¾⅓⅔]\s*$")


def has_modal_before(before: str) -> bool:
    """Return True where a modal governs the next word, perhaps with a label or an adverbial between."""
    return _MODAL.search(_LABELS.sub("", before)) is not None


def has_number_before(before: str) -> bool:
    """Return True where a number counts what follows: `30` before `days`, `10 percent of the` before `tax`.

    A part's own label, and the number of a section or of a day, count nothing.
    """
    plain = re.sub(DESIGNATOR, "", before)
    share = _SHARE.search(plain)
    if share is not None:
        plain = plain[: share.end("counted")]
    last = _LAST_WORD.search(plain)
    return last is not None and WordClass.NUMBER in classes_in(last.group()) and not _NAMED.search(plain)
