"""Resolver of one citation, as the grammar read it, to provisions of a law, without guessing."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from serving.contract.citations import Citation, CitationScheme, format_section
from serving.contract.citations.citation import CONTAINER, POPULAR_NAME, UNKNOWN_CODE, UNREAD
from serving.contract.citations.keys import citation_key, key_head
from serving.contract.citations.marks import MARK
from serving.contract.citations.source import fold
from serving.services.citations.acts import ActResolver
from serving.services.citations.codes_of_places import PlacelessCodes
from serving.services.citations.provisions import ProvisionFinder
from serving.services.citations.resolution import (
    OUTCOME_OF_STATUS,
    Candidate,
    Neighbours,
    Outcome,
    Provision,
    Reason,
    Resolution,
    Successor,
)
from serving.snapshot.law import Law

MAX_MEMBERS = 100
"""Most members of a list or range that are returned; the rest are counted."""
_TWO_NUMBERS = re.compile(r"(\d{1,6})-(\d{1,6})", re.ASCII)


class CitationResolver:
    """Resolves citations in one law to provisions, without the parts or notes that they pin there.

    Attributes:
        finder: finds the provisions of that law.
    """

    def __init__(self, law: Law) -> None:
        self.finder = ProvisionFinder(law)
        self._table = law.citations
        self._grammar = law.grammar
        self._bodies = {entry.key: entry for entry in law.code_bodies}

    def resolve(self, citation: Citation) -> Resolution:
        """Resolve a citation."""
        if citation.kind == POPULAR_NAME:
            acts = ActResolver(self._grammar, self.finder, self.resolve, self._bodies.__contains__)
            return acts.resolve(citation)
        if citation.kind == UNKNOWN_CODE:
            return self._of_unknown_code(citation)
        if citation.code is None:
            return _unread(citation)
        scheme = self._scheme(citation)
        found = self._of_scheme(citation, scheme)
        return found if found.law == scheme.law else replace(found, law=scheme.law)

    def _of_scheme(self, citation: Citation, scheme: CitationScheme) -> Resolution:
        """Resolve a citation of a known code."""
        if citation.code not in self._bodies:
            return _without_provision(citation, scheme, Outcome.OUTSIDE_COVERAGE, Reason.CODE_NOT_HELD)
        if citation.edition is not None:
            return _without_provision(citation, scheme, Outcome.OUTSIDE_COVERAGE, Reason.EDITION_NOT_HELD)
        if citation.kind == UNREAD:
            return _unread(citation)
        entries = self.finder.entries(citation.target)
        if not entries and citation.kind == CONTAINER:
            entries = self.finder.containers(citation, scheme)
        if not entries and scheme.container is not None:
            entries = self.finder.numbered_container(citation.target)
        if not entries and (citation.kind == CONTAINER or (citation.through and citation.act is None)):
            return self._range(citation, scheme)
        if not entries:
            return self._not_found(citation, scheme)
        provisions = [self.finder.of_entry(entry) for entry in entries]
        written = _as_stored(citation, provisions[0])
        if len(provisions) > 1:
            # Several containers have `13 U.S.C. subch. II`: the citation of one of them is not what is cited.
            alike = len({provision.citation for provision in provisions}) == 1
            return _of_several(written if alike else citation.canonical, provisions)
        return self._of_provision(written, provisions[0], entries[0], law=scheme.law)

    def _of_unknown_code(self, citation: Citation) -> Resolution:
        codes = PlacelessCodes(self._grammar, self.resolve, self._bodies.__contains__)
        of_places = codes.resolve(citation)
        if of_places is not None:
            return of_places
        name = citation.code_name or ""
        near = self._grammar.names_like(name)
        spelled = f"; spelled like it: {', '.join(f'`{one}`' for one in near)}" if near else ""
        return Resolution(
            input=citation.canonical,
            outcome=Outcome.UNKNOWN_CODE,
            citation=citation.canonical,
            code_name=name,
            expected=f"the name of a known code instead of `{name}`{spelled}",
        )

    def find_stored(self, text: str) -> Resolution | None:
        """Resolve text that equals a stored citation letter by letter; None if there is none.

        The grammar cannot read every citation of a source, such as those of headings.
        """
        entries = [entry for entry in self.finder.entries(text) if self._table.is_whole(entry)]
        if not entries:
            return None
        provisions = [self.finder.of_entry(entry) for entry in entries]
        if len(provisions) > 1:
            return _of_several(provisions[0].citation, provisions)
        return self._of_provision(provisions[0].citation, provisions[0], entries[0])

    def rows_of_range(self, citation: Citation) -> Sequence[int]:
        """Return the rows of the provisions in a range of numbers, or of containers, in their order."""
        scheme = self._scheme(citation)
        if citation.kind == CONTAINER:
            return self.finder.container_range(citation, scheme)
        first, last = (end.target for end in self._range_ends(citation, scheme))
        containers = self.finder.numbered_container_range(first, last) if scheme.container else ()
        return containers or self.finder.rows_between(first, last)

    def last_of_range(self, citation: Citation) -> Resolution:
        """Resolve the last number of a range."""
        scheme = self._scheme(citation)
        return self.resolve(self._range_ends(citation, scheme)[1])

    def as_range(self, citation: Citation, written: str) -> Citation:
        """Read `§§ 1-7` as a range where the code has no section 1-7, but sections 1 and 7.

        Args:
            citation: the citation as it was read.
            written: text that it was read from; only a mark such as `§§` announces a range.
        """
        ends = _TWO_NUMBERS.fullmatch(citation.num or "")
        if ends is None:
            return citation
        several = citation.listing is not None or any(mark["many"] for mark in MARK.finditer(fold(written)))
        return self._as_range(citation, ends) if several else citation

    def _as_range(self, citation: Citation, ends: re.Match[str]) -> Citation:
        code = self._grammar.code(citation.scheme or "")
        if code is None or citation.labels or self.finder.entries(citation.target):
            return citation
        first, last = (_range_end(citation, code.scheme, number) for number in ends.groups())
        if int(ends[1]) >= int(ends[2]) or not (
            self.finder.entries(first.target) and self.finder.entries(last.target)
        ):
            return citation
        whole = _range_end(citation, code.scheme, f"{ends[1]} to {ends[2]}")
        return replace(whole, num=ends[1], through=ends[2], listing=None)

    def is_complete(self, citation: Citation, code: str) -> bool:
        """Return True where all of a code is held, or of the title cited, of which no appendix is a part."""
        body = self._bodies.get(code)
        if body is None or body.complete:
            return body is not None
        title = citation.title or self._scheme(citation).title_in(citation.num or "")
        whole = title is not None and not citation.appendix and _is_among(title, body.whole_titles)
        return whole or self._has_no_such_title(citation, code)

    def _has_no_such_title(self, citation: Citation, code: str) -> bool:
        titles = self._bodies[code].titles if code in self._bodies else ()
        return bool(titles) and citation.title is not None and citation.title not in titles

    def _of_provision(
        self, citation: str, provision: Provision, entry: int, *, law: str | None = None
    ) -> Resolution:
        outcome = OUTCOME_OF_STATUS[provision.status]
        return Resolution(
            input=citation,
            outcome=outcome,
            citation=citation,
            law=law,
            jurisdiction=provision.jurisdiction,
            provision=provision,
            successor=self._successor(entry) if outcome is not Outcome.FOUND else None,
        )

    def _successor(self, entry: int) -> Successor | None:
        citation = self._table.successor(entry)
        if citation is None:
            return None
        entries = self.finder.entries(citation)
        return Successor(citation, self.finder.of_entry(entries[0]) if len(entries) == 1 else None)

    def _range(self, citation: Citation, scheme: CitationScheme) -> Resolution:
        """Resolve a range: its provisions, and its ends where the code has no such number."""
        rows = self.rows_of_range(citation)
        if not rows:
            return self._not_found(citation, scheme)
        # Containers are a range where both ends stand.
        ends = self._range_ends(citation, scheme) if citation.kind != CONTAINER else ()
        before, after = self._missing(ends[:1], scheme), self._missing(ends[1:], scheme)
        shown = self.finder.first_rows(rows, MAX_MEMBERS - len(before + after))
        inside = [self._member(self.finder.of_row(row)) for row in shown]
        count = len(before) + len(rows) + len(after)
        return resolution_of_list(citation.canonical, citation.canonical, [*before, *inside, *after], count)

    def _missing(self, ends: Sequence[Citation], scheme: CitationScheme) -> list[Resolution]:
        """Return the resolutions of those ends of a range that no provision bears."""
        finder = self.finder
        return [
            self._not_found(end, scheme)
            for end in ends
            if not (finder.entries(end.target) or finder.numbered_container(end.target))
        ]

    def _range_ends(self, citation: Citation, scheme: CitationScheme) -> Sequence[Citation]:
        return [_range_end(citation, scheme, number) for number in (citation.num, citation.through)]

    def _member(self, provision: Provision) -> Resolution:
        return Resolution(
            input=provision.citation,
            outcome=OUTCOME_OF_STATUS[provision.status],
            citation=provision.citation,
            jurisdiction=provision.jurisdiction,
            provision=provision,
        )

    def _not_found(self, citation: Citation, scheme: CitationScheme) -> Resolution:
        """Resolve a citation that no provision of a held code has; the outcome says why."""
        if scheme.key != scheme.code and not self.finder.holds_any(key_head(citation_key(citation.target))):
            return _without_provision(citation, scheme, Outcome.OUTSIDE_COVERAGE, Reason.CODE_NOT_HELD)
        borne = self.finder.in_appendix(citation, scheme)
        if borne:
            several = _of_several(citation.canonical, [self.finder.of_entry(entry) for entry in borne])
            return replace(several, outcome=Outcome.AMBIGUOUS, reason=Reason.ACT_NUMBERING)
        unknown = citation.containers and not self.finder.holds_containers(citation, scheme)
        unknown = unknown and not self._has_no_such_title(citation, scheme.code)
        if unknown or not self.is_complete(citation, scheme.code):
            return _without_provision(citation, scheme, Outcome.OUTSIDE_COVERAGE, Reason.CODE_INCOMPLETE)
        beside = self.finder.neighbours(citation.target)
        return _without_provision(citation, scheme, Outcome.NOT_IN_CODE, None, neighbours=beside)

    def _scheme(self, citation: Citation) -> CitationScheme:
        code = self._grammar.code(citation.scheme or "")
        if code is None:
            raise LookupError(f"the grammar read {citation.canonical!r} by a scheme that it does not have")
        return code.scheme


def _is_among(title: str, titles: Sequence[str]) -> bool:
    return title.casefold() in map(str.casefold, titles)


def _without_provision(
    citation: Citation,
    scheme: CitationScheme,
    outcome: Outcome,
    reason: Reason | None,
    *,
    neighbours: Neighbours | None = None,
) -> Resolution:
    return Resolution(
        input=citation.canonical,
        outcome=outcome,
        citation=citation.canonical,
        law=scheme.law,
        jurisdiction=scheme.jurisdiction or None,
        reason=reason,
        neighbours=neighbours,
    )


def _unread(citation: Citation) -> Resolution:
    expected = "the code that it belongs to" if citation.code is None else "the end of the citation"
    return Resolution(
        input=citation.canonical, outcome=Outcome.UNPARSED, offset=citation.unread, expected=expected
    )


def _of_several(citation: str, provisions: Sequence[Provision]) -> Resolution:
    """Resolve a number that several provisions have: ambiguous, unless all are dead in the same way."""
    outcomes = {OUTCOME_OF_STATUS[provision.status] for provision in provisions}
    alike = len(outcomes) == 1 and Outcome.FOUND not in outcomes
    return Resolution(
        input=citation,
        outcome=outcomes.pop() if alike else Outcome.AMBIGUOUS,
        citation=citation,
        jurisdiction=provisions[0].jurisdiction,
        candidates=tuple(Candidate(None, provision.citation, provision) for provision in provisions),
        reason=Reason.SEVERAL_PROVISIONS,
    )


def resolution_of_list(text: str, citation: str, members: Sequence[Resolution], count: int) -> Resolution:
    """Return the resolution of a list: found where every member is, else the first other outcome, and why."""
    failing = next((member for member in members if member.outcome is not Outcome.FOUND), None)
    jurisdictions = {member.jurisdiction for member in members}
    return Resolution(
        input=text,
        outcome=failing.outcome if failing else Outcome.FOUND,
        citation=citation,
        reason=failing.reason if failing else None,
        jurisdiction=jurisdictions.pop() if len(jurisdictions) == 1 else None,
        members=tuple(members[:MAX_MEMBERS]),
        member_count=count,
    )


def _range_end(citation: Citation, scheme: CitationScheme, number: str | None) -> Citation:
    target = format_section(scheme, number or "", title=citation.title, appendix=citation.appendix)
    return replace(citation, target=target, canonical=target, num=number, through=None)


def _as_stored(citation: Citation, provision: Provision) -> str:
    """Return a citation in the spelling of its provision: `§ 2000e-2(a)` for `§ 2000E-2(a)`."""
    if citation.target == provision.citation:
        return citation.canonical
    same = citation_key(citation.target) == citation_key(provision.citation)
    if not same or len(citation.target) != len(provision.citation):
        return citation.canonical if citation.kind != CONTAINER else provision.citation
    # A pin cite follows the number; the citation of an act's section goes on after it.
    pairs = zip(citation.target, citation.canonical, strict=False)
    number_ends = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return provision.citation[:number_ends] + citation.canonical[number_ends:]
