"""Verification of quotations against the provisions from which they are said to come."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

from serving.services.citations.provisions import ProvisionFinder
from serving.services.citations.resolution import Outcome, Provision, Resolution
from serving.services.citations.resolve import resolve
from serving.services.nodes import find_node
from serving.services.quotations.folding import FoldedText
from serving.services.quotations.nearest import NearestPassage, find_nearest
from serving.services.quotations.occurrences import Occurrence, find_quotation
from serving.snapshot.store import Snapshot

MAX_PROVISIONS = 10
"""Most provisions that are read for one quotation, if its citation may mean several."""
_READS = 4
"""Folded texts that one call keeps, because quotations of one provision often follow each other."""


class QuoteVerdict(StrEnum):
    """Result of verifying one quotation."""

    EXACT = "exact"
    NORMALISED = "normalised"
    """The text has the same words but for differences of typing, each of which is named."""
    ABSENT = "absent"
    NOT_CHECKED = "not_checked"
    """The citation does not lead to a provision with a text."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A quotation to verify, with either the citation or the id of its provision."""

    quote: str
    citation: str | None = None
    node_id: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedQuote:
    """A verified quotation.

    Attributes:
        resolution: resolution of the citation; None where an id was given.
        provision: that holds the quotation or the passage nearest to it, else the one cited, if any.
        found: occurrence in the provision's text; None unless EXACT or NORMALISED.
        in_pin: True where it stands in the part that the citation pins; None where no part is pinned.
        nearest: passage of the provision's text most like it, where it is ABSENT; None where none is like it.
        excerpts: text of each span of `found`, or of `nearest`.
    """

    quote: Quote
    verdict: QuoteVerdict
    resolution: Resolution | None = None
    provision: Provision | None = None
    found: Occurrence | None = None
    in_pin: bool | None = None
    nearest: NearestPassage | None = None
    excerpts: tuple[str, ...] = field(default=())


def verify_quotes(snapshot: Snapshot, quotes: Sequence[Quote]) -> list[VerifiedQuote]:
    """Verify quotations, in their order.

    Raises:
        NotFoundError: an id is that of no node.
    """
    verifier = _Verifier(snapshot)
    return [verifier.verify(quote) for quote in quotes]


class _Verifier:
    """Verifies quotations in one snapshot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._finder = ProvisionFinder(snapshot)
        self._texts: dict[int, FoldedText] = {}

    def verify(self, quote: Quote) -> VerifiedQuote:
        resolution, provisions, pin = self._quoted_provisions(quote)
        with_text = [one for one in provisions if len(self._text(one.row).source)]
        if not with_text:
            return VerifiedQuote(
                quote=quote,
                verdict=QuoteVerdict.NOT_CHECKED,
                resolution=resolution,
                provision=provisions[0] if provisions else None,
            )
        for provision in with_text:
            text = self._text(provision.row)
            found = find_quotation(text, quote.quote, within=pin)
            if found is not None:
                return VerifiedQuote(
                    quote=quote,
                    verdict=QuoteVerdict.NORMALISED if found.steps else QuoteVerdict.EXACT,
                    resolution=resolution,
                    provision=provision,
                    found=found,
                    in_pin=None if pin is None else _is_inside(found, pin),
                    excerpts=tuple(text.source[start:end] for start, end in found.spans),
                )
        return self._absent(quote, resolution, with_text)

    def _quoted_provisions(
        self, quote: Quote
    ) -> tuple[Resolution | None, list[Provision], tuple[int, int] | None]:
        """Return the resolved citation, the provisions it means, and the span of its pin cite."""
        if quote.node_id is not None:
            row = find_node(self._snapshot, quote.node_id)
            return None, [self._finder.of_row(row)], None
        resolution = resolve(self._snapshot, quote.citation or "")
        provisions = list(dict.fromkeys(_provisions(resolution)))[:MAX_PROVISIONS]
        pin = resolution.pin
        is_pinned = pin is not None and (pin.found or pin.nearest is not None)
        return resolution, provisions, (pin.start, pin.end) if pin is not None and is_pinned else None

    def _absent(
        self, quote: Quote, resolution: Resolution | None, provisions: Sequence[Provision]
    ) -> VerifiedQuote:
        best, where = None, provisions[0]
        for provision in provisions:
            near = find_nearest(self._text(provision.row), quote.quote)
            if near is not None and (best is None or near.similarity > best.similarity):
                best, where = near, provision
        source = self._text(where.row).source
        return VerifiedQuote(
            quote=quote,
            verdict=QuoteVerdict.ABSENT,
            resolution=resolution,
            provision=where,
            nearest=best,
            excerpts=() if best is None else (source[best.start : best.end],),
        )

    def _text(self, row: int) -> FoldedText:
        text = self._texts.pop(row, None)
        if text is None:
            text = FoldedText(self._snapshot.nodes.text(row))
        self._texts[row] = text
        while len(self._texts) > _READS:
            del self._texts[next(iter(self._texts))]
        return text


def _provisions(resolution: Resolution) -> Iterator[Provision]:
    if resolution.provision is not None:
        yield resolution.provision
    for candidate in resolution.candidates:
        if candidate.provision is not None and resolution.outcome is Outcome.AMBIGUOUS:
            yield candidate.provision
    for member in resolution.members:
        yield from _provisions(member)


def _is_inside(found: Occurrence, pin: tuple[int, int]) -> bool:
    return all(pin[0] <= start and end <= pin[1] for start, end in found.spans)
