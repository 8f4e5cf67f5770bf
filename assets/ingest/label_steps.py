"""Steps from the labels that are open before a designator to those after it, and what each costs.

A *stack* holds the open labels, outermost first. Costs add up, and are judged against markup by
`tests/benchmarks/bench_outline.py`: nothing for what is regular, about one for what is unusual, more for what
is more likely an error.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from assets.ingest.designators import Designator, Reading

_DEEPEST = 12

_NO_LABEL = 4.0
_NO_LABEL_RUN_IN = 0.0
_OPEN_RUN_IN = 1.0
_OPEN_NOT_INTRODUCED = 0.3
_OPEN_ABOVE = 0.4
_PASSED_OVER = 0.8
_PASSED_OVER_AT_TOP = 0.4
_AGAINST_SCHEME = 3.0
_NOT_FIRST = 3.0
_SUFFIX = 0.3
_OPEN_SUFFIX = 0.9
_GO_ON_THOUGH_INTRODUCED = 1.0
_UP_ONE_LEVEL = 0.05
_GAP = 2.0
_PER_MISSING = 0.3
_MOST_MISSING = 10
_RESTART = 4.0
_RESTART_APART = 2.5
_RESTART_ASIDE = 0.3
_AGAIN = 3.0
_OUT_OF_ORDER = 5.0
_GLUED_ASTRAY = 6.0
_REPEATED_PREFIX = 0.7
_ASIDE = 1.6
_ASIDE_INTRODUCED = 2.6


class Open(NamedTuple):
    """A label on the stack.

    Attributes:
        number: of the last one, where the label stands for several.
        level: its index in the scheme; that of the label above it where the scheme has none for it there.
        several: it stands for several: `(b)to(d)`.
        aside: it is numbered apart from the provision, as the notes to a table are: it makes no part.
    """

    style: str
    number: int
    suffix: str
    label: str
    level: int
    several: bool
    aside: bool


Stack = tuple[Open, ...]
Kind = Literal["label", "repeat", "none"]
"""Readings of a designator: a label, the prefix of one once more (`(a)` of `(a)(2)`), or neither."""


class Step(NamedTuple):
    """One way on: the stack after it, its own cost, and what became of the designator."""

    stack: Stack
    cost: float
    kind: Kind


def steps(stack: Stack, token: Designator, levels: tuple[str, ...], *, next_glued: bool) -> Iterator[Step]:
    """Yield every way on from a stack.

    Args:
        stack: the labels open so far.
        token: the designator.
        levels: styles of labels from the outermost in.
        next_glued: the next designator follows this one at once.
    """
    yield Step(stack, _NO_LABEL_RUN_IN if token.run_in else _NO_LABEL, "none")
    for reading in token.readings:
        if len(stack) < _DEEPEST:
            yield from _openings(stack, reading, token, levels)
        if not token.run_in:
            yield from _continuations(stack, reading, token, next_glued=next_glued)


def _openings(stack: Stack, reading: Reading, token: Designator, levels: tuple[str, ...]) -> Iterator[Step]:
    cost, own = _opened(stack, reading, token, levels)
    yield Step((*stack, own), cost, "none" if own.aside else "label")
    if not token.apart or token.glued or token.run_in:
        return
    for depth, held in enumerate(stack):
        # A line without a designator may close parts before it introduces a list.
        if held.style != reading.style and not (depth and stack[depth - 1].aside):
            cost, own = _opened(stack[:depth], reading, token, levels)
            yield Step((*stack[:depth], own), cost + _OPEN_ABOVE, "label")
    if stack and not stack[-1].aside and reading.number == 1 and not reading.suffix:
        cost = _ASIDE_INTRODUCED if token.introduced else _ASIDE
        yield Step((*stack, own._replace(aside=True)), cost, "none")


def _opened(stack: Stack, reading: Reading, token: Designator, levels: tuple[str, ...]) -> tuple[float, Open]:
    above = stack[-1].level if stack else -1
    level = next((place for place in range(above + 1, len(levels)) if levels[place] == reading.style), -1)
    if level < 0:
        cost, level = _AGAINST_SCHEME, above
    else:
        cost = (_PASSED_OVER if stack else _PASSED_OVER_AT_TOP) * (level - above - 1)
    if reading.number != 1:
        cost += _NOT_FIRST + _PER_MISSING * min(reading.number - 1, _MOST_MISSING)
    if reading.suffix:
        cost += _OPEN_SUFFIX
    if token.run_in:
        cost += _OPEN_RUN_IN
    elif stack and not token.introduced and not token.glued:
        cost += _OPEN_NOT_INTRODUCED
    several = reading.last > reading.number
    aside = bool(stack) and stack[-1].aside
    return cost, Open(reading.style, reading.last, reading.suffix, token.label, level, several, aside)


def _continuations(stack: Stack, reading: Reading, token: Designator, *, next_glued: bool) -> Iterator[Step]:
    for depth in range(len(stack) - 1, -1, -1):
        held = stack[depth]
        if held.style != reading.style:
            continue
        up = _UP_ONE_LEVEL * (len(stack) - 1 - depth)
        if next_glued and held.label == token.label and not token.glued:
            yield Step(stack[: depth + 1], _REPEATED_PREFIX + up, "repeat")
        several = reading.last > reading.number
        own = Open(held.style, reading.last, reading.suffix, token.label, held.level, several, held.aside)
        kind: Kind = "none" if held.aside else "label"
        yield Step((*stack[:depth], own), up + _going_on(held, reading, token), kind)


def _going_on(held: Open, reading: Reading, token: Designator) -> float:
    cost = _GLUED_ASTRAY if token.glued else 0.0
    if token.introduced:
        cost += _GO_ON_THOUGH_INTRODUCED
    missing = reading.number - held.number - 1
    if missing == 0:
        return cost + (_SUFFIX if reading.suffix else 0.0)
    if missing == -1 and _follows(reading.suffix, held.suffix):
        return cost + _SUFFIX
    if missing > 0:
        return cost + _GAP + _PER_MISSING * min(missing, _MOST_MISSING)
    if reading.number == 1 and not reading.suffix:
        if held.aside:
            return cost + _RESTART_ASIDE
        return cost + (_RESTART_APART if token.apart else _RESTART)
    return cost + (_AGAIN if held.label == token.label else _OUT_OF_ORDER)


def _follows(suffix: str, before: str) -> bool:
    """Return whether `(1A)` may follow `(1)`, and `(1B)` `(1A)`."""
    return bool(suffix) and (len(suffix), suffix) > (len(before), before)
