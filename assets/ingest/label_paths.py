"""The cheapest way to read a sequence of designators as nested labels, and how much dearer any other is.

Dynamic programming over the stacks of open labels (`label_steps`): at each designator the stacks worth
keeping are kept, at most a fixed number of them, so that the work grows as the sequence does. A pass forwards
gives the cost of the best way to each stack, a pass backwards that of the best way on from it; together they
tell for each designator what the best way costs that makes something else of it.
"""

from typing import NamedTuple

from assets.ingest.designators import Designator
from assets.ingest.label_steps import Kind, Stack, steps

_WIDTH = 12
_WORTH_KEEPING = 8.0
"""Stacks that cost so much more than the best at the same designator are given up."""


class Placed(NamedTuple):
    """One designator on the cheapest way.

    Attributes:
        stack: the labels open after it; its own is the last, if it is a label.
        cost: of its own step.
        margin: what the cheapest way costs more that gives it another path, or none.
    """

    kind: Kind
    stack: Stack
    cost: float
    margin: float


class _Edge(NamedTuple):
    """A step between stacks of neighbouring designators, given by their places among those kept."""

    before: int
    after: int
    cost: float
    kind: Kind


class _Kept(NamedTuple):
    """The stacks kept at one designator, what the best way to each costs, and the steps to them."""

    stacks: list[Stack]
    costs: list[float]
    edges: list[_Edge]


def place_labels(tokens: list[Designator], levels: tuple[str, ...]) -> list[Placed]:
    """Return what each designator is on the cheapest way through all of them.

    Args:
        tokens: in the order of the text.
        levels: styles of labels from the outermost in.
    """
    kept = [_Kept([()], [0.0], [])]
    for place, token in enumerate(tokens):
        next_glued = place + 1 < len(tokens) and tokens[place + 1].glued
        kept.append(_advance(kept[-1], token, levels, next_glued=next_glued))
    return _way_back(kept)


def _advance(before: _Kept, token: Designator, levels: tuple[str, ...], *, next_glued: bool) -> _Kept:
    best: dict[Stack, float] = {}
    found = []
    for index, (stack, cost) in enumerate(zip(before.stacks, before.costs, strict=True)):
        for step in steps(stack, token, levels, next_glued=next_glued):
            found.append((index, step))
            total = cost + step.cost
            if total < best.get(step.stack, float("inf")):
                best[step.stack] = total
    bound = min(best.values()) + _WORTH_KEEPING
    chosen = sorted((total, stack) for stack, total in best.items() if total <= bound)[:_WIDTH]
    place = {stack: index for index, (_, stack) in enumerate(chosen)}
    edges = [
        _Edge(index, place[step.stack], step.cost, step.kind) for index, step in found if step.stack in place
    ]
    return _Kept([stack for _, stack in chosen], [total for total, _ in chosen], edges)


def _way_back(kept: list[_Kept]) -> list[Placed]:
    """Follow the cheapest way back to the beginning, and measure at each designator how far others are."""
    onward = [0.0] * len(kept[-1].stacks)
    total = min(kept[-1].costs)
    at = kept[-1].costs.index(total)
    placed: list[Placed] = []
    for before, here in zip(reversed(kept[:-1]), reversed(kept[1:]), strict=True):
        chosen = min(
            (edge for edge in here.edges if edge.after == at),
            key=lambda edge: before.costs[edge.before] + edge.cost,
        )
        outcome = _outcome(chosen, here.stacks)
        onward_before = [float("inf")] * len(before.stacks)
        other = float("inf")
        for edge in here.edges:
            rest = edge.cost + onward[edge.after]
            onward_before[edge.before] = min(onward_before[edge.before], rest)
            way = before.costs[edge.before] + rest
            if way < other and _outcome(edge, here.stacks) != outcome:
                other = way
        placed.append(Placed(chosen.kind, here.stacks[at], chosen.cost, other - total))
        onward = onward_before
        at = chosen.before
    placed.reverse()
    return placed


def _outcome(edge: _Edge, stacks: list[Stack]) -> tuple[str, ...]:
    """Return what tells one reading of a designator from another: its path, or that it is no label."""
    if edge.kind != "label":
        return (edge.kind,)
    return tuple(held.label for held in stacks[edge.after])
