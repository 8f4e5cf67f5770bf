"""Verified quotations as they are answered."""

from dataclasses import dataclass

from serving.services.quotations.folding import Normalisation
from serving.services.quotations.nearest import Difference, NearestPassage
from serving.services.quotations.verification import QuoteVerdict, VerifiedQuote

_QUOTE = 80
"""Characters of a quotation that its answer repeats."""
_DIFFERENCE = 120
"""Characters of each side of a difference."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteAnswer:
    """The result for one quotation.

    Attributes:
        steps: differences of typing that were passed over.
        found: the text of each span of the occurrence.
        in_pinned_part: True where it stands in the part that the citation pins.
        status: of the provision.
    """

    verdict: QuoteVerdict
    quote: str
    citation: str | None = None
    node_id: str | None = None
    steps: tuple[Normalisation, ...] = ()
    found: tuple[Excerpt, ...] = ()
    occurrences: int | None = None
    in_pinned_part: bool | None = None
    nearest: NearestText | None = None
    status: str | None = None


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
        verdict=one.verdict,
        quote=quote if len(quote) <= _QUOTE else quote[: _QUOTE - 1] + "…",
        citation=provision.citation if provision else None,
        node_id=provision.node_id if provision else None,
        steps=found.steps if found else (),
        found=excerpts if found else (),
        occurrences=found.places if found else None,
        in_pinned_part=one.in_pin,
        nearest=_nearest(near, excerpts[0]) if near else None,
        status=provision.status if provision else None,
    )


def _nearest(near: NearestPassage, excerpt: Excerpt) -> NearestText:
    return NearestText(excerpt, near.similarity, tuple(map(_cut, near.differences)))


def _excerpt(start: int, end: int, text: str, most: int) -> Excerpt:
    return Excerpt(start, end, text[:most], cut=len(text) > most)


def _cut(difference: Difference) -> Difference:
    return Difference(difference.quote[:_DIFFERENCE], difference.text[:_DIFFERENCE])
