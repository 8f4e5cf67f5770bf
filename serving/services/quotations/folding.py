"""Text folded for the comparison of quotations, with the way back to the source.

Folding removes differences of typing, each of which is named as a `Normalisation`. A folded text keeps the
source position of every character, so that what is found in it is located exactly in the source.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple

_MARKS = dict.fromkeys(map(ord, '"“”„‟‘’‚‛′″`´«»‹›ʼ'), "'")
"""Quotation marks, single and double alike: a quotation within a quotation changes from one to the other."""
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−﹘﹣－"), "-")
_AROUND_DASHES = re.compile(r"(?<!\s)\s*-+\s*")
_SPACES = re.compile(r"\s+")
_IRREGULAR = re.compile(r"(?: (?=[^!-,.-~])|[^ !-,.-~])[^!-,.-~]*")
"""A run that folding may change: anything but printable ASCII with single spaces."""


class Normalisation(StrEnum):
    """A difference between quotation and text that is not counted against the quotation."""

    OUTER_MARKS = "outer_marks"
    """Quotation marks around the whole quotation."""
    WHITE_SPACE = "white_space"
    """Line ends and runs of blanks count as one blank."""
    QUOTATION_MARKS = "quotation_marks"
    """Curly and straight, single and double marks count as the same."""
    DASHES = "dashes"
    """Dashes of all lengths and hyphens count as the same, and blanks around them for nothing."""
    CHARACTERS = "characters"
    """Ligatures and the like count as the letters they show; invisible characters for nothing."""
    BRACKETS = "brackets"
    """Brackets hold the author's own words: a letter changed, words added or put in place of others."""
    ELLIPSES = "ellipses"
    """Words are left out where the quotation says so."""
    FINAL_PUNCTUATION = "final_punctuation"
    """The last comma or stop belongs to the quoting sentence."""
    CASE = "case"
    """Capitals and small letters count as the same."""


def _fold_characters(text: str) -> str:
    if text.isascii():
        return text
    shown = (letter for letter in text if unicodedata.category(letter) != "Cf")
    # A raised or circled figure and a fraction are not the figures they are made of: 5¹ is not 51.
    return "".join(
        "".join(letters) if is_figure else unicodedata.normalize("NFKC", "".join(letters))
        for is_figure, letters in groupby(shown, lambda letter: unicodedata.category(letter) == "No")
    )


FOLDS: dict[Normalisation, Callable[[str], str]] = {
    Normalisation.CHARACTERS: _fold_characters,
    Normalisation.QUOTATION_MARKS: lambda text: text.translate(_MARKS),
    Normalisation.DASHES: lambda text: _AROUND_DASHES.sub("-", text.translate(_DASHES)),
    Normalisation.WHITE_SPACE: lambda text: _SPACES.sub(" ", text),
    Normalisation.CASE: str.casefold,
}
"""The normalisations of characters, in the order in which they are applied together."""


class _Run(NamedTuple):
    """A run whose length changed in folding: its span in the folded text and in the source."""

    folded: int
    folded_end: int
    source: int
    source_end: int


class FoldedText:
    """A text with all normalisations of characters applied.

    Attributes:
        source: the text as it is written.
        text: the folded text.
    """

    __slots__ = ("_runs", "_starts", "source", "text")

    def __init__(self, source: str) -> None:
        self.source = source
        self._runs: list[_Run] = []
        self.text = self._fold(source)
        self._starts = [run.folded for run in self._runs]

    def between(self, start: int, end: int) -> tuple[int, int]:
        """Return the source span of folded characters [start, end), blanks folded with its ends included."""
        return self._character(start)[0], self._character(end - 1)[1]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the shortest source span that folds to the folded characters [start, end)."""
        first, last = self.between(start, end)
        wanted = self.text[start:end].strip()
        while first < last and wanted in fold_quotation(self.source[first + 1 : last]):
            first += 1
        while first < last and wanted in fold_quotation(self.source[first : last - 1]):
            last -= 1
        return first, last

    def _fold(self, source: str) -> str:
        pieces: list[str] = []
        position = length = 0
        for match in _IRREGULAR.finditer(source):
            start, end = match.span()
            folded = _fold_run(match.group())
            pieces += (source[position:start], folded)
            length += start - position
            if len(folded) != end - start:
                self._runs.append(_Run(length, length + len(folded), start, end))
            length += len(folded)
            position = end
        pieces.append(source[position:])
        # ASCII marks and letters are left, each of which stays one character.
        return "".join(pieces).replace('"', "'").replace("`", "'").lower()

    def _character(self, place: int) -> tuple[int, int]:
        """Return the source span of one folded character, or of the run that it belongs to."""
        index = bisect_right(self._starts, place) - 1
        if index < 0:
            return place, place + 1
        run = self._runs[index]
        if place < run.folded_end:
            return run.source, run.source_end
        start = run.source_end + place - run.folded_end
        return start, start + 1


def _fold_run(run: str) -> str:
    for fold in FOLDS.values():
        run = fold(run)
    return run


def fold_quotation(text: str) -> str:
    """Return a quotation with all normalisations of characters applied, without blanks around it."""
    return FoldedText(text).text.strip()


def needed_normalisations(pairs: list[tuple[str, str]]) -> tuple[Normalisation, ...]:
    """Return the normalisations that are needed to make the texts of each pair equal.

    Args:
        pairs: texts that are equal when all normalisations are applied.
    """
    normalisations = list(FOLDS)
    for normalisation in (
        Normalisation.CASE,
        Normalisation.CHARACTERS,
        Normalisation.DASHES,
        Normalisation.QUOTATION_MARKS,
        Normalisation.WHITE_SPACE,
    ):
        fewer = [one for one in normalisations if one is not normalisation]
        if all(_normalised(left, fewer) == _normalised(right, fewer) for left, right in pairs):
            normalisations = fewer
    return tuple(normalisation for normalisation in Normalisation if normalisation in normalisations)


def _normalised(text: str, normalisations: list[Normalisation]) -> str:
    for normalisation in normalisations:
        text = FOLDS[normalisation](text)
    return text.strip()
