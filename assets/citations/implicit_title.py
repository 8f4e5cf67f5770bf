"""Judge citations that name no title: `section 106` in a title enacted as law means one of that title.

Unless the text goes on to say of what law (`sections 103 and 102, respectively, of title 41`): such an edge
would be wrong, so that whatever is in doubt is left out.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from serving.contract.citations import Citation

_REACH = 160
"""Characters within which a list of numbers is followed by the law that they are of."""
_BESIDE = 400
"""Characters within which citations of one sentence are likely of one law."""
_OF_ANOTHER = re.compile(
    r"(?:^|[\s,(])(?:of|to|under|in) (?:the |such |that |said |an |former )?"
    r"(?:title \d|(?:[\w.'’&-]+ ){0,8}?(?:Act|Code|Constitution|Statutes|Resolution|Convention|Law|Treaty"
    r"|Regulations?|Federal Regulations|Proclamation|Order|Plan|Rules)\b)"
    r"|\(\d{1,2} U\.S\.C"
)
_GOES_ON = re.compile(r"(?:-[A-Z]\b)?,? of (?:the )?[A-Z][a-z]")
"""`Title 11-C of the District of Columbia Municipal Regulations`: of a law that the grammar lacks."""
_OWN = ("this title", "this section", "this chapter")
_ENDS = re.compile(r"\n|; |(?<=[a-z0-9)”])[.:] +(?=[A-Z(“‘])|—")
_OTHER_PLACE = re.compile(r"\b(?:of|under|in) this (?:title|chapter|subchapter|part|section)\b")


class ReadCitation(NamedTuple):
    """A citation that was read in a text; `implicit`: it names no title, so that of the text is meant."""

    citation: Citation
    implicit: bool


def without_doubtful(
    text: str, read: Sequence[ReadCitation], exists: Callable[[Citation], bool]
) -> list[ReadCitation]:
    """Return the citations that surely mean what they seem to.

    Left out are those behind which the text names another law, and implicit ones in doubt: one whose clause
    goes on to name another law, one that leads to nothing, and those beside it in a sentence that most likely
    speaks of another law.

    Args:
        text: of the provision.
        read: in the order in which they stand.
        exists: tells whether a citation leads to a provision.
    """
    ends = [match.end() for match in _ENDS.finditer(text)] if any(entry.implicit for entry in read) else []
    astray = [
        entry.citation
        for entry in read
        if entry.implicit and not entry.citation.through and not exists(entry.citation)
    ]
    return [
        entry
        for entry in read
        if not _goes_on(text, entry.citation)
        and not (
            entry.implicit
            and (_is_beside(astray, entry.citation, ends) or _names_another(text, ends, entry.citation))
        )
    ]


def _goes_on(text: str, citation: Citation) -> bool:
    """Return True where the name of a law follows that the grammar lacks."""
    own = text.endswith(_OWN, citation.start, citation.end)
    return not own and _GOES_ON.match(text, citation.end) is not None


def _is_beside(astray: Sequence[Citation], citation: Citation, ends: Sequence[int]) -> bool:
    """Return True for one that leads to nothing, and for those near it in its sentence."""
    sentence = _sentence(ends, citation)
    return any(
        abs(other.start - citation.start) <= _BESIDE and _sentence(ends, other) == sentence
        for other in astray
    )


def _sentence(ends: Sequence[int], citation: Citation) -> int:
    """Return the number of the sentence that a citation begins in."""
    return bisect_right(ends, citation.start)


def _names_another(text: str, ends: Sequence[int], citation: Citation) -> bool:
    number = _sentence(ends, citation)
    stop = ends[number] if number < len(ends) else len(text)
    following = text[citation.end : min(stop, citation.end + _REACH)]
    other = _OF_ANOTHER.search(following)
    if other is None:
        return False
    own = _OTHER_PLACE.search(following)
    return own is None or own.start() > other.start()
