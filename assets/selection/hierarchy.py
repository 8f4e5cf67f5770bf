"""The tree over all selected provisions, by position: ancestors, children, neighbours in reading order."""

from dataclasses import dataclass

from assets.selection.selection import Selection


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """Positions of relatives, by position. Containers come before what they contain.

    Attributes:
        parents: -1 at the top.
        children: in document order.
        previous: of a citable provision the citable one before, in reading order within the code body; of a
            container the one of its level before; -1 for none.
        following: the one after, of which this one is the one before.
    """

    parents: list[int]
    children: list[list[int]]
    previous: list[int]
    following: list[int]

    def ancestors(self, position: int) -> list[int]:
        """Return the ancestors of a position, the topmost first."""
        chain = []
        while (position := self.parents[position]) >= 0:
            chain.append(position)
        return chain[::-1]


def build_hierarchy(selection: Selection) -> Hierarchy:
    """Build the tree of a selection, whose provisions stand in document order, parents before children."""
    parents: list[int] = selection.numbering.parents.tolist()
    citable: list[bool] = selection.provisions.column("citable").to_pylist()
    levels: list[str] = selection.provisions.column("level").to_pylist()
    children: list[list[int]] = [[] for _ in parents]
    for position, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(position)
    previous, following = [-1] * len(parents), [-1] * len(parents)
    for body in selection.bodies:
        # Sections and rules are read as one chain, whatever their level; chapters follow chapters.
        last: dict[str | None, int] = {}
        for position in range(body.first, body.first + body.count):
            chain = None if citable[position] else levels[position]
            before = last.get(chain, -1)
            last[chain] = position
            previous[position] = before
            if before >= 0:
                following[before] = position
    return Hierarchy(parents, children, previous, following)
