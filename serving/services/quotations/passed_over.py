"""Words of the source that a quotation passes over or replaces, and whether that alters what it says."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from serving.services.quotations.clarifications import joins_items, names_reference
from serving.services.quotations.folding import Normalisation, fold_quotation
from serving.services.quotations.inflections import is_inflected
from serving.services.quotations.occurrences import Gap, Occurrence
from serving.services.quotations.quoter_notes import is_note, tells_omission
from serving.services.quotations.segments import Elision, letters
from serving.services.quotations.sentences import (
    OutlineEntry,
    begins_sentence,
    end_of_sentence,
    sentence_ends,
)
from serving.services.quotations.sibling_parts import joins_siblings
from serving.services.quotations.word_classes import WordClass, classes_in, turns_sense

_IN_COMPOUND = re.compile(r"['’‐‑-]\w")
"""Text behind a word that is but the first part of another: `owner's`, `for-profit`."""
_NEAR = 16
"""Characters beside a word that may be of one phrase with it: `provided that`."""
_PARENTHESIS = re.compile(r"\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\[\]]*\]")


@dataclass(frozen=True, slots=True)
class PassedOver:
    """Words of the source, characters [start, end) of its text, for which dots or brackets stand.

    Attributes:
        text: the words; "" where brackets only add some.
        put: words that the quotation has in their place.
        alters: what the sentence says may be another thing without them, or with the others.
        joins: they end one sentence, or a part of a list, and begin another; the quotation makes one of them.
    """

    start: int
    end: int
    text: str
    put: str
    alters: bool
    joins: bool = False


def passed_over(
    text: str, outline: Sequence[OutlineEntry], found: Occurrence, *, citation: str = ""
) -> tuple[PassedOver, ...]:
    """Return what an occurrence passes over or replaces, in the order of the text.

    Args:
        text: in which the quotation occurs.
        outline: of the text.
        found: the occurrence.
        citation: of the provision whose text it is, by which it may be named; "" where it is no provision's.
    """
    return tuple(_read(text, outline, found, citation))


def _read(
    text: str, outline: Sequence[OutlineEntry], found: Occurrence, citation: str
) -> Iterator[PassedOver]:
    for gap in (_behind_ending(text, one) for one in found.gaps):
        if isinstance(gap, PassedOver):
            yield gap
            continue
        put = gap.elision.put
        of_dots = gap.elision.kind is Normalisation.ELLIPSES
        if not _is_between(gap, found):
            yield from _beside(text, gap, found)
            continue
        words = text[gap.start : gap.end].strip()
        if of_dots or (put and is_note(put)):
            if letters(words):
                joins = _joins_sentences(text, gap) or joins_siblings(text, outline, gap.start, gap.end)
                turns = _turns(text, gap, put)
                yield PassedOver(gap.start, gap.end, words, put or "", alters=joins or turns, joins=joins)
        elif not (_is_same(words, gap.elision) or _is_plain(text, outline, gap, citation)):
            yield PassedOver(gap.start, gap.end, words, put or "", alters=True)


def _behind_ending(text: str, gap: Gap) -> Gap | PassedOver:
    """Return a gap behind the word whose ending it changes, or what it changes where that is another word."""
    ending = gap.elision.ending
    if ending is None:
        return gap
    start, end = _word_around(text, gap.start)
    is_same = not _IN_COMPOUND.match(text, end) and is_inflected(
        text[start:end],
        text[start : gap.start] + ending,
        before=text[max(0, start - _NEAR) : start],
        behind=text[end : end + _NEAR],
    )
    last = max(gap.end, end)
    if is_same:
        return replace(gap, start=end, end=last)
    put = f"{ending} {gap.elision.put or ''}".strip()
    return PassedOver(gap.start, last, text[gap.start : last].strip(), put, alters=True)


def _word_around(text: str, place: int) -> tuple[int, int]:
    """Return the span of the letters on either side of a place."""
    start = end = place
    while start and text[start - 1].isalpha():
        start -= 1
    while text[end : end + 1].isalpha():
        end += 1
    return start, end


def _turns(text: str, gap: Gap, note: str | None) -> bool:
    """Return True where a sentence without the words for which dots or a note stand says something else.

    Only a note that tells of an omission stands for words; of those in parentheses, where citations stand,
    numbers are no figures.
    """
    if note and not tells_omission(note):
        return True
    words = text[gap.start : gap.end].strip()
    if note and _PARENTHESIS.fullmatch(words):
        return not classes_in(words) <= {WordClass.NUMBER}
    first, last = _of_quoted_sentences(text, gap)
    before, behind = text[: gap.start], text[gap.end :]
    if last is None:
        return turns_sense(first, before=before, behind=behind)
    return turns_sense(first, before=before) or turns_sense(last, behind=behind)


def _beside(text: str, gap: Gap, found: Occurrence) -> Iterator[PassedOver]:
    """Yield what dots or brackets at an end of a quotation stand for: behind it, the rest of the sentence."""
    put, of_dots = gap.elision.put, gap.elision.kind is Normalisation.ELLIPSES
    if put is not None and not (of_dots and not letters(put)) and not _stands_beside(text, gap):
        yield PassedOver(gap.start, gap.end, "", put, alters=True)
    if of_dots and gap.start >= found.spans[-1][1]:
        end = end_of_sentence(text, gap.start)
        words = text[gap.start : end].strip()
        if letters(words):
            yield PassedOver(gap.start, end, words, "", alters=False)


def _is_same(words: str, brackets: Elision) -> bool:
    """Return True where brackets hold what the text has there, or but a letter or the ending of a word."""
    if brackets.put is None:
        return not (letters(words) if brackets.ending is None else words)
    return bool(brackets.put) and fold_quotation(words) == fold_quotation(brackets.put)


def _is_plain(text: str, outline: Sequence[OutlineEntry], gap: Gap, citation: str) -> bool:
    """Return True where brackets only make plain what the text says at their place."""
    words, put = text[gap.start : gap.end].strip(), gap.elision.put or ""
    if letters(words):
        return names_reference(words, put, citation)
    return joins_items(text, outline, gap.start, gap.end, put)


def _is_between(gap: Gap, found: Occurrence) -> bool:
    return found.spans[0][0] < gap.start < found.spans[-1][1]


def _stands_beside(text: str, gap: Gap) -> bool:
    """Return True where words in brackets at an end of the quotation are those that the text has there."""
    put = gap.elision.put or ""
    if is_note(put):
        return True
    wanted = fold_quotation(put)
    room = len(put) + 8
    before = fold_quotation(text[max(0, gap.start - room) : gap.start])
    after = fold_quotation(text[gap.end : gap.end + room])
    return bool(wanted) and (before.endswith(wanted) or after.startswith(wanted))


def _of_quoted_sentences(text: str, gap: Gap) -> tuple[str, str | None]:
    """Return the words passed over that belong to a sentence which is quoted: not whole sentences.

    Those of the sentence before the gap, and of the one behind it; None where that is the same.
    """
    words = text[gap.start : gap.end]
    ends = [end for end in sentence_ends(words) if end < len(words)]
    if not ends:
        return words, None
    last = "" if begins_sentence(text, gap.end) else words[ends[-1] :]
    return words[: ends[0]], last


def _joins_sentences(text: str, gap: Gap) -> bool:
    words = text[gap.start : gap.end]
    ends = [end for end in sentence_ends(words) if end < len(words.rstrip())]
    return bool(ends) and not begins_sentence(text, gap.end)
