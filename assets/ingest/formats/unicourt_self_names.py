"""Parts of a UniCourt provision whose own words name them otherwise than its lists do.

`this subsection (1)(b.5)` within the part `(1)(c)` says that the lists miscount: from that part on, no
sibling is what its label says.
"""

import re
from collections.abc import Iterator, Sequence

from serving.contract.records import Outline

_LABEL = re.compile(r"\( ?([^() ]+) ?\)")
_NAMES_ITSELF = re.compile(
    r"\bthis (?:subsection|subdivision|paragraph|(?:sub-)?subparagraph)"
    r"(?P<labels>(?: ?\( ?\w{1,5}(?:\.\d{1,2})? ?\))+)(?!,? (?:and|or|to|through) \(| ?[-–—])",
    re.IGNORECASE,
)
"""With the labels that a part gives itself; a range or list of them names others, too."""


def named_otherwise(text: str, parts: Sequence[Outline]) -> set[int]:
    """Return the starts of parts that words in them name otherwise, of later siblings, and within these.

    Where other words confirm a part, the one within it that holds the words is meant.

    Args:
        text: of the provision.
        parts: in order of their start, parents before children.
    """
    said = list(_names(text, parts))
    confirmed = {
        holding[at].start
        for holding, labels in said
        for first in range(len(holding) - len(labels) + 1)
        if [_own(part) for part in holding[first : first + len(labels)]] == labels
        for at in range(first, first + len(labels))
    }
    found: set[int] = set()
    for holding, labels in said:
        wrong = _first_that_differs([_own(part) for part in holding], labels)
        for depth in range(len(holding) if wrong is None else wrong, len(holding)):
            if holding[depth].start not in confirmed:
                end = holding[depth - 1].end if depth else len(text)
                found |= {part.start for part in parts if holding[depth].start <= part.start < end}
                break
    return found


def _names(text: str, parts: Sequence[Outline]) -> Iterator[tuple[list[Outline], list[str]]]:
    """Yield the parts that hold such words, the outermost first, with the labels in the words."""
    for match in _NAMES_ITSELF.finditer(text):
        holding = [part for part in parts if part.start <= match.start() < part.end]
        if holding:
            yield holding, _LABEL.findall(match["labels"])


def _first_that_differs(labels: Sequence[str], said: Sequence[str]) -> int | None:
    """Return the place of the first label that words contradict; None where they only go further in.

    They may leave out what is above: `this paragraph (a.5)` is of the level of letters.
    """
    if any(labels[at : at + len(said)] == said for at in range(len(labels))):
        return None
    if said[0] != labels[0]:
        return next((at for at, label in enumerate(labels) if _style(label) == _style(said[0])), None)
    return next((at for at, (own, other) in enumerate(zip(labels, said, strict=False)) if own != other), None)


def _own(part: Outline) -> str:
    return part.label[part.label.rindex("(") + 1 : -1]


def _style(label: str) -> str:
    return "1" if label[0].isdigit() else "a" if label[0].islower() else "A"
