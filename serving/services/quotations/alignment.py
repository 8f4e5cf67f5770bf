"""Words that two sequences have in common, aligned in time that no input makes long.

The longest common subsequence is found with a few operations on whole numbers for each word of the first
sequence (Hyyrö, "Bit-parallel LCS-length computation revisited", 2004): words which repeat cost nothing more.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Block(NamedTuple):
    """A run of words that both sequences have: from `a` in the first, from `b` in the second."""

    a: int
    b: int
    size: int


class Change(NamedTuple):
    """Words [a, a_end) of the first sequence in whose place the second has words [b, b_end)."""

    a: int
    a_end: int
    b: int
    b_end: int


def matching_blocks(first: Sequence[str], second: Sequence[str]) -> list[Block]:
    """Return the runs of a longest common subsequence, in their order, without coincidences.

    A run that is shorter than what differs on both of its sides is taken for one of those coincidences, such
    as a comma or a `the`, that any two texts share.
    """
    blocks: list[Block] = []
    for a, b in _with_marks(first, second, _pairs_of_words(first, second)):
        last = blocks[-1] if blocks else None
        if last is not None and (last.a + last.size, last.b + last.size) == (a, b):
            blocks[-1] = last._replace(size=last.size + 1)
        else:
            blocks.append(Block(a, b, 1))
    return _without_coincidences(blocks)


def changes(blocks: Sequence[Block], first: int, second: int) -> Iterator[Change]:
    """Yield what differs between two sequences of some lengths that have runs in common, in order."""
    a = b = 0
    for block in (*blocks, Block(first, second, 0)):
        if block.a > a or block.b > b:
            yield Change(a, block.a, b, block.b)
        a, b = block.a + block.size, block.b + block.size


def _pairs_of_words(first: Sequence[str], second: Sequence[str]) -> list[tuple[int, int]]:
    """Return the positions of the words in common, marks left out: a comma is no word to hold on to."""
    of_first, of_second = (
        [place for place, word in enumerate(text) if word[0].isalnum()] for text in (first, second)
    )
    words = [first[place] for place in of_first]
    others = [second[place] for place in of_second]
    pairs = _drawn_together(words, others, _pairs(words, others))
    return [(of_first[a], of_second[b]) for a, b in pairs]


def _drawn_together(
    first: Sequence[str], second: Sequence[str], pairs: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return pairs, which stand as late in the second sequence as can be, near the rarest of their words."""
    if not pairs:
        return []
    counts = Counter(second)
    rarest = min(range(len(pairs)), key=lambda index: counts[first[pairs[index][0]]])
    drawn = list(pairs[: rarest + 1])
    for a, _ in pairs[rarest + 1 :]:
        drawn.append((a, second.index(first[a], drawn[-1][1] + 1)))
    return drawn


def _with_marks(
    first: Sequence[str], second: Sequence[str], pairs: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Yield pairs of words, and of the marks that stand between them in both sequences."""
    a = b = 0
    for next_a, next_b in (*pairs, (len(first), len(second))):
        if a < next_a and b < next_b:
            marks = _pairs(first[a:next_a], second[b:next_b])
            yield from ((a + one, b + other) for one, other in marks)
        if next_a < len(first):
            yield next_a, next_b
        a, b = next_a + 1, next_b + 1


def _pairs(first: Sequence[str], second: Sequence[str]) -> list[tuple[int, int]]:
    """Return the positions of a longest common subsequence in both sequences."""
    where: dict[str, int] = {}
    for place, word in enumerate(second):
        where[word] = where.get(word, 0) | 1 << place
    every = (1 << len(second)) - 1
    row = every
    rows = [row]
    for word in first:
        common = row & where.get(word, 0)
        row = ((row + common) | (row - common)) & every
        rows.append(row)
    return _traced(first, second, rows)


def _traced(first: Sequence[str], second: Sequence[str], rows: Sequence[int]) -> list[tuple[int, int]]:
    """Walk back through the rows: bit b of row a is 0 where the second's word b adds one word in common."""
    pairs: list[tuple[int, int]] = []
    a, b = len(first), len(second)
    while a and b:
        if first[a - 1] == second[b - 1]:
            pairs.append((a - 1, b - 1))
            a, b = a - 1, b - 1
        elif rows[a] >> (b - 1) & 1:
            b -= 1
        else:
            a -= 1
    return pairs[::-1]


def _without_coincidences(blocks: Sequence[Block]) -> list[Block]:
    kept: list[Block] = []
    for index, block in enumerate(blocks):
        before = kept[-1] if kept else None
        after = blocks[index + 1] if index + 1 < len(blocks) else None
        if (
            before is None
            or after is None
            or block.size >= min(_distance(before, block), _distance(block, after))
        ):
            kept.append(block)
    return kept


def _distance(one: Block, other: Block) -> int:
    """Return how many words differ between two runs, in the sequence where they are more."""
    return max(other.a - one.a - one.size, other.b - one.b - one.size)
