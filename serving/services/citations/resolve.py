"""Resolve typed citations, and those read in a text, to provisions and spans of their text."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from serving.contract.citations import Citation, Unparsed, read_one
from serving.contract.citations.asides import cited_together
from serving.contract.citations.cases import is_case
from serving.contract.citations.scheme import COURT
from serving.contract.records import IN_FORCE
from serving.services.citations.citation_resolver import CitationResolver, resolution_of_list
from serving.services.citations.law_of_other_times import LawOfOtherTimes
from serving.services.citations.parallel_citations import acts_by_place
from serving.services.citations.pins import find_pin
from serving.services.citations.resolution import (
    OUTCOME_OF_STATUS,
    Candidate,
    Outcome,
    PinCite,
    PinReason,
    Provision,
    Reason,
    Resolution,
)
from serving.services.notes import cited_notes
from serving.snapshot.law import Law


def resolve(law: Law, text: str, *, explain: bool = True) -> Resolution:
    """Resolve text that should be one citation, list or range; other text is `unparsed`.

    Args:
        law: the law.
        text: the text.
        explain: likewise of `read_one`.
    """
    return _TextResolver(law).resolve(text, explain=explain)


def standing(law: Law) -> Callable[[Citation], bool]:
    """Return a test for what a citation names: the law has it, with or without the part that is pinned."""
    resolver = CitationResolver(law)
    known: dict[str, bool] = {}

    def stands(citation: Citation) -> bool:
        if citation.target not in known:
            found = resolver.resolve(citation)
            known[citation.target] = found.provision is not None or bool(found.members or found.candidates)
        return known[citation.target]

    return stands


def resolution_of_case(text: str) -> Resolution:
    """Return the resolution of a citation of a decision."""
    return Resolution(
        input=text, outcome=Outcome.UNCHECKED, citation=" ".join(text.split()), reason=Reason.CASE, law=COURT
    )


def join_lists(law: Law, text: str, read: Sequence[Citation]) -> list[Citation]:
    """Return citations read in a text, with a list or range as one where a provision is numbered by it."""
    return list(_TextResolver(law).join_lists(read, text))


def resolve_citations(
    law: Law, text: str, read: Sequence[Citation], asked: Sequence[Citation]
) -> list[Resolution]:
    """Resolve citations read in a text.

    Args:
        law: the law.
        text: the text.
        read: all of its citations, as `join_lists` returns them: what is said of a list is said once.
        asked: those to resolve.
    """
    resolver = _TextResolver(law)
    times = LawOfOtherTimes(law, text, read)
    meant = resolver.acts_by_place(text, read, asked)
    known: dict[Citation, Resolution] = {}
    found = []
    for citation in asked:
        anywhere = replace(meant.get(citation, citation), start=0, end=0)
        if anywhere not in known:
            known[anywhere] = resolver.cited(anywhere)
        own = times.judged(citation, known[anywhere])
        written = text[citation.start : citation.end]
        found.append(replace(own, input=written, inferred=citation.inferred))
    return found


class _TextResolver:
    """Resolves texts in one law."""

    def __init__(self, law: Law) -> None:
        self._law = law
        self._nodes = law.nodes
        self._grammar = law.grammar
        self._citations = CitationResolver(law)

    def resolve(self, text: str, *, explain: bool = True) -> Resolution:
        read = read_one(text, self._grammar, explain=explain)
        if isinstance(read, Unparsed) or len(read) > 1:
            # Headings in an appendix are cited so: `5 U.S.C. app. Ethics in Government Act of 1978, tit. I`.
            stored = self._citations.find_stored(text)
            if stored is not None:
                return replace(stored, input=text)
        if isinstance(read, Unparsed) and is_case(text):
            return resolution_of_case(text)
        if isinstance(read, Unparsed):
            return Resolution(
                input=text, outcome=Outcome.UNPARSED, offset=read.offset, expected=read.expected
            )
        cited = list(self.join_lists(read, text))
        times = LawOfOtherTimes(self._law, text, cited)
        meant = self.acts_by_place(text, cited, cited)
        found = [times.judged(one, self.cited(meant.get(one, one))) for one in cited]
        if len(cited) == 1:
            return found[0] if found[0].input == text else replace(found[0], input=text)
        members = [
            replace(own, input=text[one.start : one.end]) for one, own in zip(cited, found, strict=True)
        ]
        return resolution_of_list(text, _canonical(cited, found), members, len(members))

    def join_lists(self, read: Sequence[Citation], text: str) -> Iterator[Citation]:
        """Yield citations, the members of a list as one where a provision is numbered by that list."""
        for members in cited_together(read):
            listing = members[0].listing
            plain = not any(member.labels or member.note or member.et_seq for member in members)
            if listing is not None and plain and self._citations.finder.entries(listing):
                yield replace(members[0], target=listing, canonical=listing, end=members[-1].end)
                continue
            for member in members:
                yield self._citations.as_range(member, text[member.start : member.end])

    def acts_by_place(
        self, text: str, read: Sequence[Citation], asked: Sequence[Citation]
    ) -> Mapping[Citation, Citation]:
        """Return citations by the name of several acts, as those of the one whose place stands behind."""
        return acts_by_place(text, read, asked, self._citations.finder, self._citations.resolve)

    def cited(self, citation: Citation) -> Resolution:
        """Resolve one citation with its pin cite or note."""
        found = self._citations.resolve(citation)
        if citation.through is not None and found.members:
            return self._with_ends(citation, found)
        provision = found.provision
        if provision is None or not (citation.labels or citation.note):
            return found
        answer = self._nodes.answer(provision.row)
        if citation.note and not cited_notes(answer["notes"]):
            return self._without_note(citation, found, provision)
        if citation.labels:
            found = _pinned(found, answer, citation.labels, citation.labels_through)
        return replace(found, reason=Reason.NOTE) if citation.note else found

    def _with_ends(self, citation: Citation, found: Resolution) -> Resolution:
        """Return a range with the pin cites of its first and last number."""
        members = list(found.members)
        if citation.labels:
            members[0] = self._pinned(members[0], citation.labels, citation.labels_through)
        if citation.last_labels:
            last = self._citations.last_of_range(citation)
            members[-1] = self._pinned(last, citation.last_labels, ())
        return replace(
            resolution_of_list(found.input, found.citation or "", members, found.member_count), law=found.law
        )

    def _pinned(self, found: Resolution, labels: Sequence[str], through: Sequence[str]) -> Resolution:
        """Return a resolution with a pin cite in its provision."""
        if found.provision is None:
            return found
        return _pinned(found, self._nodes.answer(found.provision.row), labels, through)

    def _without_note(self, citation: Citation, found: Resolution, provision: Provision) -> Resolution:
        complete = self._citations.is_complete(citation, citation.code or "")
        return Resolution(
            input=found.input,
            outcome=Outcome.NOT_IN_CODE if complete else Outcome.OUTSIDE_COVERAGE,
            citation=found.citation,
            jurisdiction=found.jurisdiction,
            candidates=(Candidate(None, provision.citation, provision),),
            reason=Reason.NO_NOTE,
        )


def _pinned(
    found: Resolution, answer: Mapping[str, Any], labels: Sequence[str], through: Sequence[str]
) -> Resolution:
    """Return a resolution with a pin cite in its provision, by the ready answer of that."""
    return _with_pin(found, find_pin(answer["outline"], labels, through, text=answer["text"]))


def _with_pin(found: Resolution, pin: PinCite) -> Resolution:
    """Return a resolution with its pin cite: where the part is missing, that is the outcome."""
    if found.outcome is not Outcome.FOUND:
        return replace(found, pin=pin)
    if pin.reason is PinReason.SEVERAL_PARTS:
        return replace(found, pin=pin, outcome=Outcome.AMBIGUOUS, reason=Reason.SEVERAL_PARTS)
    if not pin.found:
        return replace(found, pin=pin, outcome=Outcome.PIN_NOT_FOUND)
    if pin.status != IN_FORCE:
        return replace(found, pin=pin, outcome=OUTCOME_OF_STATUS[pin.status], reason=Reason.DEAD_PART)
    return replace(found, pin=pin)


def _canonical(read: Sequence[Citation], found: Sequence[Resolution]) -> str:
    """Return the canonical citation of a list: under one `§§` where its members allow it.

    Acts of another time than those that are known go by the names that they are found not to be held by.
    """
    if read[0].candidates and any(one.reason is Reason.EDITION_NOT_HELD for one in found):
        return "; ".join(one.citation or one.input for one in found)
    listing = read[0].listing
    plain = all(member.listing == listing and member.canonical == member.target for member in read)
    plain = plain and len({member.target for member in read}) == len(read)  # a listing names each once
    return listing if listing is not None and plain else "; ".join(member.canonical for member in read)
