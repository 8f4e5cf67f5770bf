"""Check of the citations in a draft, including section signs without a code."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from serving.contract.citations import Citation, parse
from serving.services.citations.resolution import Outcome, Resolution
from serving.services.citations.resolve import join_lists, resolve_citations
from serving.snapshot.law import Law

MAX_LENGTH = 200_000
"""Characters of a draft."""
MAX_CHECKED = 100
"""Most citations that one call checks; the next call continues after them."""
_SECTION = re.compile(r"§{1,2} ?\d[\w.:\-–]*\w?(?:\(\w{1,5}\))*")


@dataclass(frozen=True, slots=True)
class CheckedCitation:
    """One citation of a draft, in characters [start, end) of it, resolved."""

    start: int
    end: int
    resolution: Resolution


@dataclass(frozen=True, slots=True)
class DraftCheck:
    """Citations of a draft.

    Attributes:
        checked: the citations that were asked for, in the order of the draft.
        total: citations in all of the draft, section signs without a code included.
        spans: characters [start, end) of all of them, in their order.
    """

    checked: tuple[CheckedCitation, ...]
    total: int
    spans: tuple[tuple[int, int], ...] = ()


def check_draft(law: Law, text: str, *, first: int = 0, limit: int = MAX_CHECKED) -> DraftCheck:
    """Resolve the citations of a draft.

    A section sign without a code (`§ 107(2)`, later in a draft) is `unparsed`: its code is not guessed.

    Args:
        law: law of a snapshot.
        text: the draft.
        first: citations to skip, those of earlier calls.
        limit: citations to check, at most.
    """
    cited = join_lists(law, text, parse(text, law.grammar))
    unread = _unread(text, cited)
    places: list[tuple[int, int, Citation | None]] = sorted(
        [*((one.start, one.end, one) for one in cited), *((start, end, None) for start, end in unread)],
        key=lambda place: place[:2],
    )
    chosen = places[first : first + limit]
    resolved = iter(
        resolve_citations(law, text, [citation for _, _, citation in chosen if citation is not None])
    )
    return DraftCheck(
        tuple(
            CheckedCitation(
                start, end, next(resolved) if citation is not None else _without_code(text[start:end])
            )
            for start, end, citation in chosen
        ),
        len(places),
        tuple((start, end) for start, end, _ in places),
    )


def _unread(text: str, cited: Sequence[Citation]) -> Iterator[tuple[int, int]]:
    """Yield the spans of section signs with a number that no citation covers."""
    starts = [one.start for one in cited]
    for match in _SECTION.finditer(text):
        before = bisect_right(starts, match.start()) - 1
        inside = before >= 0 and cited[before].end > match.start()
        if not inside and not (before + 1 < len(cited) and starts[before + 1] < match.end()):
            yield match.span()


def _without_code(text: str) -> Resolution:
    return Resolution(
        input=text,
        outcome=Outcome.UNPARSED,
        offset=len(text),
        expected="the code that it belongs to",
    )
