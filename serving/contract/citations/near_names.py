"""Names that are spelled like another: what somebody may have meant who wrote one that is not known."""

from collections.abc import Mapping

from serving.contract.citations.names import name_key

_MOST = 3
_SHARE = 4
"""One letter of so many may differ."""
_MOST_CHANGES = 3


def near_names(name: str, known: Mapping[str, str]) -> list[str]:
    """Return up to three known names that few changes of letters make of this one, the nearest first.

    Args:
        name: as it is written.
        known: names by their `name_key`.
    """
    key = name_key(name)
    bound = min(_MOST_CHANGES, max(1, len(key) // _SHARE))
    letters = set(key)
    near = []
    for other, written in known.items():
        if abs(len(other) - len(key)) <= bound and len(letters.symmetric_difference(other)) <= 2 * bound:
            changes = _changes(key, other, bound)
            if changes <= bound:
                near.append((changes, written))
    return [written for _, written in sorted(near)[:_MOST]]


def _changes(one: str, other: str, bound: int) -> int:
    """Return how many letters are put in, left out, changed or swapped; any number above `bound` if more."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        current = [row]
        for column, opposite in enumerate(other, 1):
            cost = min(last[column] + 1, current[-1] + 1, last[column - 1] + (letter != opposite))
            if before and column > 1 and letter == other[column - 2] and opposite == one[row - 2]:
                cost = min(cost, before[column - 2] + 1)
            current.append(cost)
        if min(current) > bound:
            return bound + 1
        before, last = last, current
    return last[-1]
