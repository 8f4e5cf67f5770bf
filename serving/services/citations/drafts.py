"""Check a draft: every citation in it with what it leads to, and the section signs that name no code."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from serving.contract.citations import Citation, parse
from serving.services.citations.resolution import Outcome, Resolution
from serving.services.citations.resolve import joined, resolve_read
from serving.snapshot.law import Law

MAX_LENGTH = 200_000
"""Characters of a draft."""
MAX_CHECKED = 100
"""Citations that one call checks; the next goes on behind them."""
_SECTION = re.compile(r"§{1,2} ?\d[\w.:\-–]*\w?(?:\(\w{1,5}\))*")


@dataclass(frozen=True, slots=True)
class Checked:
    """One citation of a draft: characters [start, end) of it."""

    start: int
    end: int
    resolution: Resolution


@dataclass(frozen=True, slots=True)
class DraftCheck:
    """What was found in a draft.

    Attributes:
        checked: in the order of the draft.
        total: citations in all of it, unread section signs included.
    """

    checked: tuple[Checked, ...]
    total: int


def check_draft(law: Law, text: str, *, first: int = 0, limit: int = MAX_CHECKED) -> DraftCheck:
    """Return what the citations of a draft lead to.

    A section sign with a number that no code is named with (`§ 107(2)`, later in a draft) is `unparsed`:
    which code it is of is not guessed.

    Args:
        law: of a snapshot.
        text: the draft.
        first: citations to pass over, those of earlier calls.
        limit: citations to check.
    """
    cited = joined(law, text, parse(text, law.grammar))
    unread = _unread(text, cited)
    places: list[tuple[int, int, Citation | None]] = sorted(
        [*((one.start, one.end, one) for one in cited), *((start, end, None) for start, end in unread)],
        key=lambda place: place[:2],
    )
    chosen = places[first : first + limit]
    led = iter(resolve_read(law, text, [citation for _, _, citation in chosen if citation is not None]))
    return DraftCheck(
        tuple(
            Checked(start, end, next(led) if citation is not None else _bare(text[start:end]))
            for start, end, citation in chosen
        ),
        len(places),
    )


def _unread(text: str, cited: Sequence[Citation]) -> Iterator[tuple[int, int]]:
    """Yield the section signs with a number outside of all citations."""
    starts = [one.start for one in cited]
    for match in _SECTION.finditer(text):
        before = bisect_right(starts, match.start()) - 1
        inside = before >= 0 and cited[before].end > match.start()
        if not inside and not (before + 1 < len(cited) and starts[before + 1] < match.end()):
            yield match.span()


def _bare(text: str) -> Resolution:
    return Resolution(
        input=text,
        outcome=Outcome.UNPARSED,
        offset=len(text),
        expected="the code that it belongs to",
    )
