"""Citations at the end of quotations, and the words before them in the part to which they ascribe these."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from serving.contract.citations import Grammar, parse
from serving.contract.citations.keys import citation_key
from serving.services.citations.pins import find_pin
from serving.services.citations.resolution import PinCite, Provision
from serving.services.quotations.folding import Normalisation
from serving.services.quotations.occurrences import Occurrence, Span, find_quotation
from serving.services.quotations.pinned_part import is_in_part, spans_of
from serving.services.quotations.provision_text import ProvisionText

_AFTER_CITATION = re.compile(r"[\s.,;)\]”\"’']*")


class AscribedOccurrence(NamedTuple):
    """An occurrence, and the part to which a citation at the quotation's own end ascribes the words.

    Attributes:
        ascribed: None where no citation ends the quotation, or it pins no part.
    """

    occurrence: Occurrence
    ascribed: PinCite | None


def find_ascribed(
    text: ProvisionText, quote: str, provision: Provision, grammar: Grammar, *, within: Sequence[Span]
) -> AscribedOccurrence | None:
    """Find a quotation in a provision, read whole, else without designators and footnote marks.

    Args:
        text: of the provision.
        quote: the quotation as it is written.
        provision: whose citation, at the end of the quotation, is no part of it.
        grammar: by which citations are read.
        within: spans of the text that are preferred where there are several occurrences.
    """
    trailing = _TrailingCitation(text, provision, grammar)
    for folded in (text.plain, text.bare):
        found = find_quotation(folded, quote, within=within, trailing_citation=trailing.start)
        if found is None:
            continue
        pin = trailing.pin if Normalisation.CITATION in found.steps else None
        if pin is None or is_in_part(text.outline, found.spans, spans_of(pin)):
            return AscribedOccurrence(found, pin)
        # Words that stand in several parts may stand in that one too.
        both = _within_both(within, spans_of(pin))
        again = find_quotation(folded, quote, within=both, trailing_citation=trailing.start)
        return AscribedOccurrence(again or found, pin)
    return None


class _TrailingCitation:
    """The citation of one provision that ends quotations of it, and the part that the last one read pins."""

    def __init__(self, text: ProvisionText, provision: Provision, grammar: Grammar) -> None:
        self._text = text
        self._key = citation_key(provision.citation)
        self._grammar = grammar
        self.pin: PinCite | None = None

    def start(self, reading: str) -> int | None:
        """Return where the citation that ends a quotation begins; None without it, or its part."""
        cited = parse(reading, self._grammar)
        if not cited or _AFTER_CITATION.fullmatch(reading, cited[-1].end) is None:
            return None
        last = cited[-1]
        if citation_key(last.target) != self._key:
            return None
        pin = self._pinned(last.labels, last.labels_through)
        if pin is not None and not pin.found:
            return None
        self.pin = pin
        return last.start

    def _pinned(self, labels: Sequence[str], through: Sequence[str]) -> PinCite | None:
        return find_pin(self._text.outline, labels, through, text=self._text.source) if labels else None


def _within_both(within: Sequence[Span], parts: Sequence[Span]) -> Sequence[Span]:
    """Return what some parts have in common with the spans that are preferred; the parts where no span is."""
    if not within:
        return parts
    both = [(max(span[0], part[0]), min(span[1], part[1])) for span in within for part in parts]
    return [span for span in both if span[0] < span[1]] or within
