"""Verified quotations as they are answered."""

from dataclasses import dataclass

from serving.services.quotations.drafts import CheckedQuotation
from serving.services.quotations.folding import Normalisation
from serving.services.quotations.nearest import Difference, NearestPassage
from serving.services.quotations.passed_over import PassedOver
from serving.services.quotations.verified_quotes import Context, QuotationOutcome, VerifiedQuote
from serving.services.quotations.warnings import QuotationWarning
from serving.services.requests import Span

_QUOTE = 80
"""Characters of a quotation that its answer repeats."""
_DIFFERENCE = 120
"""Characters of each side of a difference, and of the quoter's words in brackets."""
_IN_DRAFT = 160
"""Characters of the law that are shown beside a quotation of a draft."""
_OMISSIONS = 12
"""Most omissions of one quotation that are told."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Characters [start, end) of the provision's text; `cut`: only the beginning is given."""

    start: int
    end: int
    text: str
    cut: bool = False


@dataclass(frozen=True, slots=True)
class NearestText:
    """The passage of the provision that is most like the quotation. `similarity`: 1 for the same words."""

    excerpt: Excerpt
    similarity: float
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class Omission:
    """Words of the law that dots or brackets stand for; `put`: those of the quotation in their place."""

    text: str
    put: str = ""


@dataclass(frozen=True, slots=True)
class StandsIn:
    """A provision of the same code that holds the quoted words, or the part of the cited one that does."""

    citation: str
    node_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteAnswer:
    """The result for one quotation.

    Attributes:
        warnings: what a reader of the quoted words alone would miss.
        passed_over: words of the law that it leaves out or replaces.
        steps: differences of typing that were passed over.
        found: the text of each span of the occurrence.
        in_heading: True where it stands in the heading, whose characters these are.
        in_note: heading of the note, where notes are cited, whose characters these and `nearest` are.
        context: 80 characters of the law on either side.
        in_pinned_part: True where it stands in the part that the citation pins, or that its own end cites.
        stands_in: provisions that hold the words, or the part, where what is cited does not.
        status: of the provision.
    """

    verdict: QuotationOutcome
    quote: str
    citation: str | None = None
    node_id: str | None = None
    warnings: tuple[QuotationWarning, ...] = ()
    passed_over: tuple[Omission, ...] = ()
    steps: tuple[Normalisation, ...] = ()
    found: tuple[Excerpt, ...] = ()
    in_heading: bool = False
    in_note: str | None = None
    context: Context | None = None
    occurrences: int | None = None
    in_pinned_part: bool | None = None
    nearest: NearestText | None = None
    stands_in: tuple[StandsIn, ...] = ()
    status: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftQuotation:
    """A quotation beside a citation of a draft.

    Attributes:
        place: characters [start, end) of the draft.
        citation: that it was verified against.
        steps: differences of typing that were passed over.
        in_pinned_part: False where it stands in another part than its citation pins, which is wrong.
        nearest: what the law says instead.
        stands_in: provisions that hold the words, or the part, where what is cited does not.
    """

    place: Span
    citation: str | None
    verdict: QuotationOutcome
    warnings: tuple[QuotationWarning, ...] = ()
    passed_over: tuple[Omission, ...] = ()
    steps: tuple[Normalisation, ...] = ()
    in_pinned_part: bool | None = None
    nearest: str | None = None
    stands_in: tuple[str, ...] = ()


def quote_answer(one: VerifiedQuote, *, most: int) -> QuoteAnswer:
    """Return a verified quotation as it is answered.

    Args:
        one: the quotation.
        most: characters of its excerpts, in all.
    """
    found, near, provision = one.found, one.nearest, one.provision
    spans = found.spans if found else [(near.start, near.end)] if near else []
    excerpts = tuple(
        _excerpt(start, end, text, most // max(1, len(spans)))
        for (start, end), text in zip(spans, one.excerpts, strict=True)
    )
    quote = one.quote.quote
    return QuoteAnswer(
        verdict=one.outcome,
        quote=quote if len(quote) <= _QUOTE else quote[: _QUOTE - 1] + "…",
        citation=provision.citation if provision else None,
        node_id=provision.node_id if provision else None,
        warnings=one.warnings,
        passed_over=omissions(one, most=most),
        steps=found.steps if found else (),
        found=excerpts if found else (),
        in_heading=one.in_heading,
        in_note=one.in_note,
        context=one.context,
        occurrences=found.places if found else None,
        in_pinned_part=one.in_pin,
        nearest=_nearest(near, excerpts[0]) if near else None,
        stands_in=tuple(StandsIn(there.citation, there.provision.node_id) for there in one.elsewhere),
        status=provision.status if provision else None,
    )


def omissions(one: VerifiedQuote, *, most: int) -> tuple[Omission, ...]:
    """Return what a quotation passes over, each at most some characters long."""
    return tuple(_omission(words, most) for words in one.passed_over[:_OMISSIONS])


def _omission(words: PassedOver, most: int) -> Omission:
    text = words.text if len(words.text) <= most else words.text[:most] + "…"
    return Omission(text, words.put[:_DIFFERENCE])


def draft_quotation(one: CheckedQuotation) -> DraftQuotation:
    """Return a quotation of a draft as it is answered."""
    verified = one.verified
    return DraftQuotation(
        place=Span(one.start, one.end),
        citation=verified.quote.citation,
        verdict=verified.outcome,
        warnings=verified.warnings,
        passed_over=omissions(verified, most=_IN_DRAFT),
        steps=verified.found.steps if verified.found else (),
        in_pinned_part=verified.in_pin,
        nearest=verified.excerpts[0][:_IN_DRAFT] if verified.nearest else None,
        stands_in=tuple(there.citation for there in verified.elsewhere),
    )


def _nearest(near: NearestPassage, excerpt: Excerpt) -> NearestText:
    return NearestText(excerpt, near.similarity, tuple(map(_cut, near.differences)))


def _excerpt(start: int, end: int, text: str, most: int) -> Excerpt:
    return Excerpt(start, end, text[:most], cut=len(text) > most)


def _cut(difference: Difference) -> Difference:
    return Difference(difference.quote[:_DIFFERENCE], difference.text[:_DIFFERENCE])
