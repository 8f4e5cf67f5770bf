"""Acts cited by name, resolved to the provisions in which they are codified."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from serving.contract.citations import Citation, Grammar, PopularName, format_section, read_one
from serving.contract.citations.citation import CONTAINER, SECTION
from serving.contract.citations.containers import ABBREVIATIONS
from serving.contract.citations.keys import act_section_key
from serving.contract.citations.spelling import format_pin
from serving.services.citations.provisions import ProvisionFinder
from serving.services.citations.resolution import (
    OUTCOME_OF_STATUS,
    Candidate,
    Outcome,
    Provision,
    Reason,
    Resolution,
)

_YEAR = re.compile(r"(?:,| of) \d{4}$")
MAX_CANDIDATES = 20
"""Most candidates for one section of an act: a law that enacts a title has hundreds."""


@dataclass(frozen=True, slots=True)
class _Codification:
    """A provision in which an act is codified.

    Attributes:
        candidate: the provision.
        whole: all of the act, or of its cited section, is there.
        outside: the code is not held.
    """

    candidate: Candidate
    whole: bool
    outside: bool = False


class ActResolver:
    """Resolves names of acts, and sections in an act's own numbering, without guessing."""

    def __init__(
        self,
        grammar: Grammar,
        finder: ProvisionFinder,
        resolve_citation: Callable[[Citation], Resolution],
        holds_code: Callable[[str], bool],
    ) -> None:
        self._grammar = grammar
        self._finder = finder
        self._resolve_citation = resolve_citation
        self._holds_code = holds_code

    def resolve(self, citation: Citation) -> Resolution:
        """Resolve the name of an act, or a section of it.

        An act is found where all of it is known to be one provision or container of a code; of several acts
        with one name, with or without a year, that must be known of each. A section is found where the code
        numbers it as the act does. Otherwise every place where the act or section is known to stand is a
        candidate, and so is the section of that number in the act's chapter of the code. An act of which no
        place is known, or none that is held, is not mapped; it is outside of what is held only where a code
        that is not held is known to have all of it.
        """
        acts = list(dict.fromkeys(citation.candidates))
        names = [name for act in acts for name in self._grammar.acts_called(act)]
        codifications = self._sections(citation, names) if citation.num else [*self._codifications(names)]
        codified = {codification.candidate.citation for codification in codifications if codification.whole}
        known = {codification.candidate.act for codification in codifications}
        if (
            citation.num
            and len(codified) == 1
            and all(codification.whole for codification in codifications)
            and known >= set(acts)
        ):
            found = self._by_own_number(citation, codified.pop() or "")
            if found is not None:
                return found
        if citation.num is None and {name.name for name in names} <= known and self._all_known(names):
            only = self._single_provision(codifications)
            if only is not None:
                return _found(citation, only)
        unknown = [Candidate(name.name, None, None) for name in names if name.name not in known]
        candidates = tuple(
            dict.fromkeys([*(codification.candidate for codification in codifications), *unknown])
        )
        held = any(candidate.provision is not None for candidate in candidates)
        outside = bool(codifications) and all(codification.outside for codification in codifications)
        several = len(acts) > 1
        reason = Reason.ACT if citation.num is None else Reason.ACT_NUMBERING
        written = _without_year(citation, acts) if several else citation.canonical
        return Resolution(
            input=written,
            outcome=Outcome.AMBIGUOUS
            if held or several
            else Outcome.OUTSIDE_COVERAGE
            if outside
            else Outcome.ACT_UNMAPPED,
            citation=written,
            candidates=candidates,
            reason=Reason.SEVERAL_ACTS if several else reason,
        )

    def _all_known(self, names: Sequence[PopularName]) -> bool:
        """Return True where the source of every name says its citation or its law."""
        return all(name.citation is not None or name.law is not None for name in names)

    def _codifications(self, names: Sequence[PopularName]) -> Iterator[_Codification]:
        """Yield the places where acts are codified, or begin."""
        for name in names:
            if name.citation is not None:
                yield self._codified_at(name, name.citation)

    def _sections(self, citation: Citation, names: Sequence[PopularName]) -> list[_Codification]:
        """Return the places of a section of each act; where no source says them, those of the act."""
        codifications: list[_Codification] = []
        for act in dict.fromkeys(name.name for name in names):
            own = [name for name in names if name.name == act]
            exact = [*self._numbered(citation, own), *self._credited(citation, own)]
            codifications += exact
            if not any(codification.whole for codification in exact):
                codifications += self._numbered_by_code(citation, own)
            if not exact:
                codifications += self._codifications(own)
        return list(dict.fromkeys(codifications))

    def _numbered(self, citation: Citation, names: Sequence[PopularName]) -> Iterator[_Codification]:
        """Yield the sections that a code numbers as the act does: in its title, or in an appendix."""
        for name in names:
            if name.codified:
                codification = self._codified_at(name, f"{name.citation} § {citation.num}")
                yield replace(codification, whole=True)
            for entry in self._finder.act_sections(name.name, citation.num or ""):
                provision = self._finder.of_entry(entry)
                yield _Codification(Candidate(name.name, provision.citation, provision), whole=True)

    def _numbered_by_code(self, citation: Citation, names: Sequence[PopularName]) -> Iterator[_Codification]:
        """Yield the sections of that number in the code, beside the places of an act: `FELA § 54`.

        People write the number of the code behind the name of the act too.
        """
        for name in names:
            place = read_one(name.citation, self._grammar) if name.citation and not name.codified else None
            if not isinstance(place, tuple) or place[0].act is not None or place[0].appendix:
                continue
            code, entries = self._grammar.code(place[0].scheme or ""), self._finder.entries(place[0].target)
            if code is None or code.scheme.kind != SECTION or len(entries) != 1:
                continue
            target = format_section(code.scheme, citation.num or "", title=place[0].title)
            numbered = self._finder.entries(target)
            found = self._finder.of_entry(numbered[0]) if len(numbered) == 1 else None
            if found is not None and self._finder.stands_beside(
                found.row, self._finder.of_entry(entries[0]).row
            ):
                yield _Codification(Candidate(name.name, found.citation, found), whole=False)

    def _credited(self, citation: Citation, names: Sequence[PopularName]) -> Iterator[_Codification]:
        """Yield the provisions whose source credits name that section of the act."""
        for name in names:
            if name.law is None:
                continue
            entries = self._finder.entries_of_key(act_section_key(name.law, citation.num or ""))
            for entry in entries[:MAX_CANDIDATES]:
                provision = self._finder.of_entry(entry)
                yield _Codification(Candidate(name.name, provision.citation, provision), whole=False)

    def _by_own_number(self, citation: Citation, target: str) -> Resolution | None:
        """Resolve the code section that an act's section is, with its pin cite; None if it cannot be read.

        Those of a range are the sections between its ends; parts of its ends are not read.
        """
        if citation.through is not None:
            return self._by_own_numbers(citation, target)
        labels = format_pin(citation.labels) + (
            f"-{format_pin(citation.labels_through)}" if citation.labels_through else ""
        )
        mark = target.find(f"§ {citation.num}")
        end = mark + len(f"§ {citation.num}")
        read = read_one(target[:end] + labels + target[end:], self._grammar) if mark >= 0 else None
        if not isinstance(read, tuple) or len(read) != 1:
            return None
        return replace(self._resolve_citation(read[0]), input=citation.canonical)

    def _by_own_numbers(self, citation: Citation, target: str) -> Resolution | None:
        title, mark, number = target.rpartition("§ ")
        if not mark or number != citation.num or citation.labels or citation.last_labels:
            return None
        read = read_one(f"{title}§§ {citation.num} to {citation.through}", self._grammar)
        if not isinstance(read, tuple) or len(read) != 1 or read[0].through != citation.through:
            return None
        return replace(self._resolve_citation(read[0]), input=citation.canonical)

    def _single_provision(self, codifications: Sequence[_Codification]) -> Provision | None:
        """Return the one provision that is all of an act; None if other parts of it lie elsewhere."""
        whole = {codification.candidate.provision for codification in codifications if codification.whole}
        if len(whole) != 1:
            return None
        (only,) = whole
        if only is None:
            return None
        provisions = (codification.candidate.provision for codification in codifications)
        inside = all(
            other is not None and (other.row == only.row or self._finder.is_within(other.row, only.row))
            for other in provisions
        )
        return only if inside else None

    def _codified_at(self, name: PopularName, citation: str) -> _Codification:
        stored = self._finder.entries(citation)
        if len(stored) == 1:  # as it is written, like nearly all of them: what it says need not be read
            provision = self._finder.of_entry(stored[0])
            whole = name.whole or provision.level in ABBREVIATIONS
            return _Codification(Candidate(name.name, citation, provision), whole)
        read = read_one(citation, self._grammar)
        target = read[0].target if isinstance(read, tuple) else citation
        entries = self._finder.entries(target)
        found = self._finder.of_entry(entries[0]) if len(entries) == 1 else None
        cited = read[0] if isinstance(read, tuple) else None
        whole = name.whole or (cited is not None and cited.kind == CONTAINER)
        outside = cited is not None and cited.code is not None and not self._holds_code(cited.code)
        return _Codification(Candidate(name.name, citation, found), whole, outside)


def _without_year(citation: Citation, acts: Sequence[str]) -> str:
    """Return a citation of several acts without a year, which would name one of them alone."""
    name = citation.act or ""
    bare = _YEAR.sub("", name)
    alike = all(_YEAR.sub("", act) == bare for act in acts)
    return citation.canonical.replace(name, bare, 1) if alike else citation.canonical


def _found(citation: Citation, only: Provision) -> Resolution:
    return Resolution(
        input=citation.canonical,
        outcome=OUTCOME_OF_STATUS[only.status],
        citation=only.citation,
        jurisdiction=only.jurisdiction,
        provision=only,
        reason=Reason.ACT,
    )
