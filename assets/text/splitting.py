"""Cuts texts into spans of a bounded number of tokens, at the best places there are.

Each text is tokenised once, in the pieces between its natural cuts. Only a piece that is longer than a whole
chunk is looked at again: word by word, and a word that is still too long in ever smaller parts.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assets.text.boundaries import FORCED, Cut, natural_cuts, pieces, word_cuts
from serving.contract.records import Outline
from serving.encoder.tokens import PassageTokenizer

_LEAST_FILL = 4
"""A cut is made only where at least 1/4 of the budget is filled, if there is such a place: an outermost part
of three words is no chunk of its own."""


@dataclass(frozen=True, slots=True)
class Span:
    """Characters [start, end) of a text, and the number of their tokens."""

    start: int
    end: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Divisible:
    """A text to divide, its outline, and the most tokens that a span of it may have."""

    text: str
    outline: Sequence[Outline]
    budget: int


def split_texts(texts: Sequence[Divisible], tokenizer: PassageTokenizer) -> list[list[Span]]:
    """Divide texts into spans that cover each without gap or overlap, each within the text's budget.

    An empty text has no spans. A single character may exceed a budget below four tokens.
    """
    cuts = [natural_cuts(item.text, item.outline) if item.text else [] for item in texts]
    parts = [pieces(item.text, made) if made else [] for item, made in zip(texts, cuts, strict=True)]
    counts = tokenizer.count([part for text_parts in parts for part in text_parts])
    spans = []
    first = 0
    for item, own_cuts, own_parts in zip(texts, cuts, parts, strict=True):
        own_counts = counts[first : first + len(own_cuts)]
        first += len(own_cuts)
        spans.append(_divide(item, own_cuts, own_parts, own_counts, tokenizer) if own_cuts else [])
    return spans


def _divide(
    item: Divisible,
    cuts: list[Cut],
    parts: list[str],
    counts: NDArray[np.int32],
    tokenizer: PassageTokenizer,
) -> list[Span]:
    if counts.max() > item.budget:
        cuts, counts = _refine(cuts, parts, counts, item.budget, tokenizer)
    return _join(len(item.text), cuts, counts, item.budget)


def _refine(
    cuts: list[Cut],
    parts: list[str],
    counts: NDArray[np.int32],
    budget: int,
    tokenizer: PassageTokenizer,
) -> tuple[list[Cut], NDArray[np.int32]]:
    """Replace each part that exceeds the budget by its words, and each such word by parts of it."""
    refined: list[Cut] = []
    refined_counts: list[int] = []
    for (start, rank), part, count in zip(cuts, parts, counts, strict=True):
        if count <= budget:
            refined.append((start, rank))
            refined_counts.append(int(count))
            continue
        for position, word_rank, tokens in _words(part, budget, tokenizer):
            refined.append((start + position, rank if position == 0 else word_rank))
            refined_counts.append(tokens)
    return refined, np.array(refined_counts, np.int32)


def _words(part: str, budget: int, tokenizer: PassageTokenizer) -> list[tuple[int, int, int]]:
    """Return (position, rank, tokens) of each word, or of each part of a word that exceeds the budget."""
    cuts = word_cuts(part)
    words = pieces(part, cuts)
    found = []
    for (start, rank), word, count in zip(cuts, words, tokenizer.count(words), strict=True):
        if count <= budget:
            found.append((start, rank, int(count)))
            continue
        for position, tokens in _fragments(word, budget, budget, tokenizer):
            found.append((start + position, FORCED if position else rank, tokens))
    return found


def _fragments(word: str, size: int, budget: int, tokenizer: PassageTokenizer) -> list[tuple[int, int]]:
    """Return (position, tokens) of parts of at most `size` characters, halved until they are short enough."""
    starts = range(0, len(word), size)
    parts = [word[start : start + size] for start in starts]
    found: list[tuple[int, int]] = []
    for start, part, count in zip(starts, parts, tokenizer.count(parts), strict=True):
        if count <= budget or size == 1:
            found.append((start, int(count)))
        else:
            shorter = _fragments(part, (size + 1) // 2, budget, tokenizer)
            found.extend((start + position, tokens) for position, tokens in shorter)
    return found


def _join(length: int, cuts: list[Cut], counts: NDArray[np.int32], budget: int) -> list[Span]:
    """Join neighbouring parts into spans as large as fit, each ending at the best cut within reach."""
    starts = [position for position, _ in cuts] + [length]
    ranks = np.array([rank for _, rank in cuts], np.int32)
    sums = np.concatenate(([0], np.cumsum(counts)))
    spans = []
    first = 0
    while first < len(counts):
        last = _last_part(sums, ranks, first, budget)
        spans.append(Span(starts[first], starts[last], int(sums[last] - sums[first])))
        first = last
    return spans


def _last_part(sums: NDArray[np.int64], ranks: NDArray[np.int32], first: int, budget: int) -> int:
    """Return the part before which the span that begins with part `first` ends."""
    reach = max(int(np.searchsorted(sums, sums[first] + budget, "right")) - 1, first + 1)
    forced = np.flatnonzero(ranks[first + 1 : reach + 1] == FORCED)
    if len(forced):
        return first + 1 + int(forced[0])
    if reach == len(ranks):
        return reach
    filled = int(np.searchsorted(sums, sums[first] + budget // _LEAST_FILL, "left"))
    window = ranks[max(min(filled, reach), first + 1) : reach + 1]
    # Of equally good places the last: chunks as large as fit.
    return reach - int(np.argmin(window[::-1]))
