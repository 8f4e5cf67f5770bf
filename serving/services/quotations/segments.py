"""Segments of a quotation: what it quotes word for word between its dots and brackets."""

import re
from dataclasses import dataclass, replace

from serving.services.quotations.folding import Normalisation, fold_quotation
from serving.services.quotations.quoter_notes import is_note

_GAP = re.compile(
    r"(?P<dots>(?:\[\s*)?(?:…|(?:\.\s*){3,4}|(?:\*\s*){3,})\s*\]?)|\[(?P<inside>[^\[\]]{0,200})\]", re.DOTALL
)
_ENDING = re.compile(r"[^\W\d_]*")
"""Letters in brackets right behind a word, or none: they end it otherwise than the law does."""
_LETTER = re.compile(r"(?<!\w)\[([^\W\d_])\](?=\w|\s)")


@dataclass(frozen=True, slots=True)
class Elision:
    """Dots or brackets of a quotation.

    Attributes:
        kind: ELLIPSES or BRACKETS.
        put: the quoter's own words in the brackets; None where they hold but a letter of the segment behind,
            or the ending of the word before.
        ending: what brackets put right behind a word as its ending: `d` in `induce[d]`, nothing in `claim[]`.
    """

    kind: Normalisation
    put: str | None
    ending: str | None = None


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a quotation that is quoted word for word.

    Attributes:
        text: folded.
        written: the same text as it is written.
        elision: between it and the segment before; None where there is none. Nothing is compared before the
            first segment.
        altered: its first letter is in brackets: a capital for a small letter, or the reverse.
        joins: True where brackets stand right beside a letter of it, within a word: before it, after it.
        after: elision after the last segment, where nothing is compared either.
    """

    text: str
    written: str
    elision: Elision | None
    altered: bool
    joins: tuple[bool, bool]
    after: Elision | None = None


def whole_segment(quote: str) -> Segment:
    """Return a quotation as one segment, brackets and dots included."""
    return Segment(fold_quotation(quote), quote, None, False, (False, False))


def is_split(quote: str) -> bool:
    """Return True where a quotation has dots or brackets."""
    return _GAP.search(quote) is not None


def segments(quote: str) -> list[Segment]:
    """Split a quotation at its dots and brackets."""
    parts: list[Segment] = []
    elision: Elision | None = None
    letter, position, joined = "", 0, False
    for match in [*_GAP.finditer(quote), None]:
        end = len(quote) if match is None else match.start()
        written = letter + quote[position:end]
        joins_after = match is not None and match.group("dots") is None and quote[:end][-1:].isalnum()
        if letters(written):  # the least of them may be a `no` or a figure
            folded = fold_quotation(written)
            parts.append(Segment(folded, written, elision, bool(letter), (joined, joins_after)))
            elision = None
        if match is None:
            break
        of_word = _LETTER.match(quote, match.start())
        letter = of_word.group(1) if of_word else ""
        position = match.end()
        joined = match.group("dots") is None and not letter and quote[position : position + 1].isalpha()
        is_ending = joins_after and not quote[position : position + 1].isalnum()
        elision = _joined(elision, match, is_letter=bool(letter), is_ending=is_ending)
    if parts and elision is not None:
        parts[-1] = replace(parts[-1], after=elision)
    return parts


def letters(text: str) -> int:
    """Count the letters and figures of a text."""
    return sum(map(str.isalnum, text))


def _joined(before: Elision | None, match: re.Match[str], *, is_letter: bool, is_ending: bool) -> Elision:
    """Return the elision of dots or brackets with those right before; brackets beside dots leave out too."""
    kind = Normalisation.ELLIPSES if match.group("dots") else Normalisation.BRACKETS
    put = None if is_letter else (match.group("inside") or "").strip()
    if is_ending and put is not None and _ENDING.fullmatch(put) and not is_note(put):
        return Elision(kind, None, put)
    if before is None:
        return Elision(kind, put)
    if Normalisation.ELLIPSES in (before.kind, kind):
        kind = Normalisation.ELLIPSES
    words = [one for one in (before.put, put) if one is not None]
    return Elision(kind, " ".join(words).strip() if words else None, before.ending)
