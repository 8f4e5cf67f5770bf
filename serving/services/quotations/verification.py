"""Verify quotations: whether a provision says what is quoted from it, and if not, what it says there."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

from serving.services.citations.provisions import ProvisionFinder
from serving.services.citations.resolution import Outcome, Provision, Resolution
from serving.services.citations.resolve import resolve
from serving.services.nodes import find_node
from serving.services.quotations.folding import FoldedText
from serving.services.quotations.nearest import Nearest, find_nearest
from serving.services.quotations.occurrences import Found, find_quotation
from serving.snapshot.store import Snapshot

MAX_PROVISIONS = 10
"""Provisions that are read for one quotation, where its citation leads to several."""
_READS = 4
"""Folded texts that one call keeps: quotations of one provision mostly come together."""


class Verdict(StrEnum):
    """What becomes of one quotation."""

    EXACT = "exact"
    NORMALISED = "normalised"
    """It stands there but for differences of typing, each of which is named."""
    ABSENT = "absent"
    NOT_CHECKED = "not_checked"
    """The citation leads to no provision with a text."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A quotation to verify, of the provision that a citation leads to or that has an id; one of both."""

    quote: str
    citation: str | None = None
    node_id: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """What became of a quotation.

    Attributes:
        resolution: of the citation; None where an id was given.
        provision: it stands in, or comes nearest to, or that was meant; None where there is none.
        found: where it stands in the provision's text; None unless EXACT or NORMALISED.
        in_pin: whether it stands in the part that the citation pins; None where that pins none.
        nearest: what comes nearest to it in the provision's text, where it is ABSENT and something does.
        excerpts: the text of each of the spans, or of the nearest one.
    """

    quote: Quote
    verdict: Verdict
    resolution: Resolution | None = None
    provision: Provision | None = None
    found: Found | None = None
    in_pin: bool | None = None
    nearest: Nearest | None = None
    excerpts: tuple[str, ...] = field(default=())


def verify_quotes(snapshot: Snapshot, quotes: Sequence[Quote]) -> list[Verified]:
    """Return what becomes of each quotation, in their order.

    Raises:
        NotFoundError: an id is that of no node.
    """
    verifier = _Verifier(snapshot)
    return [verifier.verify(quote) for quote in quotes]


class _Verifier:
    """Verifies in one snapshot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._finder = ProvisionFinder(snapshot)
        self._texts: dict[int, FoldedText] = {}

    def verify(self, quote: Quote) -> Verified:
        resolution, provisions, pin = self._meant(quote)
        with_text = [one for one in provisions if len(self._text(one.row).source)]
        if not with_text:
            return Verified(
                quote=quote,
                verdict=Verdict.NOT_CHECKED,
                resolution=resolution,
                provision=provisions[0] if provisions else None,
            )
        for provision in with_text:
            text = self._text(provision.row)
            found = find_quotation(text, quote.quote, within=pin)
            if found is not None:
                return Verified(
                    quote=quote,
                    verdict=Verdict.NORMALISED if found.steps else Verdict.EXACT,
                    resolution=resolution,
                    provision=provision,
                    found=found,
                    in_pin=None if pin is None else _is_inside(found, pin),
                    excerpts=tuple(text.source[start:end] for start, end in found.spans),
                )
        return self._absent(quote, resolution, with_text)

    def _meant(self, quote: Quote) -> tuple[Resolution | None, list[Provision], tuple[int, int] | None]:
        """Return the provisions that a quotation may be of, and the part that its citation pins."""
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
    ) -> Verified:
        best, where = None, provisions[0]
        for provision in provisions:
            near = find_nearest(self._text(provision.row), quote.quote)
            if near is not None and (best is None or near.similarity > best.similarity):
                best, where = near, provision
        source = self._text(where.row).source
        return Verified(
            quote=quote,
            verdict=Verdict.ABSENT,
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


def _is_inside(found: Found, pin: tuple[int, int]) -> bool:
    return all(pin[0] <= start and end <= pin[1] for start, end in found.spans)
