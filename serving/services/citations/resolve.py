"""Resolve citations as people type them: to a provision and a span of its text, or to why there is none."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from serving.contract.citations import Citation, Unparsed, read_one
from serving.services.citations.citation_resolver import CitationLeader, list_of
from serving.services.citations.pins import find_pin
from serving.services.citations.resolution import Candidate, Outcome, Provision, Reason, Resolution
from serving.snapshot.law import Law

_NO_NOTES = ("footnote", "reason")
"""Topics of what stands beside a provision and is never cited as a note."""


def resolve(law: Law, text: str) -> Resolution:
    """Return what one citation, list or range leads to in a snapshot. Text that is none is `unparsed`."""
    return _Resolver(law).resolve(text)


def joined(law: Law, text: str, read: Sequence[Citation]) -> list[Citation]:
    """Return the citations that were read in a text, lists and ranges as one where provisions go by them."""
    return list(_Resolver(law).joined(read, text))


def resolve_read(law: Law, text: str, read: Sequence[Citation]) -> list[Resolution]:
    """Return what citations that were read in a text lead to, each as `joined` gives it."""
    resolver = _Resolver(law)
    known: dict[Citation, Resolution] = {}
    found = []
    for citation in read:
        anywhere = replace(citation, start=0, end=0)
        if anywhere not in known:
            known[anywhere] = resolver.cited(citation)
        found.append(replace(known[anywhere], input=text[citation.start : citation.end]))
    return found


class _Resolver:
    """Resolves in one snapshot."""

    def __init__(self, law: Law) -> None:
        self._nodes = law.nodes
        self._grammar = law.grammar
        self._leader = CitationLeader(law)

    def resolve(self, text: str) -> Resolution:
        read = read_one(text, self._grammar)
        if isinstance(read, Unparsed) or len(read) > 1:
            # So are headings in an appendix cited: `5 U.S.C. app. Ethics in Government Act of 1978, tit. I`.
            stored = self._leader.stored(text)
            if stored is not None:
                return replace(stored, input=text)
        if isinstance(read, Unparsed):
            return Resolution(
                input=text, outcome=Outcome.UNPARSED, offset=read.offset, expected=read.expected
            )
        cited = list(self.joined(read, text))
        members = [
            replace(self.cited(citation), input=text[citation.start : citation.end]) for citation in cited
        ]
        if len(members) == 1:
            return replace(members[0], input=text)
        return list_of(text, _written(cited), members, len(members))

    def joined(self, read: Sequence[Citation], text: str) -> Iterator[Citation]:
        """Yield citations; the members of a list as one where a provision goes by that list."""
        for listing, group in groupby(read, key=lambda citation: citation.listing):
            members = list(group)
            plain = not any(member.labels or member.note or member.et_seq for member in members)
            if listing is not None and plain and self._leader.finder.entries(listing):
                yield replace(members[0], target=listing, canonical=listing, end=members[-1].end)
                continue
            for member in members:
                yield self._leader.as_range(member, text[member.start : member.end])

    def cited(self, citation: Citation) -> Resolution:
        """Return what one citation leads to, with the part that it pins."""
        found = self._leader.lead(citation)
        provision = found.provision
        if provision is None or not (citation.labels or citation.note):
            return found
        answer = self._nodes.answer(provision.row)
        if citation.note and all(note["topic"] in _NO_NOTES for note in answer["notes"]):
            return self._without_note(citation, found, provision)
        pin = None
        if citation.labels:
            pin = find_pin(answer["outline"], citation.labels, citation.labels_through, text=answer["text"])
        return replace(found, pin=pin, reason=Reason.NOTE if citation.note else found.reason)

    def _without_note(self, citation: Citation, found: Resolution, provision: Provision) -> Resolution:
        complete = self._leader.is_complete(citation.code or "")
        return Resolution(
            input=found.input,
            outcome=Outcome.NOT_IN_CODE if complete else Outcome.OUTSIDE_COVERAGE,
            citation=found.citation,
            jurisdiction=found.jurisdiction,
            candidates=(Candidate(None, provision.citation, provision),),
            reason=Reason.NO_NOTE,
        )


def _written(read: Sequence[Citation]) -> str:
    """Return a list as it is to be written: under one `§§` where its members allow it."""
    listing = read[0].listing
    plain = all(member.listing == listing and member.canonical == member.target for member in read)
    plain = plain and len({member.target for member in read}) == len(read)  # a listing names each once
    return listing if listing is not None and plain else "; ".join(member.canonical for member in read)
