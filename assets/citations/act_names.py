"""Judge the names of acts in running text: whether a name is the act's, and whose act it is."""

import re

from serving.contract.citations import Citation
from serving.contract.citations.scheme import FEDERAL

_PART_OF_A_NAME = re.compile(
    r"(?:^|[\s(“‘])(?!(?:The|This|That|Under|See|And|Or|In|Of)\b)[A-Z][\w.’'-]*,?(?: (?:and|or|of|for))? $"
)
_OTHER_YEAR = re.compile(r",? (?:of )?(?:18|19|20)\d\d\b")
_YEAR = re.compile(r"(?:18|19|20)\d\d$")
_BEFORE = 40


def is_the_act(text: str, citation: Citation) -> bool:
    """Return whether the words are the whole name of an act, and not a part of a longer one.

    `Uniform Fees Act` and `Fees Act of 1937` are not the `Fees Act`, and what is called `Fees Act` may be an
    older one than the `Fees Act of 2010`.
    """
    year = _YEAR.search(citation.act or "")
    if year is not None and year.group() not in text[citation.start : citation.end]:
        return False
    before = text[max(0, citation.start - _BEFORE) : citation.start]
    after = text[citation.end : citation.end + _BEFORE]
    return _PART_OF_A_NAME.search(before) is None and _OTHER_YEAR.match(after) is None


def may_name(jurisdiction: str, of_text: str) -> bool:
    """Return whether a text may mean an act of a jurisdiction by its mere name: its own, or a federal one."""
    return jurisdiction in (of_text, FEDERAL)
