"""Warnings about a quotation that stands in a provision: what a reader of its words alone would miss."""

import re
from collections.abc import Sequence
from enum import StrEnum

from serving.services.quotations.attached import has_modal_before, has_number_before
from serving.services.quotations.occurrences import Occurrence
from serving.services.quotations.passed_over import PassedOver
from serving.services.quotations.sentences import OutlineEntry, ends_sentence, governing
from serving.services.quotations.word_classes import (
    WordClass,
    classes_in,
    has_exclusion_before,
    has_refusal_before,
    is_too_short,
    omits_refusal,
)


class QuotationWarning(StrEnum):
    """A reason to read a quotation beside its source."""

    WORDS_OMITTED = "words_omitted"
    """Dots or brackets pass over words."""
    SENTENCES_JOINED = "sentences_joined"
    """The quotation makes one sentence of the ends of two."""
    NEGATION_OMITTED = "negation_omitted"
    EXCEPTION_OMITTED = "exception_omitted"
    CONDITION_OMITTED = "condition_omitted"
    MODAL_OMITTED = "modal_omitted"
    NUMBER_OMITTED = "number_omitted"
    NEGATION_BEFORE = "negation_before"
    """The sentence, or what leads in to the part, negates before the quotation begins."""
    EXCEPTION_BEFORE = "exception_before"
    MODAL_BEFORE = "modal_before"
    """A modal governs the first word of the quotation."""
    NUMBER_BEFORE = "number_before"
    """A number counts the first word of the quotation."""
    SENTENCE_CONTINUES = "sentence_continues"
    """The sentence goes on behind the quotation: with a condition or an exception, perhaps."""
    TOO_SHORT = "too_short"
    """Words as these stand almost anywhere."""
    NOT_IN_FORCE = "not_in_force"
    """The provision or the part is repealed, reserved, omitted, expired or transferred."""
    OTHER_PART = "other_part"
    """The words stand outside the part that is cited, or that a citation at the quotation's end names."""
    PIN_NOT_FOUND = "pin_not_found"
    """The provision has no such part as is cited."""
    AMENDED_SINCE = "amended_since"
    """The provision was amended after the edition that is cited, whose words may have been others."""


_OMITTED = {
    WordClass.NEGATION: QuotationWarning.NEGATION_OMITTED,
    WordClass.EXCEPTION: QuotationWarning.EXCEPTION_OMITTED,
    WordClass.CONDITION: QuotationWarning.CONDITION_OMITTED,
    WordClass.MODAL: QuotationWarning.MODAL_OMITTED,
    WordClass.NUMBER: QuotationWarning.NUMBER_OMITTED,
}
_STUB = re.compile(
    r"[\s\[]*(?:\([^()\s]{1,6}\)|\d{1,3}\.|[A-Z]\.|[,;–-]|\bto\b|\band\b|\s)*[\s\[]*"
    r"(?:deleted|expired|lapsed|obsolete|omitted|renumbered|repealed|rescinded|reserved|stricken|superseded|transferred"
    r"|vacant)\b(?!\s+[a-z])",
    re.IGNORECASE,
)
"""The line of a part that is not in force: `(c) Repealed. Pub. L. ...`, `[(4) Reserved]`."""


def warnings_of(
    text: str, outline: Sequence[OutlineEntry], found: Occurrence, passed: Sequence[PassedOver]
) -> set[QuotationWarning]:
    """Return the warnings that the text around an occurrence, and what it passes over, give rise to."""
    start, end = found.spans[0][0], found.spans[-1][1]
    warnings = _of_words_passed_over(passed)
    before = governing(text, outline, start)
    negated = classes_in(before)
    if WordClass.NEGATION in negated or has_refusal_before(before):
        warnings.add(QuotationWarning.NEGATION_BEFORE)
    if WordClass.EXCEPTION in negated or has_exclusion_before(before):
        warnings.add(QuotationWarning.EXCEPTION_BEFORE)
    if has_modal_before(before):
        warnings.add(QuotationWarning.MODAL_BEFORE)
    if has_number_before(before):
        warnings.add(QuotationWarning.NUMBER_BEFORE)
    if not ends_sentence(text, end):
        warnings.add(QuotationWarning.SENTENCE_CONTINUES)
    if is_too_short(" ".join(text[first:last] for first, last in found.spans)):
        warnings.add(QuotationWarning.TOO_SHORT)
    if is_stub(text, start):
        warnings.add(QuotationWarning.NOT_IN_FORCE)
    return warnings


def is_stub(text: str, place: int) -> bool:
    """Return True where the line around a place is that of a part which is not in force."""
    return _STUB.match(text, text.rfind("\n", 0, place) + 1) is not None


def _of_words_passed_over(passed: Sequence[PassedOver]) -> set[QuotationWarning]:
    warnings: set[QuotationWarning] = set()
    for one in passed:
        warnings |= {_OMITTED[kind] for kind in classes_in(f"{one.text} {one.put}")}
        if omits_refusal(one.text):
            warnings.add(QuotationWarning.NEGATION_OMITTED)
        if one.text:
            warnings.add(QuotationWarning.WORDS_OMITTED)
        if one.joins:
            warnings.add(QuotationWarning.SENTENCES_JOINED)
    return warnings
