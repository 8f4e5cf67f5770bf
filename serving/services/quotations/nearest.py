"""The passage of a text that is nearest to a quotation that does not occur in it.

Runs of the quotation's words found in the text vote for the position where the quotation would begin; the
positions with most votes are compared word by word.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from serving.services.quotations.alignment import Block, Change, changes, matching_blocks
from serving.services.quotations.folding import FoldedText, fold_quotation

LEAST_SIMILARITY = 0.3
"""Least similarity of a passage: anything less like the quotation has nothing to do with it."""
MAX_DIFFERENCES = 8
_WORD = re.compile(r"\w+(?:(?:(?<=\d)[.,/:](?=\d)|['-](?=\w))\w+)*|[^\w\s]")
"""A word, a number, a compound or a mark: a missing comma is a difference too."""
_RUNS = (4, 3, 2, 1)
"""Lengths of the runs in words, the longest first."""
_SAMPLES = 40
"""Runs of one length that vote, spread evenly over the quotation."""
_PLACES = 30
"""Positions in the text at which one run votes."""
_WINDOWS = 3
_REPLACED = 5
"""Words at either end of the quotation that may differ from the text."""
_ADDED = 12
"""Words that the text may have in addition between two runs in common."""
_LONG_WORD = 6
"""Letters of a word that votes alone."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference: the words of the quotation and of the text; "" where one of them has none."""

    quote: str
    text: str


@dataclass(frozen=True, slots=True)
class NearestPassage:
    """A passage that is like a quotation, in characters [start, end) of a text.

    Attributes:
        similarity: share of words in common, among the words of both, from 0 to 1.
        differences: the first `MAX_DIFFERENCES` of them.
    """

    start: int
    end: int
    similarity: float
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class _Words:
    """Words of a folded text with their spans."""

    text: str
    words: list[str]
    spans: list[tuple[int, int]]

    @classmethod
    def of(cls, text: str, start: int = 0, end: int | None = None) -> "_Words":
        matches = list(_WORD.finditer(text, start, len(text) if end is None else end))
        return cls(text, [match.group() for match in matches], [match.span() for match in matches])

    def piece(self, first: int, end: int) -> tuple[int, int]:
        """Return the span from word `first` to the last before `end`; empty where there is none."""
        return (self.spans[first][0], self.spans[end - 1][1]) if end > first else (0, 0)


def find_nearest(text: FoldedText, quote: str) -> NearestPassage | None:
    """Return the passage of a text that is most like a quotation; None where none is like it."""
    asked = _Words.of(fold_quotation(quote))
    if not asked.words:
        return None
    found = [_compared(text, asked, start) for start in _starts(text.text, asked)]
    best = max(found, key=lambda one: one.similarity, default=None)
    return best if best is not None and best.similarity >= LEAST_SIMILARITY else None


def _starts(text: str, asked: _Words) -> list[int]:
    """Return positions where the quotation may begin, the likeliest first."""
    bucket = max(40, len(asked.text) // 4)
    for length in _RUNS:
        votes: Counter[int] = Counter()
        starts: dict[int, int] = {}
        for first, run in _runs(asked, length):
            for place in _places(text, run):
                begin = place - first
                votes[begin // bucket] += 1
                starts.setdefault(begin // bucket, begin)
        if votes:
            return [starts[one] for one, _ in votes.most_common(_WINDOWS)]
    return []


def _runs(asked: _Words, length: int) -> list[tuple[int, str]]:
    """Return runs of words, each after its position in the quotation."""
    count = len(asked.words) - length + 1
    step = max(1, count // _SAMPLES)
    runs = [
        (asked.spans[index][0], asked.text[asked.spans[index][0] : asked.spans[index + length - 1][1]])
        for index in range(0, count, step)
    ]
    return [run for run in runs if length > 1 or len(run[1]) >= _LONG_WORD]


def _places(text: str, run: str) -> list[int]:
    found: list[int] = []
    place = text.find(run)
    while place >= 0 and len(found) < _PLACES:
        found.append(place)
        place = text.find(run, place + 1)
    return found


def _compared(text: FoldedText, asked: _Words, begin: int) -> NearestPassage:
    slack = max(80, len(asked.text) // 2)
    there = _Words.of(text.text, max(0, begin - slack), begin + len(asked.text) + slack)
    blocks = matching_blocks(asked.words, there.words)
    if not blocks:
        return NearestPassage(0, 0, 0.0, ())
    first, last = _bounds(blocks, len(asked.words), len(there.words))
    passage = there.words[first:last]
    blocks = matching_blocks(asked.words, passage)
    common = sum(block.size for block in blocks)
    start, end = text.span(there.spans[first][0], there.spans[last - 1][1])
    similarity = round(2 * common / (len(asked.words) + len(passage)), 3)
    changed = islice(changes(blocks, len(asked.words), len(passage)), MAX_DIFFERENCES)
    differences = tuple(_difference(change, text, asked, there, first) for change in changed)
    return NearestPassage(start, end, similarity, differences)


def _bounds(blocks: Sequence[Block], asked: int, there: int) -> tuple[int, int]:
    """Return the first word of the passage that corresponds to the quotation, and the word after its last.

    The passage holds the longest run in common, the runs on both sides that are about as far from it as in
    the quotation, and the words in place of the quotation's first and last.
    """
    core = max(range(len(blocks)), key=lambda index: blocks[index].size)
    first = last = core
    while first and _beside(blocks[first - 1], blocks[first]):
        first -= 1
    while last + 1 < len(blocks) and _beside(blocks[last], blocks[last + 1]):
        last += 1
    ends = blocks[last].a + blocks[last].size, blocks[last].b + blocks[last].size
    return (
        max(0, blocks[first].b - min(blocks[first].a, _REPLACED)),
        min(there, ends[1] + min(asked - ends[0], _REPLACED)),
    )


def _beside(one: Block, other: Block) -> bool:
    return other.b - one.b - one.size <= other.a - one.a - one.size + _ADDED


def _difference(change: Change, text: FoldedText, asked: _Words, there: _Words, first: int) -> Difference:
    """Return a difference in the words of the quotation and those of the source; `first`: of the passage."""
    start, end = asked.piece(change.a, change.a_end)
    said = asked.text[start:end]
    start, end = there.piece(first + change.b, first + change.b_end)
    return Difference(said, text.source[slice(*text.span(start, end))] if end > start else "")
