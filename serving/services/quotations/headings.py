"""The heading of a provision as it is quoted: alone or before the text, perhaps behind its number."""

import re
from dataclasses import replace

from serving.services.quotations.folding import FoldedText, Normalisation
from serving.services.quotations.occurrences import Occurrence, find_quotation
from serving.services.quotations.segments import letters

_LEADING_NUMBER = re.compile(r"(?:§+|[Ss]ec(?:tion|\.)|[Ss]\.)?\s*(?=[\w.:–-]*\d)([\w.:–-]+?)[.:]?\s+(?=\S)")
"""A number at the head of a quotation; it looks ahead for a figure, as to begin anew at each takes long."""
_NUMBER = re.compile(r"[\w.:–-]*\d[\w.:–-]*")
_DIVISION = re.compile(r"\s*[.:]?(?:\s*[—–-]+\s*|\s+)")
"""Signs between a heading and the text behind it."""
_LABELS = re.compile(r"(?:\([^()\s]{1,9}\)\s*)*")


def find_heading(heading: FoldedText, quote: str, citation: str) -> Occurrence | None:
    """Find a quotation in a provision's heading, without the provision's number before it."""
    found = find_quotation(heading, quote)
    if found is not None:
        return found
    behind = _behind_number(quote.strip(), citation)
    return None if behind is None else find_quotation(heading, behind)


def text_behind(heading: FoldedText, quote: str, citation: str) -> str | None:
    """Return what a quotation has behind the provision's whole heading; None where it does not begin so."""
    stated = heading.text.strip().rstrip(".")
    whole = quote.strip()
    written = FoldedText(_behind_number(whole, citation) or whole)
    if not letters(stated) or not written.text.startswith(stated):
        return None
    _, end = written.between(0, len(stated))
    divided = _DIVISION.match(written.source, end)
    return written.source[divided.end() :] if divided else None


def begun_with_heading(text: str, found: Occurrence) -> Occurrence | None:
    """Return the occurrence of what stood behind a heading; None where the text does not begin with it.

    Words from the middle of a text, right behind its heading, would say that nothing was left out.
    """
    if _LABELS.fullmatch(text, 0, found.spans[0][0]) is None:
        return None
    steps = {*found.steps, Normalisation.HEADING}
    return replace(found, steps=tuple(step for step in Normalisation if step in steps))


def _behind_number(quote: str, citation: str) -> str | None:
    """Return a quotation without the provision's number at its head; None where it does not stand there."""
    number = _LEADING_NUMBER.match(quote)
    if number is None or number.group(1) not in _NUMBER.findall(citation)[-1:]:
        return None
    return quote[number.end() :]
