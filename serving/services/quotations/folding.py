"""Text folded for the comparison of quotations, with the way back to the source.

Folding removes differences of typing, each of which is named as a `Normalisation`. A folded text keeps the
source position of every character, so that what is found in it is located exactly in the source.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Sequence
from enum import Enum, StrEnum, auto
from itertools import groupby
from typing import NamedTuple

_MARKS = dict.fromkeys(map(ord, '"“”„‟‘’‚‛′`´«»‹›ʼ'), "'")
"""Quotation marks, single and double alike: a quotation within a quotation changes from one to the other."""
_INCHES = "″"
"""Mark of inches, which are no feet: it counts as no quotation mark."""
_DOUBLE = re.compile(r'["“”„‟″]|\n\s*\n')
_BEHIND_FIGURE = re.compile(r'[\d¼½¾⅐-⅞]["“”″]')
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−﹘﹣－"), "-")
_AROUND_DASHES = re.compile(r"(?<!\s)\s*-+\s*")
_AROUND_BARS = re.compile(r"(?<!\s)\s*\|[\s|]*")
_SPACES = re.compile(r"\s+")
_IRREGULAR = re.compile(r"(?: (?=[^!-,.-{}~])|[^ !-,.-{}~])[^!-,.-{}~]*")
"""A run that folding may change: anything but printable ASCII with single spaces, hyphens and bars."""
_FRACTION_SLASH = "\u2044"
_MOST_LETTERS = 4
"""Most letters that one character shows: `ﬁ`, `Ⅷ`. One that shows more, such as U+FDFA of 18, shows words."""


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
    TABLE_BARS = "table_bars"
    """Bars between the cells of a table count as blanks."""
    MARKUP = "markup"
    """Emphasis, tags, escapes and line marks of Markdown and HTML count for nothing."""
    LINE_HYPHENS = "line_hyphens"
    """A hyphen at the end of a line may part a word that has none."""
    FOOTNOTE_MARKS = "footnote_marks"
    """Marks that call a footnote, of the quotation or of the source, count for nothing."""
    DESIGNATORS = "designators"
    """Designators at the head of the text's parts, such as `(1)`, are left out."""
    CITATION = "citation"
    """A citation of the same provision that trails the quotation is no part of it."""
    HEADING = "heading"
    """The provision's own number and heading, before the beginning of its text, are no part of the text."""
    QUOTER_NOTES = "quoter_notes"
    """Notes of the quoter in brackets, such as `(emphasis added)`, are no words of the text."""
    BRACKETS = "brackets"
    """Brackets hold the author's own words: a letter changed, words added or put in place of others."""
    ELLIPSES = "ellipses"
    """Words are left out where the quotation says so."""
    FINAL_PUNCTUATION = "final_punctuation"
    """The last comma or stop belongs to the quoting sentence."""
    CASE = "case"
    """Capitals and small letters count as the same."""


def _with_inches(text: str) -> str:
    """Return a text, as long, with marks behind figures as what they are: inches, or the end of a quotation.

    The end is one where a mark before it opened what it ends, in the same paragraph.
    """
    if _BEHIND_FIGURE.search(text) is None:
        return text
    letters, is_open = list(text), False
    for mark in _DOUBLE.finditer(text):
        place = mark.start()
        if mark.group().isspace():
            is_open = False
        elif _BEHIND_FIGURE.match(text, max(0, place - 1)) is None:
            is_open = mark.group() in "“„" or (mark.group() not in "”″" and not is_open)
        elif is_open and mark.group() != _INCHES:
            letters[place], is_open = "'", False
        else:
            letters[place] = _INCHES
    return "".join(letters)


def _fold_characters(text: str) -> str:
    if text.isascii():
        return text
    shown = "".join(letter for letter in text if unicodedata.category(letter) != "Cf")
    folded: list[str] = []
    for fold, group in groupby(enumerate(shown), lambda at: _fold_of(at[1])):
        letters = list(group)
        if fold is _Fold.FIGURE:
            folded += (_fold_figure(letter, shown[place - 1 : place]) for place, letter in letters)
        else:
            alike = "".join(letter for _, letter in letters)
            folded.append(alike if fold is _Fold.NONE else unicodedata.normalize("NFKC", alike))
    return "".join(folded).replace(_FRACTION_SLASH, "/")


class _Fold(Enum):
    """The way in which a character is folded."""

    FIGURE = auto()
    LETTERS = auto()
    NONE = auto()


def _fold_of(letter: str) -> _Fold:
    """Return the way to fold a character. One that shows words stays, or texts would grow many times."""
    if letter == _INCHES:
        return _Fold.NONE
    if unicodedata.category(letter) == "No":
        return _Fold.FIGURE
    return _Fold.LETTERS if len(unicodedata.normalize("NFKC", letter)) <= _MOST_LETTERS else _Fold.NONE


def _fold_figure(figure: str, before: str) -> str:
    """Return a figure of another shape as it is typed, where that reads alike.

    A raised or circled figure is not the figure it is made of: `5¹` is not 51. A lowered one behind a letter
    is typed plain (`CO₂`), and a fraction by its figures, parted from a whole number before it.
    """
    shape = unicodedata.decomposition(figure).partition(" ")[0]
    plain = unicodedata.normalize("NFKC", figure)
    if shape == "<fraction>":
        return f" {plain}" if before.isdigit() else plain
    return plain if shape == "<sub>" and before.isalpha() else figure


FOLDS: dict[Normalisation, Callable[[str], str]] = {
    Normalisation.CHARACTERS: _fold_characters,
    Normalisation.QUOTATION_MARKS: lambda text: _with_inches(text).translate(_MARKS),
    Normalisation.DASHES: lambda text: _AROUND_DASHES.sub("-", text.translate(_DASHES)),
    Normalisation.TABLE_BARS: lambda text: _AROUND_BARS.sub(" ", text),
    Normalisation.WHITE_SPACE: lambda text: _SPACES.sub(" ", text),
    Normalisation.CASE: str.casefold,
}
"""The normalisations of characters, in the order in which they are applied together."""


class Skip(NamedTuple):
    """Characters [start, end) of a text that a reading leaves out, and what they are."""

    start: int
    end: int
    kind: Normalisation


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
        skips: characters of the source that are left out, in their order.
    """

    __slots__ = ("_runs", "_starts", "skips", "source", "text")

    def __init__(self, source: str, skips: Sequence[Skip] = ()) -> None:
        self.source = source
        self.skips = tuple(skips)
        self._runs: list[_Run] = []
        self.text = self._fold(_with_inches(source))
        self._starts = [run.folded for run in self._runs]

    def between(self, start: int, end: int) -> tuple[int, int]:
        """Return the source span of folded characters [start, end), blanks folded with its ends included."""
        return self._character(start)[0], self._character(end - 1)[1]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the shortest source span that folds to the folded characters [start, end)."""
        first, last = self.between(start, end)
        wanted = self.text[start:end].strip()
        while first < last and wanted in self._folded(first + 1, last):
            first += 1
        while first < last and wanted in self._folded(first, last - 1):
            last -= 1
        return first, last

    def read(self, start: int, end: int) -> str:
        """Return the source characters [start, end) that this reading does not leave out."""
        kept, position = [], start
        for skip in self.skipped(start, end):
            kept.append(self.source[position : max(position, skip.start)])
            position = max(position, skip.end)
        return "".join((*kept, self.source[position:end]))

    def skipped(self, start: int, end: int) -> list[Skip]:
        """Return what is left out between source characters [start, end)."""
        return [skip for skip in self.skips if start < skip.end and skip.start < end]

    def _folded(self, start: int, end: int) -> str:
        return fold_quotation(self.read(start, end))

    def _fold(self, source: str) -> str:
        pieces: list[str] = []
        length = position = 0
        for skip in (*self.skips, None):
            end = len(source) if skip is None else skip.start
            length = self._fold_stretch(source, position, end, length, pieces)
            if skip is not None:
                self._runs.append(_Run(length, length, skip.start, skip.end))
                position = skip.end
        # ASCII marks and letters are left, each of which stays one character.
        return "".join(pieces).replace('"', "'").replace("`", "'").lower()

    def _fold_stretch(self, source: str, position: int, stop: int, length: int, pieces: list[str]) -> int:
        """Fold source characters [position, stop) into further pieces; return the length of all pieces."""
        for match in _IRREGULAR.finditer(source, position, stop):
            start, end = match.span()
            folded = _fold_run(match.group(), source[max(position, start - 1) : start])
            pieces += (source[position:start], folded)
            length += start - position
            if len(folded) != end - start:
                self._runs.append(_Run(length, length + len(folded), start, end))
            length += len(folded)
            position = end
        pieces.append(source[position:stop])
        return length + stop - position

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


def _fold_run(run: str, before: str) -> str:
    """Return a run folded; a letter or figure `before` it says how its first character reads."""
    known = before if before.isalnum() else ""
    run = known + run
    for fold in FOLDS.values():
        run = fold(run)
    return run[len(known) :]


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
        Normalisation.TABLE_BARS,
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
