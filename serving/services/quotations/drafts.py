"""Verification of the quotations that stand beside the citations of a draft."""

from bisect import bisect_right
from dataclasses import dataclass
from typing import NamedTuple

from serving.services.citations.drafts import DraftCheck
from serving.services.citations.resolution import Outcome
from serving.services.citations.shown_text import ShownText
from serving.services.quotations.ascriptions import Ascription, ascribe
from serving.services.quotations.verification import QuotationVerifier
from serving.services.quotations.verified_quotes import QuotationOutcome, Quote, VerifiedQuote
from serving.services.quotations.word_classes import is_name, is_too_short
from serving.snapshot.store import Snapshot

MAX_QUOTATIONS = 100
"""Most quotations that one call verifies."""
_FEW_WORDS = 4
"""Quotations of fewer words are often terms and names: it is told that they do not stand there only where
they have the parenthesis behind a citation for themselves."""


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
        beside: position of the one that it stands beside, to whose page it belongs.
    """

    start: int
    end: int
    citation: int
    beside: int
    verified: VerifiedQuote


class DraftQuotations(NamedTuple):
    """The quotations of a draft, in its order: those that were verified, and those that were not."""

    checked: tuple[CheckedQuotation, ...]
    unverified: tuple[UnverifiedQuotation, ...]


def check_quotations(snapshot: Snapshot, text: str, check: DraftCheck) -> DraftQuotations:
    """Verify the quotations of a draft that stand beside its checked citations.

    Where a quotation may be from one of several, it is from the one that holds it. Whether one is told does
    not hang on whether it holds: what stands beside a citation and is not verified is among the others, as
    are the quotations beside none but for terms and names.

    Args:
        snapshot: the law.
        text: the draft.
        check: its citations.
    """
    shown = ShownText.of(text)
    cited = [shown.shown_span(start, end) for start, end in check.spans]
    ascribed = ascribe(shown.text, cited)
    draft = _Draft(QuotationVerifier(snapshot), text, check)
    checked: list[CheckedQuotation] = []
    unverified: list[UnverifiedQuotation] = []
    for ascription in ascribed.ascriptions:
        span = shown.span(ascription.start, ascription.end)
        found = draft.check(span, ascription) if len(checked) < MAX_QUOTATIONS else None
        if found is not None:
            checked.append(found)
        else:
            unverified.append(UnverifiedQuotation(*span, ascription.citations[0]))
    ends = [end for _, end in cited]
    last = max(len(ends) - 1, 0)
    for start, end in ascribed.others:
        if _is_sentence(shown.text[start:end]):
            beside = min(bisect_right(ends, start), last)
            unverified.append(UnverifiedQuotation(*shown.span(start, end), beside))
    return DraftQuotations(tuple(checked), tuple(sorted(unverified)))


class _Draft:
    """A draft whose citations of one page are resolved."""

    def __init__(self, verifier: QuotationVerifier, text: str, check: DraftCheck) -> None:
        self._verifier = verifier
        self._text = text
        self._resolutions = [one.resolution for one in check.checked]
        self._first = (
            check.spans.index((check.checked[0].start, check.checked[0].end)) if check.checked else 0
        )

    def check(self, span: tuple[int, int], one: Ascription) -> CheckedQuotation | None:
        """Verify a quotation; None where its citation is of another page, or it is not told."""
        page = range(self._first, self._first + len(self._resolutions))
        if one.citations[0] not in page:
            return None
        quote = self._text[slice(*span)]
        kept: CheckedQuotation | None = None
        for index in (index - self._first for index in one.citations if index in page):
            resolution = self._resolutions[index]
            if resolution.outcome is Outcome.UNPARSED:
                continue
            verified = self._verifier.verify_resolved(Quote(quote, resolution.citation), resolution)
            found = CheckedQuotation(*span, index, one.citations[0] - self._first, verified)
            if _holds(found) and verified.in_pin is not False:
                return found
            is_better = kept is None or (_holds(found) and not _holds(kept))
            if is_better and (_holds(found) or _is_told(verified, quote, one)):
                kept = found
        # Another page has the other citations that it may be from.
        is_whole = all(index in page for index in one.citations)
        return kept if kept is None or is_whole or _holds(kept) else None


def _holds(one: CheckedQuotation) -> bool:
    return one.verified.outcome in (QuotationOutcome.EXACT, QuotationOutcome.NORMALISED)


def _is_told(verified: VerifiedQuote, quote: str, one: Ascription) -> bool:
    """Return True where it is told that a quotation does not hold: not of a guess, a term or a name."""
    if verified.outcome is QuotationOutcome.ALTERED:
        return one.certain or not is_too_short(quote)
    if one.alone and len(quote.split()) > 1 and not is_name(quote):
        return True
    return one.certain and _is_sentence(quote)


def _is_sentence(quote: str) -> bool:
    """Return True for more than a term or a name."""
    return len(quote.split()) >= _FEW_WORDS and not is_name(quote)
