"""Asides: what stands in brackets behind a citation, such as an edition or an explanation."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from serving.contract.citations.citation import Citation

_ASIDE = re.compile(r"\((?P<round>(?:[^()]|\([^()]{0,40}\)){1,100})\)|\[(?P<square>[^\[\]]{1,100})\]")
_BETWEEN = re.compile(r",?\s{0,2}")
_MOST = 4
"""Most asides that follow one another: `(1988 & Supp. V 1993) (repealed 1993)` are two."""


Told = TypeVar("Told")
"""Type of the statements of a text beside its citations."""


class Aside(NamedTuple):
    """Characters [start, end) of a text with their brackets, and what stands between these."""

    start: int
    end: int
    inner: str


def aside_at(text: str, position: int) -> Aside | None:
    """Return the aside that begins at a position; None where none does."""
    match = _ASIDE.match(text, position)
    return Aside(match.start(), match.end(), match[match.lastgroup or 0].strip()) if match else None


def asides_behind(text: str, position: int) -> Iterator[Aside]:
    """Yield the asides that follow one another from a position on, at most a comma and two blanks apart."""
    for _ in range(_MOST):
        between = _BETWEEN.match(text, position)
        aside = aside_at(text, between.end() if between else position)
        if aside is None:
            return
        yield aside
        position = aside.end


def cited_together(read: Sequence[Citation]) -> Iterator[list[Citation]]:
    """Yield the citations of a text, the members of one list together: what is said behind it is of all."""
    together: list[Citation] = []
    for one in read:
        if together and not one.place:
            yield together
            together = []
        together.append(one)
    if together:
        yield together


def told_of_all(
    read: Sequence[Citation], told: Callable[[Sequence[Citation]], Told | None]
) -> Mapping[Citation, Told]:
    """Return what a text tells beside its citations, of those of which it tells something.

    What stands beside a list is of all its members, and of `id. § 108` behind them, unless that has its own.

    Args:
        read: the citations, in order.
        told: returns what stands beside the members of one list; None where nothing does.
    """
    known: dict[Citation, Told] = {}
    before: Citation | None = None
    for members in cited_together(read):
        said = told(members)
        if said is None and before is not None and _takes_its_law(members[0], before):
            said = known.get(before)
        if said is not None:
            known.update(dict.fromkeys(members, said))
        before = members[-1]
    return known


def _takes_its_law(citation: Citation, before: Citation) -> bool:
    return citation.inferred and (citation.code, citation.title) == (before.code, before.title)
