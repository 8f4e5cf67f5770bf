"""Words of the law without what the publisher's program left in them, added to them or printed twice.

It takes designators out of the words and puts the words into lists. Where several designators stood
together, it missed some of them: `(a) (19.5) (a) Identification` is the item `(19.5)(a)`, and of
`(2)(a) Any college.` it may make `Any college.(2) (a) Any college.`.
"""

import re

_ONE = (
    r"(?:\((?:\d{1,3}[A-Za-z]{0,2}|[A-Za-z]{1,5}\d{0,2})(?:[.–-]\w{1,2})?\)"
    r"|(?:\d{1,3}|[A-Za-z]{1,5})\.(?![\w.]))"
)
_DESIGNATOR = re.compile(_ONE)
_DESIGNATORS = re.compile(rf"(?:{_ONE}\s*)+")
_PRINTED = re.compile(rf"{_ONE}(?:\s*{_ONE})+\s+(?=[“\"‘'A-Z])")
"""Designators that begin a sentence; those of `(a)(1) of this section applies` are a reference."""
_PROBE = 8
_BUTTON = re.compile(r"Click to view(?: (?:table|form|image|map|graphic))?\.?")


def is_button(words: str) -> bool:
    """Return whether a line only says where to click, in the place of a picture or a form."""
    return words.startswith("Click") and _BUTTON.fullmatch(words) is not None


def said_once(words: str) -> str:
    """Return words that stand twice, with designators between, once; others as they are."""
    at = words.find(words[:_PROBE], max(len(words) // 2, _PROBE))
    if at < 0:
        return words
    again = words[at:]
    between = words[len(again) : at].strip()
    is_twice = words.startswith(again) and _DESIGNATORS.fullmatch(between) is not None
    return again if is_twice else words


def unprinted(lead: str, words: str) -> str:
    """Return the designators of an item that its words do not begin with themselves.

    Args:
        lead: its designators as its markup gives them, those of the items whose first it is before its own.
        words: of the item.
    """
    printed = _PRINTED.match(words)
    if printed is None:
        return lead
    own = list(_DESIGNATOR.finditer(lead))
    for said in reversed(_DESIGNATOR.findall(printed.group())):
        if not own or own[-1].group().strip("().") != said.strip("()."):
            break
        lead = lead[: own.pop().start()].rstrip()
    return lead
