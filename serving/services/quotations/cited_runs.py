"""Runs of sections that a citation names without naming each: long ranges, and `et seq.` behind one."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from serving.contract.citations import Citation, parse
from serving.services.citations.provisions import ProvisionFinder
from serving.services.citations.resolution import Provision, Resolution
from serving.snapshot.store import Snapshot

_CHAPTER = "chapter"


@dataclass(frozen=True, slots=True)
class CitedRun:
    """A run of sections, more than are read one by one; `rows`: those that the resolution names."""

    rows: Collection[int]
    citations: Sequence[Citation]


class RunFinder:
    """Tells what runs of sections a resolved citation names, and which provisions stand in them."""

    def __init__(self, snapshot: Snapshot, finder: ProvisionFinder) -> None:
        self._snapshot = snapshot
        self._finder = finder
        self._meant: dict[int, str | None] = {}

    def of(self, resolution: Resolution, named: Sequence[Provision], *, most: int) -> CitedRun | None:
        """Return the run that a citation names; None where no more is cited than can be read.

        Args:
            resolution: the resolved citation.
            named: the provisions that it names.
            most: provisions that are read one by one.
        """
        if not named or resolution.citation is None:
            return None
        cited = parse(resolution.citation, self._snapshot.grammar)
        if len(named) <= most and not _is_cut(resolution) and not any(one.et_seq for one in cited):
            return None
        return CitedRun({one.row for one in named}, cited)

    def holds(self, run: CitedRun, row: int) -> bool:
        """Return True where the provision in a row stands in a run."""
        return row in run.rows or any(self._is_cited(citation, row) for citation in run.citations)

    def _is_cited(self, citation: Citation, row: int) -> bool:
        if citation.ends:
            return row in self._finder.rows_between(*citation.ends)
        return citation.et_seq and self._follows(citation, row)

    def _follows(self, citation: Citation, row: int) -> bool:
        """Return True where a provision comes behind the cited one, in the container that is meant."""
        entries = self._finder.entries(citation.target)
        if len(entries) != 1:
            return False
        first = self._finder.of_entry(entries[0])
        if row not in self._finder.rows_between(first.citation, self._finder.of_row(row).citation):
            return False
        if first.row not in self._meant:
            self._meant[first.row] = self._container(first.row)
        return self._meant[first.row] in self._containers(row)

    def _container(self, row: int) -> str | None:
        """Return the id of the container that `et seq.` behind a section means; None where it has none.

        An act is cited by the first section of its chapter: it is the chapter that the section begins, or the
        largest container in it, else the one in which the section stands.
        """
        holders = self._containers(row)
        levels = [one["level"] for one in self._snapshot.nodes.answer(row)["ancestors"]]
        within = holders[levels.index(_CHAPTER) :] if _CHAPTER in levels else holders[-1:]
        before = self._snapshot.nodes.answer(row)["previousId"]
        previous = None if before is None else self._snapshot.nodes.find(UUID(before))
        beside = () if previous is None else self._containers(previous)
        begun = [one for one in within if one not in beside]
        return begun[0] if begun else holders[-1] if holders else None

    def _containers(self, row: int) -> list[str]:
        """Return the ids of the containers of a provision, outermost first."""
        return [one["id"] for one in self._snapshot.nodes.answer(row)["ancestors"]]


def _is_cut(resolution: Resolution) -> bool:
    """Return True where a range has more members than its resolution names."""
    return resolution.member_count > len(resolution.members) or any(map(_is_cut, resolution.members))
