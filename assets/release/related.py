"""Provisions that an answer names beside its own: the one it has become, and those that bear its number."""

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from assets.selection.selection import Selection
from serving.contract.citations.keys import citation_key
from serving.contract.records import IN_FORCE
from serving.snapshot.citations import CitationTable


@dataclass(frozen=True, slots=True)
class Successor:
    """The new place of a provision by its source; `position`: None where no single provision is there."""

    citation: str
    position: int | None


@dataclass(frozen=True, slots=True)
class Related:
    """By position, successors of dead provisions, and the live ones that share the number of a live one."""

    successors: dict[int, Successor]
    duplicates: dict[int, tuple[int, ...]]


def related_provisions(selection: Selection, citations: Path) -> Related:
    """Return what provisions of a selection are to each other.

    Args:
        selection: whose provisions they are.
        citations: `citations.arrow` of the same selection.
    """
    statuses: list[str] = selection.provisions.column("status").to_pylist()
    table = CitationTable(citations)
    positions: list[int] = selection.numbering.positions.tolist()
    successors = {
        positions[table.node(entry)]: Successor(citation, _only(table, citation, positions, statuses))
        for entry, citation in table.successors().items()
    }
    return Related(successors, _duplicates(selection, statuses))


def _only(table: CitationTable, citation: str, positions: list[int], statuses: list[str]) -> int | None:
    """Return the position of the one provision of that citation, of the live ones where there are any."""
    found = [
        positions[table.node(entry)] for entry in table.find(citation_key(citation)) if table.is_whole(entry)
    ]
    meant = [position for position in found if statuses[position] == IN_FORCE] or found
    return meant[0] if len(meant) == 1 else None


def _duplicates(selection: Selection, statuses: list[str]) -> dict[int, tuple[int, ...]]:
    names = ("citation", "citable")
    citations, citable = (selection.provisions.column(name).to_pylist() for name in names)
    sharing: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for position, body in enumerate(selection.body_of_positions().tolist()):
        if citable[position] and statuses[position] == IN_FORCE:
            sharing[body, citation_key(citations[position])].append(position)
    return {
        position: tuple(other for other in positions if other != position)
        for positions in sharing.values()
        if len(positions) > 1
        for position in positions
    }
