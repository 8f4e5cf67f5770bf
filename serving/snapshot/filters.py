"""Filters that both arms of a search apply alike."""

from dataclasses import dataclass
from functools import lru_cache, partial
from uuid import UUID

import numpy as np

from serving.contract.manifest import CodeBodyEntry
from serving.contract.records import IN_FORCE, Jurisdiction
from serving.snapshot.nodes import NodeTable


@dataclass(frozen=True, slots=True)
class Filters:
    """The filters of a search.

    Attributes:
        jurisdiction: short code; its scope includes the jurisdictions within it.
        level: such as `section`.
        tag: a tag that the provision must have.
        statuses: statuses of the provisions searched; empty for all.
    """

    jurisdiction: str | None = None
    code_body: UUID | None = None
    level: str | None = None
    tag: str | None = None
    statuses: tuple[str, ...] = (IN_FORCE,)


def scope_of(short_code: str, jurisdictions: tuple[Jurisdiction, ...]) -> tuple[str, ...]:
    """Return the short codes of a jurisdiction and of all within it, sorted."""
    scope = {short_code}
    while True:
        within = {entry.short_code for entry in jurisdictions if entry.parent in scope} - scope
        if not within:
            return tuple(sorted(scope))
        scope |= within


_REMEMBERED = 8
"""Filters whose provisions are remembered, at a byte for each provision."""


class NodeFilter:
    """Tells which provisions of a snapshot pass filters. Safe to use from several threads at once.

    Args:
        nodes: the provisions.
        jurisdictions: those of the snapshot, which say what lies within which.
    """

    def __init__(self, nodes: NodeTable, jurisdictions: tuple[Jurisdiction, ...]) -> None:
        # Each search asks twice, and most search the law in force, wherever it is.
        self._remembered = lru_cache(_REMEMBERED)(partial(_passing, nodes, jurisdictions))

    def passing(self, filters: Filters) -> np.ndarray:
        """Return, for each row of the provisions, whether it passes; the array is not for writing."""
        return self._remembered(filters)


def _passing(nodes: NodeTable, jurisdictions: tuple[Jurisdiction, ...], filters: Filters) -> np.ndarray:
    passing = np.ones(len(nodes), bool)
    if filters.jurisdiction is not None or filters.code_body is not None:
        passing = nodes.in_code_bodies(partial(_is_chosen, filters, jurisdictions))
    if filters.level is not None:
        passing &= nodes.at_level(filters.level)
    if filters.statuses:
        passing &= nodes.of_statuses(filters.statuses)
    if filters.tag is not None:
        passing &= nodes.tagged(filters.tag)
    passing.flags.writeable = False
    return passing


def _is_chosen(filters: Filters, jurisdictions: tuple[Jurisdiction, ...], body: CodeBodyEntry) -> bool:
    if filters.code_body is not None and body.id != str(filters.code_body):
        return False
    place = filters.jurisdiction
    return place is None or body.jurisdiction in scope_of(place, jurisdictions)
