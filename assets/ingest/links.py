"""Links that a source marks up: what they may lead to, and what a format says of one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from assets.registry import CodeBody
from serving.contract.citations import CitationScheme

OUTSIDE_COVERAGE = "outside_coverage"
"""The target lies in a publication, or in a title, that is not held."""
NOT_FOUND = "not_found"
"""The target's title is held, but no such provision is in it."""
AMBIGUOUS = "ambiguous"
"""Several live provisions bear the number."""
ACT = "act"
"""The target is an act or another instrument, which no code body holds."""


@dataclass(frozen=True, slots=True)
class LinkTarget:
    """The position that a link leads to, or the `reason` why it leads nowhere: one of the two is None."""

    position: int | None
    reason: str | None


class NamedSection(NamedTuple):
    """A section that a link names: its number, the labels of a part as a pin cite, and both as a citation."""

    num: str
    pin: str
    citation: str


@dataclass(frozen=True, slots=True)
class HeldBody:
    """A code body that is held: its provisions are `count` positions from `first` on."""

    body: CodeBody
    first: int
    count: int

    @property
    def positions(self) -> range:
        """Its positions, in document order."""
        return range(self.first, self.first + self.count)


class HeldLaw:
    """All provisions that links may lead to.

    Attributes:
        bodies: code bodies, in the order of positions.
        numbers: by position, None where a provision has none.
        levels: by position.
        citable: by position, whether it is a section or rule and not a container.
        parents: by position, -1 at the top.
    """

    def __init__(
        self,
        bodies: Sequence[HeldBody],
        *,
        identifiers: Sequence[str],
        numbers: Sequence[str | None],
        levels: Sequence[str],
        citable: Sequence[bool],
        parents: Sequence[int],
    ) -> None:
        """Take the columns of all provisions, by position."""
        self.bodies = bodies
        self.numbers = numbers
        self.levels = levels
        self.citable = citable
        self.parents = parents
        self._positions: dict[str, int] = {}
        self._ambiguous: set[str] = set()
        for position, identifier in enumerate(identifiers):
            self._positions[identifier] = position
            stem, at, _ = identifier.rpartition("@")
            if at:
                self._ambiguous.add(stem)

    def longest(self, root: str, parts: Sequence[str]) -> LinkTarget:
        """Return the provision under `root` that the longest run of the first `parts` identifies.

        What is left of the parts names a paragraph of a section; a container must be named by all of them.
        """
        for length in range(len(parts), 0, -1):
            identifier = "/".join([root, *parts[:length]])
            position = self._positions.get(identifier)
            if position is None and identifier in self._ambiguous:
                return LinkTarget(None, AMBIGUOUS)
            if position is None:
                continue
            if self.citable[position] or length == len(parts):
                return LinkTarget(position, None)
            return LinkTarget(None, NOT_FOUND)
        return LinkTarget(None, OUTSIDE_COVERAGE if len(parts) > 1 else NOT_FOUND)


def only(positions: Sequence[int]) -> LinkTarget:
    """Return the one position that a link names; none where it names several, or none."""
    if len(positions) > 1:
        return LinkTarget(None, AMBIGUOUS)
    return LinkTarget(positions[0], None) if positions else LinkTarget(None, NOT_FOUND)


FollowLink = Callable[[str], LinkTarget]
"""Says where the target of a link leads. Its dashes are hyphens, and no white space surrounds it."""

LinkReader = Callable[[HeldLaw, HeldBody], FollowLink]
"""Makes what follows the links of one code body in a format's notation."""

SectionNamer = Callable[[str, CitationScheme, str], NamedSection | None]
"""Returns the section that the target of a link names; None where it names something else.

It is given the target as it is written in the source, the citation scheme of the code that is marked up, and
the root of that code's identifiers in the source.
"""
