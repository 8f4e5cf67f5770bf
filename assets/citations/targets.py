"""Find where citations read in texts lead, by the keys of a selection's provisions. Never a nearest guess."""

from collections.abc import Sequence

from assets.citations.found import Reference
from assets.citations.table import CitationEntry
from assets.release.references import ACT, AMBIGUOUS, NOT_FOUND, OUTSIDE_COVERAGE
from assets.release.selection import Selection
from serving.contract.citations import Citation
from serving.contract.citations.keys import citation_key, key_head
from serving.contract.records import FROM_TEXT, IN_FORCE

NOTE = "note"
"""The target is a note under a section, which is no provision of its own."""
RANGE = "range"
"""The target is all of several provisions, and none alone."""


class TargetFinder:
    """Leads citations to positions of a selection."""

    def __init__(self, selection: Selection, entries: Sequence[CitationEntry]) -> None:
        """Index the entries of a selection's citations."""
        self._codes = {entry.body.key for entry in selection.bodies}
        self._citations: list[str] = selection.provisions.column("citation").to_pylist()
        live = [status == IN_FORCE for status in selection.provisions.column("status").to_pylist()]
        self._live: dict[str, list[int]] = {}
        self._dead: dict[str, list[int]] = {}
        for entry in entries:
            (self._live if live[entry.position] else self._dead).setdefault(entry.key, []).append(
                entry.position
            )
        self._heads = {key_head(entry.key) for entry in entries}

    def lead(self, citation: Citation) -> Reference:
        """Return the reference that a citation in a text is."""
        target, reason = self._target(citation)
        written = citation.canonical
        if target is not None and written.startswith(citation.target):
            own = self._citations[target]
            # As the provision itself writes its number, with the pin cite of this reference. A list or range
            # is not the number that is cited: `§ 774(d)` is not `§§ 771 to 780(d)`.
            if citation_key(own) == citation_key(citation.target):
                written = own + written.removeprefix(citation.target)
        return Reference(citation.start, citation.end, target, written, reason, FROM_TEXT)

    def exists(self, citation: Citation) -> bool:
        """Return True where there is a provision of that citation, be there several."""
        key = citation_key(citation.target)
        return key in self._live or key in self._dead

    def _target(self, citation: Citation) -> tuple[int | None, str | None]:
        if citation.code is None or citation.kind == "act":
            return None, ACT
        if citation.code not in self._codes:
            return None, OUTSIDE_COVERAGE
        if citation.note:
            return None, NOTE
        key = citation_key(citation.target)
        for found in (self._live.get(key, []), self._dead.get(key, [])):
            if len(found) > 1:
                return None, AMBIGUOUS
            if found:
                return found[0], None
        if key_head(key) not in self._heads:
            return None, OUTSIDE_COVERAGE
        return None, RANGE if citation.through else NOT_FOUND
