"""Resolve citations as people type them: to a provision and a span of its text, or to why there is none."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, takewhile

import orjson

from serving.contract.citations import Citation, CitationScheme, Unparsed, format_section, read_one
from serving.contract.citations.citation import CONTAINER, POPULAR_NAME
from serving.contract.citations.folding import fold
from serving.contract.citations.keys import citation_key, key_head
from serving.contract.citations.numbers import MARK
from serving.services.acts import resolve_act
from serving.services.outcomes import (
    OF_STATUS,
    Candidate,
    Outcome,
    PinCite,
    Provision,
    Reason,
    Resolution,
    Successor,
)
from serving.services.pins import find_pin
from serving.services.provisions import ProvisionFinder
from serving.snapshot.law import CitedLaw

MAX_MEMBERS = 100
"""Members of a list or range that are given; the rest are counted."""
_TWO_NUMBERS = re.compile(r"(\d{1,6})-(\d{1,6})", re.ASCII)


def resolve(snapshot: CitedLaw, text: str) -> Resolution:
    """Return what one citation, list or range leads to in a snapshot. Text that is none is `unparsed`."""
    return _Resolver(snapshot).resolve(text)


class _Resolver:
    """Resolves in one snapshot."""

    def __init__(self, snapshot: CitedLaw) -> None:
        self._nodes = snapshot.nodes
        self._table = snapshot.citations
        self._grammar = snapshot.grammar
        self._bodies = {entry.key: entry for entry in snapshot.code_bodies}
        self._finder = ProvisionFinder(snapshot)

    def resolve(self, text: str) -> Resolution:
        read = read_one(text, self._grammar)
        if isinstance(read, Unparsed) or len(read) > 1:
            stored = self._stored(text)
            if stored is not None:
                return stored
        if isinstance(read, Unparsed):
            return Resolution(
                input=text, outcome=Outcome.UNPARSED, offset=read.offset, expected=read.expected
            )
        cited = list(self._joined(read, text))
        members = [
            replace(self._cited(citation), input=text[citation.start : citation.end]) for citation in cited
        ]
        if len(members) == 1:
            return replace(members[0], input=text)
        return _list(text, _written(cited), members, len(members))

    def _stored(self, text: str) -> Resolution | None:
        """Return the provision that goes by just this, where the grammar reads something else or nothing.

        So are headings in an appendix cited: `5 U.S.C. app. Ethics in Government Act of 1978, tit. I`.
        """
        entries = [entry for entry in self._finder.entries(text) if self._table.is_whole(entry)]
        if not entries:
            return None
        provisions = [self._finder.of_entry(entry) for entry in entries]
        if len(provisions) > 1:
            return replace(_several(provisions[0].citation, provisions), input=text)
        return replace(self._one(provisions[0].citation, provisions[0], entries[0]), input=text)

    def _joined(self, read: Sequence[Citation], text: str) -> Iterator[Citation]:
        """Yield citations; the members of a list as one where a provision goes by that list."""
        folded = fold(text)
        for listing, group in groupby(read, key=lambda citation: citation.listing):
            members = list(group)
            plain = not any(member.labels or member.note or member.et_seq for member in members)
            if listing is not None and plain and self._finder.entries(listing):
                yield replace(members[0], target=listing, canonical=listing, end=members[-1].end)
                continue
            for member in members:
                marks = MARK.finditer(folded, member.start, member.end)
                if listing is not None or any(mark.group("many") for mark in marks):
                    yield self._as_range(member)
                else:
                    yield member

    def _as_range(self, citation: Citation) -> Citation:
        """Read `§§ 1-7` as a range where the code has no section 1-7, but sections 1 and 7."""
        ends = _TWO_NUMBERS.fullmatch(citation.num or "")
        code = self._grammar.code(citation.scheme or "")
        if ends is None or code is None or citation.labels or self._finder.entries(citation.target):
            return citation
        first, last = (_end(citation, code.scheme, number) for number in ends.groups())
        if int(ends[1]) >= int(ends[2]) or not (
            self._finder.entries(first.target) and self._finder.entries(last.target)
        ):
            return citation
        whole = _end(citation, code.scheme, f"{ends[1]} to {ends[2]}")
        return replace(whole, num=ends[1], through=ends[2], listing=None)

    def _cited(self, citation: Citation) -> Resolution:
        if citation.kind == POPULAR_NAME:
            return resolve_act(citation, self._grammar, self._finder)
        scheme = self._scheme(citation)
        if citation.code not in self._bodies:
            return _missing(citation, scheme, Outcome.OUTSIDE_COVERAGE, Reason.CODE_NOT_HELD)
        entries = self._finder.entries(citation.target)
        if not entries and citation.kind == CONTAINER:
            entries = self._finder.containers(citation, scheme)
        if not entries and citation.through is not None and citation.act is None:
            return self._range(citation, scheme)
        if not entries:
            return self._lacking(citation, scheme)
        provisions = [self._finder.of_entry(entry) for entry in entries]
        written = _spelled(citation, provisions[0])
        if len(provisions) > 1:
            return _several(written, provisions)
        found = self._one(written, provisions[0], entries[0])
        pin = self._pin(citation, provisions[0].row) if citation.labels else None
        return replace(found, pin=pin, reason=Reason.NOTE if citation.note else None)

    def _one(self, citation: str, provision: Provision, entry: int) -> Resolution:
        outcome = OF_STATUS[provision.status]
        return Resolution(
            input=citation,
            outcome=outcome,
            citation=citation,
            jurisdiction=provision.jurisdiction,
            provision=provision,
            successor=self._successor(entry) if outcome is not Outcome.FOUND else None,
        )

    def _pin(self, citation: Citation, row: int) -> PinCite:
        outline = orjson.loads(self._nodes.body(row).plain)["outline"]
        length = len(self._nodes.text(row))
        return find_pin(outline, citation.labels, citation.labels_through, length=length)

    def _successor(self, entry: int) -> Successor | None:
        citation = self._table.successor(entry)
        if citation is None:
            return None
        entries = self._finder.entries(citation)
        return Successor(citation, self._finder.of_entry(entries[0]) if len(entries) == 1 else None)

    def _range(self, citation: Citation, scheme: CitationScheme) -> Resolution:
        """Return the provisions from the first number of a range to the last, and the ends that lack."""
        ends = [_end(citation, scheme, number) for number in (citation.num, citation.through)]
        rows = self._finder.between(ends[0].target, ends[1].target)
        if not rows:
            return self._lacking(citation, scheme)
        before, after = (
            [] if self._finder.entries(end.target) else [self._lacking(end, scheme)] for end in ends
        )
        inside = [self._inside(self._finder.of_row(row)) for row in rows[: MAX_MEMBERS - len(before + after)]]
        count = len(before) + len(rows) + len(after)
        return _list(citation.canonical, citation.canonical, [*before, *inside, *after], count)

    def _inside(self, provision: Provision) -> Resolution:
        return Resolution(
            input=provision.citation,
            outcome=OF_STATUS[provision.status],
            citation=provision.citation,
            jurisdiction=provision.jurisdiction,
            provision=provision,
        )

    def _lacking(self, citation: Citation, scheme: CitationScheme) -> Resolution:
        """Return the outcome of what the snapshot lacks of a code that it holds."""
        if scheme.key != scheme.code and not self._finder.holds_any(key_head(citation_key(citation.target))):
            return _missing(citation, scheme, Outcome.OUTSIDE_COVERAGE, Reason.CODE_NOT_HELD)
        borne = self._finder.in_appendix(citation, scheme)
        if borne:
            several = _several(citation.canonical, [self._finder.of_entry(entry) for entry in borne])
            return replace(several, outcome=Outcome.AMBIGUOUS, reason=Reason.ACT_NUMBERING)
        unknown = citation.containers and not self._finder.holds_containers(citation, scheme)
        if unknown or not self._bodies[scheme.code].complete:
            return _missing(citation, scheme, Outcome.OUTSIDE_COVERAGE, Reason.CODE_INCOMPLETE)
        missing = _missing(citation, scheme, Outcome.NOT_IN_CODE, None)
        return replace(missing, neighbours=self._finder.neighbours(citation.target))

    def _scheme(self, citation: Citation) -> CitationScheme:
        code = self._grammar.code(citation.scheme or "")
        if code is None:
            raise LookupError(f"the grammar read {citation.canonical!r} by a scheme that it does not have")
        return code.scheme


def _missing(
    citation: Citation, scheme: CitationScheme, outcome: Outcome, reason: Reason | None
) -> Resolution:
    return Resolution(
        input=citation.canonical,
        outcome=outcome,
        citation=citation.canonical,
        jurisdiction=scheme.jurisdiction,
        reason=reason,
    )


def _several(citation: str, provisions: Sequence[Provision]) -> Resolution:
    """Return the outcome of a number that several provisions bear: all dead alike, or ambiguous."""
    outcomes = {OF_STATUS[provision.status] for provision in provisions}
    alike = len(outcomes) == 1 and Outcome.FOUND not in outcomes
    return Resolution(
        input=citation,
        outcome=outcomes.pop() if alike else Outcome.AMBIGUOUS,
        citation=citation,
        jurisdiction=provisions[0].jurisdiction,
        candidates=tuple(Candidate(None, provision.citation, provision) for provision in provisions),
        reason=Reason.SEVERAL_PROVISIONS,
    )


def _list(text: str, citation: str, members: Sequence[Resolution], count: int) -> Resolution:
    """Return the resolution of a list: found where every member is, else as the first that is not."""
    failing = [member.outcome for member in members if member.outcome is not Outcome.FOUND]
    jurisdictions = {member.jurisdiction for member in members}
    return Resolution(
        input=text,
        outcome=failing[0] if failing else Outcome.FOUND,
        citation=citation,
        jurisdiction=jurisdictions.pop() if len(jurisdictions) == 1 else None,
        members=tuple(members[:MAX_MEMBERS]),
        member_count=count,
    )


def _written(read: Sequence[Citation]) -> str:
    """Return a list as it is to be written: under one `§§` where its members allow it."""
    listing = read[0].listing
    plain = all(member.listing == listing and member.canonical == member.target for member in read)
    plain = plain and len({member.target for member in read}) == len(read)  # a listing names each once
    return listing if listing is not None and plain else "; ".join(member.canonical for member in read)


def _end(citation: Citation, scheme: CitationScheme, number: str | None) -> Citation:
    target = format_section(scheme, number or "", title=citation.title, appendix=citation.appendix)
    return replace(citation, target=target, canonical=target, num=number, through=None)


def _spelled(citation: Citation, provision: Provision) -> str:
    """Return a citation in the provision's own spelling: `§ 2000e-2(a)` for `§ 2000E-2(a)`."""
    same = citation_key(citation.target) == citation_key(provision.citation)
    if not same or len(citation.target) != len(provision.citation):
        return citation.canonical if citation.kind != CONTAINER else provision.citation
    # Pin cites stand right after the number, behind which the citation of an act's section goes on.
    pairs = zip(citation.target, citation.canonical, strict=False)
    number_ends = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return provision.citation[:number_ends] + citation.canonical[number_ends:]
