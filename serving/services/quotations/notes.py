"""Quotations of the notes under a section, which are cited as `17 U.S.C. § 101 note`."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from serving.contract.records import IN_FORCE
from serving.services.citations.resolution import Provision, Resolution
from serving.services.quotations.elsewhere import Elsewhere
from serving.services.quotations.nearest import NearestPassage, find_nearest
from serving.services.quotations.occurrences import Occurrence, find_quotation
from serving.services.quotations.passed_over import passed_over
from serving.services.quotations.provision_text import NoteText, ProvisionTexts
from serving.services.quotations.verified_quotes import (
    QuotationOutcome,
    Quote,
    VerifiedQuote,
    context_around,
    found_quote,
)
from serving.services.quotations.warnings import QuotationWarning, warnings_of


class NoteFinder:
    """Finds quotations in the notes of provisions."""

    def __init__(self, texts: ProvisionTexts) -> None:
        self._texts = texts

    def verify(
        self, quote: Quote, resolution: Resolution, provisions: Sequence[Provision]
    ) -> VerifiedQuote | None:
        """Verify a quotation against the notes of provisions; None where these have none.

        One that stands in no note, but in the text above them, is not of the notes.
        """
        best: tuple[Provision, NoteText, NearestPassage | None] | None = None
        for provision, note in self._notes(provisions):
            found = find_quotation(note.folded, quote.quote)
            if found is not None:
                return _found(quote, resolution, provision, note, found)
            near = find_nearest(note.folded, quote.quote)
            if best is None or (near and (best[2] is None or near.similarity > best[2].similarity)):
                best = (provision, note, near)
        return None if best is None else self._absent(quote, resolution, *best)

    def _notes(self, provisions: Sequence[Provision]) -> Iterator[tuple[Provision, NoteText]]:
        for provision in provisions:
            for note in self._texts.of(provision.row).notes:
                yield provision, note

    def _absent(
        self,
        quote: Quote,
        resolution: Resolution,
        provision: Provision,
        note: NoteText,
        near: NearestPassage | None,
    ) -> VerifiedQuote:
        text, source = self._texts.of(provision.row).plain, note.folded.source
        there = find_quotation(text, quote.quote)
        above = () if there is None else (Elsewhere(provision, text.source[slice(*there.spans[0])]),)
        return VerifiedQuote(
            quote=quote,
            outcome=QuotationOutcome.ABSENT,
            resolution=resolution,
            provision=provision,
            in_note=None if near is None else note.heading,
            nearest=near,
            elsewhere=above,
            excerpts=() if near is None else (source[near.start : near.end],),
            context=None if near is None else context_around(source, near.start, near.end),
        )


def _found(
    quote: Quote, resolution: Resolution, provision: Provision, note: NoteText, found: Occurrence
) -> VerifiedQuote:
    source = note.folded.source
    passed = passed_over(source, (), found)
    warnings = warnings_of(source, (), found, passed)
    if provision.status != IN_FORCE:
        warnings.add(QuotationWarning.NOT_IN_FORCE)
    there = found_quote(quote, resolution, provision, source, found, passed, warnings)
    return replace(there, in_note=note.heading)
