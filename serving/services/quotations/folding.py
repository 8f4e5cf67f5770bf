"""Text folded for comparing quotations: which differences of typing are passed over, and the way back.

A folded text keeps where each of its characters stands in the source, so that what is found in it can be
named there exactly.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple

_MARKS = dict.fromkeys(map(ord, '"“”„‟‘’‚‛′″`´«»‹›ʼ'), "'")
"""Single and double alike: a quotation within a quotation changes from one to the other."""
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−﹘﹣－"), "-")
_AROUND_DASHES = re.compile(r"(?<!\s)\s*-+\s*")
_SPACES = re.compile(r"\s+")
_IRREGULAR = re.compile(r"(?: (?=[^!-,.-~])|[^ !-,.-~])[^!-,.-~]*")
"""A run in which folding may change something: all but printable ASCII and single spaces between it."""


class Step(StrEnum):
    """What had to be passed over for a quotation to be found, in the order in which it is tried."""

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
    """What stands in brackets is the author's: a letter changed, words put in or in the place of others."""
    ELLIPSES = "ellipses"
    """Words are left out where the quotation says so."""
    FINAL_PUNCTUATION = "final_punctuation"
    """The last comma or stop is of the sentence that quotes."""
    CASE = "case"
    """Capitals count as small letters."""


def _fold_characters(text: str) -> str:
    if text.isascii():
        return text
    shown = (letter for letter in text if unicodedata.category(letter) != "Cf")
    # A raised or circled figure and a fraction are not the figures they are made of: 5¹ is not 51.
    return "".join(
        "".join(letters) if is_figure else unicodedata.normalize("NFKC", "".join(letters))
        for is_figure, letters in groupby(shown, lambda letter: unicodedata.category(letter) == "No")
    )


FOLDS: dict[Step, Callable[[str], str]] = {
    Step.CHARACTERS: _fold_characters,
    Step.QUOTATION_MARKS: lambda text: text.translate(_MARKS),
    Step.DASHES: lambda text: _AROUND_DASHES.sub("-", text.translate(_DASHES)),
    Step.WHITE_SPACE: lambda text: _SPACES.sub(" ", text),
    Step.CASE: str.casefold,
}
"""The steps that change characters, in the order in which they work together."""


class _Run(NamedTuple):
    """A run that is not as long folded as it was: where it stands in both texts."""

    folded: int
    folded_end: int
    source: int
    source_end: int


class FoldedText:
    """A text with every fold applied.

    Attributes:
        source: as it was.
        text: folded.
    """

    __slots__ = ("_runs", "_starts", "source", "text")

    def __init__(self, source: str) -> None:
        self.source = source
        self._runs: list[_Run] = []
        self.text = self._fold(source)
        self._starts = [run.folded for run in self._runs]

    def between(self, start: int, end: int) -> tuple[int, int]:
        """Return what `span` returns, and the blanks that were folded with its ends."""
        return self._character(start)[0], self._character(end - 1)[1]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the least characters [start, end) of the source that those of the folded text stand for."""
        first, last = self.between(start, end)
        wanted = self.text[start:end].strip()
        while first < last and wanted in fold_all(self.source[first + 1 : last]):
            first += 1
        while first < last and wanted in fold_all(self.source[first : last - 1]):
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
        # What is left to fold are ASCII marks and letters, each of which stays one character.
        return "".join(pieces).replace('"', "'").replace("`", "'").lower()

    def _character(self, place: int) -> tuple[int, int]:
        """Return the characters of the source that one of the folded text stands for, or is one of."""
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


def fold_all(text: str) -> str:
    """Return a text with every fold applied, without blanks around it."""
    return FoldedText(text).text.strip()


def needed(pairs: list[tuple[str, str]]) -> tuple[Step, ...]:
    """Return the folds without which not all pairs, equal when all are applied, would be equal."""
    steps = list(FOLDS)
    for step in (Step.CASE, Step.CHARACTERS, Step.DASHES, Step.QUOTATION_MARKS, Step.WHITE_SPACE):
        fewer = [one for one in steps if one is not step]
        if all(_folded(left, fewer) == _folded(right, fewer) for left, right in pairs):
            steps = fewer
    return tuple(step for step in Step if step in steps)


def _folded(text: str, steps: list[Step]) -> str:
    for step in steps:
        text = FOLDS[step](text)
    return text.strip()
