"""Boundaries at which a text may be cut, the best first: outline parts, lines, sentences, words."""

import re
from collections.abc import Iterable, Sequence

from serving.contract.records import Outline

START = 0
"""Rank of the start of a text."""
LINE = 100
SENTENCE = 101
WORD = 102
FORCED = -1
"""Rank of a cut that must be made: within a word that is too long for one chunk."""

Cut = tuple[int, int]
"""A position in the text and its rank: outline depth (1 = outermost) or a constant; lower is better."""

# Cuts stand after white space that every tokenizer takes for the end of a word: the tokens of the parts are
# then the tokens of the whole. Control characters and exotic spaces are no such place, as some tokenizers
# drop them.
_SPACE = " \t\n\r"
_LINE_END = re.compile(r"\n+[ \t\n\r]*")
_SENTENCE_END = re.compile(r"(?:(?<=[^\W\d_]{2})\.|[)\]”\"’]\.|[?!;:])[”\"’)\]]*[ \t\r]+")
_WORD_END = re.compile(r"[ \t\r\n]+")


def natural_cuts(text: str, outline: Iterable[Outline]) -> list[Cut]:
    """Return where a text falls into outline parts, lines and sentences, in order; first (0, START)."""
    ranks: dict[int, int] = {match.end(): SENTENCE for match in _SENTENCE_END.finditer(text)}
    ranks.update((match.end(), LINE) for match in _LINE_END.finditer(text))
    ranks.update(_outline_cuts(text, outline))
    ranks.pop(len(text), None)
    ranks[0] = START
    return sorted(ranks.items())


def word_cuts(text: str) -> list[Cut]:
    """Return the starts of the words of a text that has no better places, in order; first (0, WORD)."""
    ends = (match.end() for match in _WORD_END.finditer(text))
    return [(0, WORD), *((end, WORD) for end in ends if end < len(text))]


def pieces(text: str, cuts: Sequence[Cut]) -> list[str]:
    """Return the parts that the cuts, the first at 0, make of a text."""
    ends = [position for position, _ in cuts[1:]] + [len(text)]
    return [text[start:end] for (start, _), end in zip(cuts, ends, strict=True)]


def _outline_cuts(text: str, outline: Iterable[Outline]) -> dict[int, int]:
    """Return the rank of each part's start: its depth, found from how the parts enclose each other."""
    ranks: dict[int, int] = {}
    open_ends: list[int] = []
    for part in outline:
        while open_ends and open_ends[-1] <= part.start:
            open_ends.pop()
        open_ends.append(part.end)
        if 0 < part.start < len(text) and text[part.start - 1] in _SPACE:
            depth = min(len(open_ends), LINE - 1)
            ranks[part.start] = min(depth, ranks.get(part.start, depth))
    return ranks
