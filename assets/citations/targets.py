"""Find where citations read in texts lead, by the service's own resolver. Never a nearest guess."""

from functools import lru_cache

from assets.citations.references import Reference
from assets.citations.selected_law import SelectedLaw
from assets.ingest.links import ACT, AMBIGUOUS, NOT_FOUND, OUTSIDE_COVERAGE
from serving.contract.citations import Citation
from serving.contract.citations.citation import POPULAR_NAME
from serving.contract.citations.keys import citation_key, key_head
from serving.contract.records import FROM_TEXT, IN_FORCE
from serving.services.citations.citation_resolver import MAX_MEMBERS, CitationResolver
from serving.services.citations.resolution import Outcome, Reason, Resolution

UNKNOWN_CODE = "unknown_code"
"""The text names a code that no data lists."""
NOTE = "note"
"""The target is a note under a section, which is no provision of its own."""
_KNOWN = 50_000


class TargetFinder:
    """Leads citations to positions of a selection."""

    def __init__(self, law: SelectedLaw) -> None:
        """Take the law that citations lead to."""
        self._law = law
        self._resolver = CitationResolver(law)
        self._exists = lru_cache(_KNOWN)(lambda target: bool(self._resolver.finder.entries(target)))

    def lead(self, citation: Citation, text: str) -> Reference:
        """Return a citation in a text as a reference, with the position that it leads to, if any."""
        nowhere = Reference(citation.start, citation.end, None, citation.canonical, None, FROM_TEXT)
        if citation.note:
            return nowhere._replace(reason=NOTE)
        meant = self._resolver.as_range(citation, text[citation.start : citation.end])
        found = self._resolver.resolve(meant)
        if found.provision is not None:
            position = self._law.nodes.position(found.provision.row)
            return nowhere._replace(target=position, citation=found.citation or citation.canonical)
        members = self._members(meant) if found.members else ()
        if members:
            return nowhere._replace(target=members[0], citation=meant.canonical, members=members)
        return nowhere._replace(reason=self._reason(citation, found))

    def exists(self, citation: Citation) -> bool:
        """Return whether at least one provision has that citation."""
        return self._exists(citation.target)

    def _members(self, citation: Citation) -> tuple[int, ...]:
        """Return the positions of a range's provisions: the live ones, or all where none lives.

        Of a long range, as many as the service gives: its first, and its last.
        """
        rows = self._resolver.rows_of_range(citation)
        rows = [row for row in rows if self._law.nodes.status(row) == IN_FORCE] or rows
        kept = [*rows[: MAX_MEMBERS - 1], rows[-1]] if len(rows) > MAX_MEMBERS else rows
        return tuple(self._law.nodes.position(row) for row in kept)

    def _reason(self, citation: Citation, found: Resolution) -> str:
        if citation.kind in (POPULAR_NAME, "act"):
            return ACT
        if found.outcome is Outcome.UNKNOWN_CODE:
            return UNKNOWN_CODE
        if found.candidates:
            return AMBIGUOUS
        if found.outcome is Outcome.OUTSIDE_COVERAGE and found.reason is Reason.CODE_INCOMPLETE:
            return NOT_FOUND if self._holds_title_or_rules(citation) else OUTSIDE_COVERAGE
        return OUTSIDE_COVERAGE if found.outcome is Outcome.OUTSIDE_COVERAGE else NOT_FOUND

    def _holds_title_or_rules(self, citation: Citation) -> bool:
        """Return True where some of the title that stands beside a number is held, or of the set of rules.

        A number that begins with its title does not tell: the code before it says nothing of the title.
        """
        head = key_head(citation_key(citation.target))
        names_part = citation.title is not None or citation.scheme != citation.code
        return names_part and self._resolver.finder.holds_any(head)
