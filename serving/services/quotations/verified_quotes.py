"""Verified quotations, and what is said of them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

from serving.services.citations.resolution import Provision, Resolution
from serving.services.quotations.elsewhere import Elsewhere
from serving.services.quotations.nearest import NearestPassage
from serving.services.quotations.occurrences import Occurrence
from serving.services.quotations.passed_over import PassedOver
from serving.services.quotations.warnings import QuotationWarning

CONTEXT = 80
"""Characters of the source that are given on either side."""


class QuotationOutcome(StrEnum):
    """Outcome of verifying one quotation."""

    EXACT = "exact"
    NORMALISED = "normalised"
    """The text has the same words but for differences of typing and marked omissions, which are named."""
    ALTERED = "altered"
    """Brackets or dots of the quotation change, add or leave out words so that it may say something else."""
    ABSENT = "absent"
    """The provision or notes that are cited do not hold the words, or have no such part as is pinned."""
    NOT_CHECKED = "not_checked"
    """The citation does not lead to a provision with a text, or to more than were read without finding it."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A quotation to verify, with either the citation or the id of its provision."""

    quote: str
    citation: str | None = None
    node_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Context:
    """Up to `CONTEXT` characters of the source on either side of a passage."""

    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedQuote:
    """A verified quotation.

    Attributes:
        resolution: resolution of the citation; None where an id was given.
        provision: that holds the quotation or the passage nearest to it, else the one cited, if any.
        found: occurrence in the provision's text or heading; None unless EXACT, NORMALISED or ALTERED.
        in_heading: True where it stands in the heading, whose characters the spans of `found` then are.
        in_note: heading of the note that is meant in the same way; None where no note is cited.
        in_pin: True where it stands in the part that the citation pins, and in that of a citation at the
            quotation's own end; None where neither pins a part.
        passed_over: what its dots and brackets leave out or replace, in the source's own words.
        warnings: what a reader of the quoted words alone would miss, in the order of `QuotationWarning`.
        nearest: passage of the provision's text most like it, where it is ABSENT; None where none is like it.
        elsewhere: provisions of the same code body that hold it, where what is cited does not: the cited one
            itself, where it has no such part as is pinned, and its part where it stands in another.
        excerpts: text of each span of `found`, or of `nearest`.
        context: what stands on either side of them; None where there is no excerpt.
    """

    quote: Quote
    outcome: QuotationOutcome
    resolution: Resolution | None = None
    provision: Provision | None = None
    found: Occurrence | None = None
    in_heading: bool = False
    in_note: str | None = None
    in_pin: bool | None = None
    passed_over: tuple[PassedOver, ...] = ()
    warnings: tuple[QuotationWarning, ...] = ()
    nearest: NearestPassage | None = None
    elsewhere: tuple[Elsewhere, ...] = ()
    excerpts: tuple[str, ...] = field(default=())
    context: Context | None = None


def found_quote(
    quote: Quote,
    resolution: Resolution | None,
    provision: Provision,
    text: str,
    found: Occurrence,
    passed: Sequence[PassedOver],
    warnings: Collection[QuotationWarning],
) -> VerifiedQuote:
    """Return a quotation that was found in a text of a provision.

    Args:
        quote: the quotation.
        resolution: of its citation.
        provision: the provision whose text, or note, it is.
        text: the text in which it was found.
        found: the occurrence there.
        passed: what it passes over.
        warnings: of it, in any order.
    """
    return VerifiedQuote(
        quote=quote,
        outcome=_outcome_of(found, passed),
        resolution=resolution,
        provision=provision,
        found=found,
        passed_over=tuple(passed),
        warnings=tuple(one for one in QuotationWarning if one in warnings),
        excerpts=tuple(text[start:end] for start, end in found.spans),
        context=context_around(text, found.spans[0][0], found.spans[-1][1]),
    )


def _outcome_of(found: Occurrence, passed: Sequence[PassedOver]) -> QuotationOutcome:
    """Return the outcome for a quotation that was found, by what it passes over."""
    if any(one.alters for one in passed):
        return QuotationOutcome.ALTERED
    return QuotationOutcome.NORMALISED if found.steps else QuotationOutcome.EXACT


def context_around(text: str, start: int, end: int) -> Context:
    """Return what stands on either side of a passage."""
    return Context(text[max(0, start - CONTEXT) : start], text[end : end + CONTEXT])
