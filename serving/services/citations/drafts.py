"""Check of the citations in a draft, with short forms, cases, and section signs without a code."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from serving.contract.citations import Citation, parse
from serving.contract.citations.cases import CaseCitation, find_cases
from serving.contract.citations.short_forms import read_short_forms
from serving.services.citations.resolution import Outcome, Resolution
from serving.services.citations.resolve import join_lists, resolution_of_case, resolve_citations, standing
from serving.services.citations.shown_text import ShownText
from serving.services.citations.unread_mentions import unread_mentions
from serving.snapshot.law import Law

MAX_LENGTH = 200_000
"""Characters of a draft."""
MAX_CHECKED = 100
"""Most citations that one call checks; the next call continues after them."""


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

    `Id. § 3104`, or `§ 5` right after a citation, takes its law from what stands before it and is inferred;
    so does `§ 107(2)` a paragraph on, where the text cited § 107 in full in one law. Where that is not plain,
    a section sign without a code is `unparsed`: its code is not guessed; so is `section 4`, or `Rule 29`,
    behind a statute or rule that was cited. Decisions of courts are `unchecked`.

    Args:
        law: law of a snapshot.
        text: the draft.
        first: citations to skip, those of earlier calls.
        limit: citations to check, at most.
    """
    shown = ShownText.of(text)
    text = shown.text
    full = parse(text, law.grammar)
    cases = _outside(find_cases(text), full)
    short = read_short_forms(text, law.grammar, full, others=cases, stands=standing(law))
    cited = join_lists(law, text, sorted([*full, *short], key=lambda one: one.start))
    places: list[tuple[int, int, Citation | Outcome]] = sorted(
        [
            *((one.start, one.end, one) for one in cited),
            *((start, end, Outcome.UNCHECKED) for start, end in cases),
            *((start, end, Outcome.UNPARSED) for start, end in unread_mentions(text, cited)),
        ],
        key=lambda place: place[:2],
    )
    chosen = places[first : first + limit]
    asked = [one for _, _, one in chosen if isinstance(one, Citation)]
    resolved = iter(resolve_citations(law, text, cited, asked))
    return DraftCheck(
        tuple(
            _written(
                shown,
                CheckedCitation(
                    start,
                    end,
                    next(resolved) if isinstance(one, Citation) else _unread_as(one, text[start:end]),
                ),
            )
            for start, end, one in chosen
        ),
        len(places),
        tuple(shown.span(start, end) for start, end, _ in places),
    )


def _written(shown: ShownText, one: CheckedCitation) -> CheckedCitation:
    """Return a citation of what is shown as one of the draft as it is written."""
    if shown.text == shown.written:
        return one
    start, end = shown.span(one.start, one.end)
    offset = one.resolution.offset
    if offset:
        offset = shown.span(one.start, one.start + offset)[1] - start
    return CheckedCitation(start, end, replace(one.resolution, input=shown.written[start:end], offset=offset))


def _outside(cases: Sequence[CaseCitation], cited: Sequence[Citation]) -> list[tuple[int, int]]:
    """Return the spans of cases without those that are read as law."""
    starts = [one.start for one in cited]
    free = []
    for case in cases:
        before = bisect_right(starts, case.end - 1) - 1
        if before < 0 or cited[before].end <= case.start:
            free.append((case.start, case.end))
    return free


def _unread_as(outcome: Outcome, text: str) -> Resolution:
    if outcome is Outcome.UNCHECKED:
        return resolution_of_case(text)
    return Resolution(input=text, outcome=outcome, offset=len(text), expected="the code that it belongs to")
