"""Verification of quotations against the provisions from which they are said to come."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from serving.contract.citations.keys import citation_key, key_head
from serving.contract.records import IN_FORCE
from serving.services.citations.provisions import ProvisionFinder
from serving.services.citations.resolution import Outcome, PinCite, Provision, Reason, Resolution
from serving.services.citations.resolve import resolve
from serving.services.nodes import find_node
from serving.services.quotations.cited_runs import CitedRun, RunFinder
from serving.services.quotations.elsewhere import Elsewhere, ElsewhereFinder
from serving.services.quotations.headings import begun_with_heading, find_heading, text_behind
from serving.services.quotations.nearest import NearestPassage, find_nearest
from serving.services.quotations.notes import NoteFinder
from serving.services.quotations.occurrences import Occurrence, Span
from serving.services.quotations.passed_over import passed_over
from serving.services.quotations.pinned_part import is_in_part, part_around, spans_of
from serving.services.quotations.provision_text import ProvisionTexts
from serving.services.quotations.trailing_citations import AscribedOccurrence, find_ascribed
from serving.services.quotations.verified_quotes import (
    QuotationOutcome,
    Quote,
    VerifiedQuote,
    context_around,
    found_quote,
)
from serving.services.quotations.warnings import QuotationWarning, is_stub, warnings_of
from serving.services.quotations.word_classes import is_too_short
from serving.snapshot.store import Snapshot

MAX_PROVISIONS = 10
"""Most provisions that are read for one quotation, if its citation may mean several."""
_MAX_PROPOSED = 50
"""Most provisions that are taken for members of a run, of which `MAX_PROVISIONS` are read."""
_NOT_THERE = (QuotationOutcome.ABSENT, QuotationOutcome.ALTERED)
_MISSING = (None, Reason.CODE_INCOMPLETE)
"""Reasons for which a citation of a held code leads to no provision: its number is missing."""


def verify_quotes(snapshot: Snapshot, quotes: Sequence[Quote]) -> list[VerifiedQuote]:
    """Verify quotations, in their order.

    Raises:
        NotFoundError: an id is that of no node.
    """
    verifier = QuotationVerifier(snapshot)
    return [verifier.verify(quote) for quote in quotes]


class QuotationVerifier:
    """Verifies quotations in one snapshot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._finder = ProvisionFinder(snapshot)
        self._texts = ProvisionTexts(snapshot.nodes)
        self._notes = NoteFinder(self._texts)
        self._runs = RunFinder(snapshot, self._finder)
        self._elsewhere = ElsewhereFinder(snapshot, self._finder, self._texts, self._unaltered)

    def verify(self, quote: Quote) -> VerifiedQuote:
        """Verify one quotation."""
        if quote.node_id is not None:
            provision = self._finder.of_row(find_node(self._snapshot, quote.node_id))
            return self._verify(quote, None, [provision], None)
        resolution = resolve(self._snapshot, quote.citation or "")
        return self.verify_resolved(quote, resolution)

    def verify_resolved(self, quote: Quote, resolution: Resolution) -> VerifiedQuote:
        """Verify one quotation whose citation is resolved."""
        verified = self._verify_cited(quote, resolution)
        if verified.outcome not in _NOT_THERE or not _is_amended_since(resolution):
            return verified
        return replace(verified, warnings=(*verified.warnings, QuotationWarning.AMENDED_SINCE))

    def _verify_cited(self, quote: Quote, resolution: Resolution) -> VerifiedQuote:
        """Verify one quotation by its citation: one of a note against the notes, not the text."""
        provisions = list(dict.fromkeys(_provisions(resolution)))
        noted = list(dict.fromkeys(_noted(resolution)))
        in_notes = self._notes.verify(quote, resolution, noted) if noted else None
        if in_notes is not None and (in_notes.found is not None or not provisions):
            return in_notes
        run = self._runs.of(resolution, provisions, most=MAX_PROVISIONS)
        return self._verify(quote, resolution, provisions[:MAX_PROVISIONS], run)

    def _verify(
        self,
        quote: Quote,
        resolution: Resolution | None,
        provisions: Sequence[Provision],
        run: CitedRun | None,
    ) -> VerifiedQuote:
        pin = None if resolution is None else resolution.pin
        for provision in provisions:
            found = self._find(provision, quote.quote, spans_of(pin))
            if found is not None:
                verified = self._found(quote, resolution, provision, found)
                if run is None or verified.outcome is not QuotationOutcome.ALTERED:
                    return verified
                # Another section of the run may hold unaltered what the dots of a quotation alter here.
                in_run = self._in_run(quote, resolution, provisions, run)
                is_held = in_run is not None and in_run.outcome is not QuotationOutcome.ALTERED
                return in_run if in_run is not None and is_held else verified
        for provision in provisions:
            heading = self._texts.of(provision.row).heading
            titled = find_heading(heading, quote.quote, provision.citation)
            if titled is not None:
                return self._titled(quote, resolution, provision, titled)
        with_text = [one for one in provisions if self._texts.of(one.row).source]
        if run is not None:
            in_run = self._in_run(quote, resolution, provisions, run)
            if in_run is not None:
                return in_run
        elif with_text:
            return self._absent(quote, resolution, with_text)
        first = provisions[0] if provisions else None
        near = provisions or self._neighbours(resolution)
        return VerifiedQuote(
            quote=quote,
            outcome=QuotationOutcome.NOT_CHECKED,
            resolution=resolution,
            provision=first,
            elsewhere=self._elsewhere.find(quote.quote, near, searched=bool(provisions)),
            warnings=(QuotationWarning.NOT_IN_FORCE,) if first and first.status != IN_FORCE else (),
        )

    def _in_run(
        self, quote: Quote, resolution: Resolution | None, read: Sequence[Provision], run: CitedRun
    ) -> VerifiedQuote | None:
        """Verify a quotation against those sections of a run that may hold it; None where none does.

        The index proposes them: a run may be as long as a title. One without an alteration comes first.
        """
        if is_too_short(quote.quote):
            return None
        known = {one.row for one in read}
        proposed = self._elsewhere.proposed(quote.quote, read[0], most=_MAX_PROPOSED)
        rows = (row for row in proposed if row not in known and self._runs.holds(run, row))
        altered = None
        for row in islice(rows, MAX_PROVISIONS):
            provision = self._finder.of_row(row)
            found = self._find(provision, quote.quote, ())
            if found is None:
                continue
            verified = self._found(quote, resolution, provision, found)
            if verified.outcome is not QuotationOutcome.ALTERED:
                return verified
            altered = altered or verified
        return altered

    def _find(self, provision: Provision, quote: str, within: Sequence[Span]) -> AscribedOccurrence | None:
        """Find a quotation in the text of a provision, perhaps behind its heading."""
        text, grammar = self._texts.of(provision.row), self._snapshot.grammar
        found = find_ascribed(text, quote, provision, grammar, within=within)
        behind = None if found is not None else text_behind(text.heading, quote, provision.citation)
        if behind is None:
            return found
        there = find_ascribed(text, behind, provision, grammar, within=within)
        begun = None if there is None else begun_with_heading(text.source, there.occurrence)
        return None if there is None or begun is None else there._replace(occurrence=begun)

    def _unaltered(self, row: int, quote: str) -> Occurrence | None:
        """Find a quotation in the provision in a row, if it stands there without an alteration."""
        text = self._texts.of(row)
        there = self._find(self._finder.of_row(row), quote, ())
        if there is None:
            return None
        citation = self._finder.of_row(row).citation
        passed = passed_over(text.source, text.outline, there.occurrence, citation=citation)
        return None if any(one.alters for one in passed) else there.occurrence

    def _found(
        self, quote: Quote, resolution: Resolution | None, provision: Provision, there: AscribedOccurrence
    ) -> VerifiedQuote:
        found = there.occurrence
        text = self._texts.of(provision.row)
        passed = passed_over(text.source, text.outline, found, citation=provision.citation)
        pin = _pin_in(resolution, provision)
        pins = [one for one in (pin, there.ascribed) if one is not None]
        inside = [is_in_part(text.outline, found.spans, spans_of(one)) for one in pins]
        warnings = warnings_of(text.source, text.outline, found, passed)
        if provision.status != IN_FORCE:
            warnings.add(QuotationWarning.NOT_IN_FORCE)
        for one, is_inside in zip(pins, inside, strict=True):
            warnings |= _of_pin(one, text.source, is_inside=is_inside)
        if QuotationWarning.PIN_NOT_FOUND in warnings:
            return _of_no_part(quote, resolution, provision, text.source, found, warnings)
        verified = found_quote(quote, resolution, provision, text.source, found, passed, warnings)
        if not pins:
            return verified
        if all(inside):
            return replace(verified, in_pin=True)
        part = Elsewhere(provision, " … ".join(verified.excerpts), part_around(text.outline, found.spans))
        return replace(verified, in_pin=False, elsewhere=(part,))

    def _neighbours(self, resolution: Resolution | None) -> list[Provision]:
        """Return the provisions of the same title between which a missing number would stand."""
        if resolution is None or resolution.citation is None or resolution.members:
            return []
        if resolution.reason not in _MISSING:
            return []
        head = key_head(citation_key(resolution.citation))
        beside = self._finder.neighbours(resolution.citation)
        return [
            one
            for one in (beside.previous, beside.next)
            if one is not None and key_head(citation_key(one.citation)) == head
        ]

    def _titled(
        self, quote: Quote, resolution: Resolution | None, provision: Provision, found: Occurrence
    ) -> VerifiedQuote:
        heading = self._texts.of(provision.row).heading.source
        passed = passed_over(heading, (), found)
        warnings = set()
        if is_too_short(quote.quote):
            warnings.add(QuotationWarning.TOO_SHORT)
        if provision.status != IN_FORCE or is_stub(heading, 0):
            warnings.add(QuotationWarning.NOT_IN_FORCE)
        pin = None if resolution is None else resolution.pin
        warnings |= _of_pin(pin, "", is_inside=False)
        if QuotationWarning.PIN_NOT_FOUND in warnings:
            return _of_no_part(quote, resolution, provision, heading, found, warnings, in_heading=True)
        verified = found_quote(quote, resolution, provision, heading, found, passed, warnings)
        verified = replace(verified, in_heading=True)
        return (
            verified
            if pin is None
            else replace(verified, in_pin=False, elsewhere=(Elsewhere(provision, heading),))
        )

    def _absent(
        self, quote: Quote, resolution: Resolution | None, provisions: Sequence[Provision]
    ) -> VerifiedQuote:
        best, where = None, provisions[0]
        for provision in provisions:
            near = find_nearest(self._texts.of(provision.row).plain, quote.quote)
            if near is not None and (best is None or near.similarity > best.similarity):
                best, where = near, provision
        source = self._texts.of(where.row).source
        return VerifiedQuote(
            quote=quote,
            outcome=QuotationOutcome.ABSENT,
            resolution=resolution,
            provision=where,
            nearest=best,
            elsewhere=self._elsewhere.find(quote.quote, provisions),
            excerpts=() if best is None else (source[best.start : best.end],),
            context=None if best is None else context_around(source, best.start, best.end),
        )


def _noted(resolution: Resolution) -> Iterator[Provision]:
    """Yield the provisions whose notes are cited."""
    if resolution.reason is Reason.NOTE and resolution.provision is not None:
        yield resolution.provision
    for member in resolution.members:
        yield from _noted(member)


def _provisions(resolution: Resolution) -> Iterator[Provision]:
    """Yield the provisions whose own texts are cited."""
    if resolution.provision is not None and resolution.reason is not Reason.NOTE:
        yield resolution.provision
    for candidate in resolution.candidates:
        if candidate.provision is not None and resolution.outcome is Outcome.AMBIGUOUS:
            yield candidate.provision
    for member in resolution.members:
        yield from _provisions(member)


def _is_amended_since(resolution: Resolution) -> bool:
    """Return True where a cited provision was amended after the edition in which it is cited."""
    return resolution.amended_since is not None or any(map(_is_amended_since, resolution.members))


def _pin_in(resolution: Resolution | None, provision: Provision) -> PinCite | None:
    """Return the pin cite of a resolution, which is one in the cited provision and in no other of a run."""
    if resolution is None or resolution.provision not in (None, provision):
        return None
    return resolution.pin


def _of_no_part(
    quote: Quote,
    resolution: Resolution | None,
    provision: Provision,
    source: str,
    found: Occurrence,
    warnings: set[QuotationWarning],
    *,
    in_heading: bool = False,
) -> VerifiedQuote:
    """Return a quotation from a part that the provision does not have: its words stand elsewhere.

    They stand in `source`, the provision's text or its heading, of which no characters can be pointed at.
    """
    start, end = found.spans[0][0], found.spans[-1][1]
    excerpt = source[start:end]
    return VerifiedQuote(
        quote=quote,
        outcome=QuotationOutcome.ABSENT,
        resolution=resolution,
        provision=provision,
        in_pin=False,
        warnings=tuple(one for one in QuotationWarning if one in warnings),
        nearest=None if in_heading else NearestPassage(start, end, 1.0, ()),
        elsewhere=(Elsewhere(provision, excerpt),),
        excerpts=() if in_heading else (excerpt,),
        context=None if in_heading else context_around(source, start, end),
    )


def _of_pin(pin: PinCite | None, text: str, *, is_inside: bool) -> set[QuotationWarning]:
    """Return the warnings that a pin cite gives rise to."""
    if pin is None:
        return set()
    spans = spans_of(pin)
    if not spans:
        return {QuotationWarning.PIN_NOT_FOUND}
    warnings = set() if is_inside else {QuotationWarning.OTHER_PART}
    if text and all(is_stub(text, start) for start, _ in spans):
        warnings.add(QuotationWarning.NOT_IN_FORCE)
    return warnings
