"""Words for times that are over, as patterns of text as it is written: `pre-AIA`, `before its repeal`.

They tell former law, and are parts of longer patterns, mostly without regard to case: where capitals tell
names of acts, a part says so itself. None has groups.
"""

from serving.contract.citations.source import ANY_DASH

_MONTH_AND_DAY = r"(?:\d{1,2}\s)?(?:(?-i:[A-Z])[a-z]{2,8}\.?\s)?(?:\d{1,2},\s)?"
YEAR = r"(?:1[789]|20)\d\d(?![\d-])"
DATE = rf"(?:{_MONTH_AND_DAY}{YEAR}|\d{{1,2}}/\d{{1,2}}/(?:\d\d){{1,2}}(?!\d))"
_DATE_OVER = rf"{_MONTH_AND_DAY}(?:1[789]\d\d|20[01]\d|202[0-5])(?![\d-])"
"""Date that was over when this was written: what is in force until a later one may be in force now."""
_SPAN = (
    rf"(?:from\s)?(?:{DATE}|(?:1[789]|20)\d\d)\s?(?:to|through|until|{ANY_DASH})\s?"
    r"(?!(?:the\s)?(?:present|today|now)\b)"
)

_CHANGE = r"(?:amendment|repeal|revision|recodification|renumbering|redesignation|reenactment)s?\b"
_BEGINNING = r"(?:enactment|passage|adoption|effective\sdate)\b"
_WAS_CHANGED = r"(?:it|they)\s(?:was|were)\s(?:amended|repealed|revised|recodified|renumbered|redesignated)\b"

_NAMED_ACT = r"(?:(?-i:[A-Z])[\w'’-]{1,24}\s(?:(?:and|for|in|of|on|the|to)\s){0,2}){0,8}(?-i:Act\b)"
_NOUNS_IN_A = r"(?:area|data|media|plea|quota|schema|visa)\b"
_ACT_INITIALS = rf"(?-i:[A-Z]{{1,6}}A\b|(?!{_NOUNS_IN_A})[a-z]{{1,6}}a\b)"
"""Initials that end in that of `Act`: those of tribunals end otherwise (`before the PTAB`)."""

PERIOD = (
    rf"(?:(?i:pre)(?:{ANY_DASH}{{1,2}}\s?|\s{{1,2}})"
    rf"(?:{DATE}|[A-Z]{{2,6}}|{_ACT_INITIALS}|{_NAMED_ACT}|(?i:{_CHANGE}|{_BEGINNING}))|[Pp]re[A-Z]{{2,6}})"
    rf"(?:\s(?:Act|(?i:amendments?))\b)?(?:{ANY_DASH}era)?(?![\w-])"
)
"""Time before a date, an act or a change, such as `pre-AIA`; others say nothing of a provision: `pre-trial`.

With regard to case.
"""

_EARLIER = r"(?:immediately\s|just\s)?(?:before|prior\sto)\s"
_AGENCIES = (
    "BIA|BPA|CIA|DEA|DHA|DIA|EPA|ETA|FAA|FDA|FEMA|FHA|FHFA|FHWA|FINRA|FMCSA|FRA|FTA|GSA|MSHA|NASA|NCUA|NHTSA|NOAA"
    "|NSA|NTIA|OSHA|PHA|SBA|SSA|TSA|TVA|USDA|VA|VBA|VHA"
)
"""Initials of agencies, before which people stand: `applied under § 355 before the FDA`."""
_ACT_OR_CHANGE = (
    rf"(?:(?:the\s)?(?:{_NAMED_ACT}|(?-i:(?!(?:{_AGENCIES})\b)[A-Z]{{1,6}}A\b)|{YEAR}\s(?:(?-i:Act\b)|{_CHANGE}))"
    r"|Pub\.?\s?L\b|Public\sLaw\s\d)"
)
_IN_EFFECT = (
    r"(?:as\s)?(?:(?:it|they)\s(?:was|were)\s)?in\s(?:effect|force)\s"
    r"(?:(?:immediately\s|just\s)?(?:before|prior\sto|until|through|during|between|when)\b"
    r"|at\s(?:the|that|all)\s(?:relevant\s)?times?\b"
    rf"|(?:in|on|as\sof)\s(?:the\s(?:date|day|year)s?\b|{DATE})|{_SPAN})"
)
"""Times that are over: what is `in effect on and after` a day, or `since`, may be in effect now."""
THEN_IN_EFFECT = (
    rf"then(?:\s|{ANY_DASH})(?:in(?:\s|{ANY_DASH})(?:effect|force)"
    r"|(?:existing|effective|current|applicable|governing|controlling|operative)(?!,?\sin\b))\b"
)
AS_IT_WAS = (
    rf"{_IN_EFFECT}|(?:as\s)?{THEN_IN_EFFECT}"
    r"|as\s(?:it|they)\s(?:then\s)?(?:existed|stood|read|appeared|was\s(?:in|before)|were\s(?:in|before))\b"
    rf"|as\s(?:originally|first|initially)\senacted\b|{_EARLIER}(?:(?:its|their)\s(?:{YEAR}\s)?{_CHANGE}"
    rf"|the\s{YEAR}\s{_CHANGE}|{_CHANGE}\s(?:in|by|of|effective)\s(?:the\s)?(?:{DATE}|Pub|Act)|{_WAS_CHANGED})"
)
"""Words by which a provision is meant as it stood at another time, wherever they are."""

END = r"(?=\s?(?:[,;]|\Z))"
"""End of an aside, or of what its first words say."""
AT_ANOTHER_TIME = (
    r"(?:(?:the\s)?(?:version|text|law|statute|provision|language)\s)?"
    rf"(?:{AS_IT_WAS}|(?:(?:as\s)?(?:effective|applicable|operative)\s|as\samended\s)?(?:{_EARLIER}{_ACT_OR_CHANGE}"
    rf"|{_EARLIER}(?:the\s)?(?:{_CHANGE}|{_BEGINNING}|{DATE}{END})|(?:until|through|up\sto)\s{_DATE_OVER}{END})"
    rf"|effective\s{_SPAN})"
)
"""The same in an aside, where a time is that of what it stands behind: `(until 2013)`."""
BEFORE_ACT = rf"{_EARLIER}{_ACT_OR_CHANGE}(?=[,.;:)\]]|\Z)"
"""Time before an act, which nothing goes on from: `§ 102, before the AIA, barred it`."""
BEGINNING_OF_SENTENCE = r"(?:\A|[.;:]['\"’”)]?\s{1,3}|\n\s{0,9})"
IN_FORMER_TIMES = (
    rf"(?:(?:before|prior\sto)\s(?:{_ACT_OR_CHANGE}|(?:its|their)\s{_CHANGE}|{DATE})|until\s{_DATE_OVER}),\s"
)
"""Time that a sentence on a provision begins with: `Before the AIA, § 102 barred it`."""
