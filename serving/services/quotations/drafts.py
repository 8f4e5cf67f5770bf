"""Verification of the quotations that stand beside the citations of a draft."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from serving.services.citations.drafts import DraftCheck
from serving.services.citations.resolution import Outcome, Resolution
from serving.services.quotations.ascriptions import Ascription, all_quotations_in, ascribe
from serving.services.quotations.blocks import markdown_blocks
from serving.services.quotations.verification import (
    QuotationOutcome,
    QuotationVerifier,
    Quote,
    VerifiedQuote,
)
from serving.services.quotations.word_classes import is_name, is_too_short
from serving.snapshot.store import Snapshot

MAX_QUOTATIONS = 100
"""Most quotations that one call verifies."""
_HOLD = (QuotationOutcome.EXACT, QuotationOutcome.NORMALISED)
_FEW_WORDS = 4
"""Quotations of fewer words are often terms and names: nobody is told that they do not stand there."""


class UnverifiedQuotation(NamedTuple):
    """A quotation of a draft, characters [start, end) of it, that was not verified.

    Attributes:
        citation: position, among all citations of the draft, of that which it stands beside or before.
    """

    start: int
    end: int
    citation: int


@dataclass(frozen=True, slots=True)
class CheckedQuotation:
    """A quotation of a draft, characters [start, end) of it without its marks, as it was verified.

    Attributes:
        citation: position, among the checked citations, of the one that it was verified against.
    """

    start: int
    end: int
    citation: int
    verified: VerifiedQuote


def check_quotations(snapshot: Snapshot, text: str, check: DraftCheck) -> tuple[CheckedQuotation, ...]:
    """Verify the quotations of a draft that stand beside its checked citations.

    Where a quotation may be from one of several, it is from the one that holds it. One that merely shares a
    sentence with a citation is told only if it stands there.

    Args:
        snapshot: the law.
        text: the draft.
        check: its citations.
    """
    verifier = QuotationVerifier(snapshot)
    if not check.checked:
        return ()
    first = check.spans.index((check.checked[0].start, check.checked[0].end))
    resolutions = [one.resolution for one in check.checked]
    found: list[CheckedQuotation] = []
    for ascription in ascribe(text, check.spans, range(first, first + len(resolutions))):
        checked = _check(verifier, text, ascription, resolutions, first)
        if checked is not None:
            found.append(checked)
            if len(found) == MAX_QUOTATIONS:
                break
    return tuple(found)


def unverified_quotations(
    text: str, check: DraftCheck, checked: Sequence[CheckedQuotation]
) -> tuple[UnverifiedQuotation, ...]:
    """Return the quotations of a draft that were not verified, in its order; terms and names are none.

    They stand beside no citation, or only perhaps belong to one near them and do not stand there.

    Args:
        text: the draft.
        check: its citations, as far as they were checked.
        checked: the quotations that were verified with them.
    """
    verified = {(one.start, one.end) for one in checked}
    ascribed = {(one.start, one.end): one.citations[0] for one in ascribe(text, check.spans)}
    ends = [end for _, end in check.spans]
    last = max(len(ends) - 1, 0)
    return tuple(
        UnverifiedQuotation(start, end, ascribed.get((start, end), min(bisect_right(ends, start), last)))
        for start, end in _quotations(text, check.spans)
        if (start, end) not in verified and _is_sentence(text[start:end])
    )


def _quotations(text: str, cited: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the quotations of a draft, and the other blocks without marks, in their order."""
    quoted = all_quotations_in(text, cited)
    starts = [start for start, _ in quoted]
    blocks = markdown_blocks(text)
    before = [bisect_right(starts, end) for _, end in blocks]
    alone = [
        block
        for block, count in zip(blocks, before, strict=True)
        if not count or quoted[count - 1][1] <= block[0]
    ]
    yield from sorted([*quoted, *alone])


def _check(
    verifier: QuotationVerifier, text: str, one: Ascription, resolutions: Sequence[Resolution], first: int
) -> CheckedQuotation | None:
    quote = text[one.start : one.end]
    told: CheckedQuotation | None = None
    for index in (index - first for index in one.citations):
        if index >= len(resolutions) or resolutions[index].outcome is Outcome.UNPARSED:
            continue
        resolution = resolutions[index]
        verified = verifier.verify_resolved(Quote(quote, resolution.citation), resolution)
        if verified.outcome in _HOLD:
            return CheckedQuotation(one.start, one.end, index, verified)
        if told is None and _is_told(verified, quote, certain=one.certain):
            told = CheckedQuotation(one.start, one.end, index, verified)
    return told


def _is_told(verified: VerifiedQuote, quote: str, *, certain: bool) -> bool:
    """Return True where it is told that a quotation does not hold: not of a guess, a term or a name."""
    if verified.outcome is QuotationOutcome.ALTERED:
        return certain or not is_too_short(quote)
    return certain and _is_sentence(quote)


def _is_sentence(quote: str) -> bool:
    """Return True for more than a term or a name."""
    return len(quote.split()) >= _FEW_WORDS and not is_name(quote)
