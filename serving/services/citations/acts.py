"""Acts by name: where they are codified, as far as the law or the reviewed data says."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from serving.contract.citations import Citation, Grammar, PopularName, read_one
from serving.contract.citations.citation import CONTAINER, format_pin
from serving.contract.citations.grammar import ActName, name_spellings
from serving.contract.citations.keys import act_section_key
from serving.services.citations.provisions import ProvisionFinder
from serving.services.citations.resolution import OF_STATUS, Candidate, Outcome, Provision, Reason, Resolution

_YEAR = re.compile(r"(?:,| of) \d{4}$")
MAX_CANDIDATES = 20
"""Places of one act's section that are given: a law that enacts a title has hundreds."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an act is codified; `whole`: that is all of the act, or of its section that is cited."""

    candidate: Candidate
    whole: bool


class ActResolver:
    """Resolves the names of acts, and sections by their own numbering, in one law. Never a guess."""

    def __init__(
        self, grammar: Grammar, finder: ProvisionFinder, lead: Callable[[Citation], Resolution]
    ) -> None:
        self._grammar = grammar
        self._finder = finder
        self._lead = lead

    def resolve(self, citation: Citation) -> Resolution:
        """Return what the name of an act, or a section of it, leads to.

        An act that is one provision, or one container, of a code is found, where that is known of every act
        that the name may mean, with its year and without; so is a section where the code numbers it as the
        act does. Else the places where the section, or the act, is known to stand or begin are candidates.
        """
        acts = list(dict.fromkeys(citation.candidates))
        named = [name for act in acts for name in self._named(act)]
        places = self._sections(citation, named) if citation.num else [*self._homes(named)]
        codified = {place.candidate.citation for place in places if place.whole}
        known = {place.candidate.act for place in places}
        if (
            citation.num
            and len(codified) == 1
            and all(place.whole for place in places)
            and known >= set(acts)
        ):
            found = self._by_own_number(citation, codified.pop() or "")
            if found is not None:
                return found
        if citation.num is None and {name.name for name in named} <= known and self._all_known(named):
            only = self._only(places)
            if only is not None:
                return _found(citation, only)
        unknown = [Candidate(name.name, None, None) for name in named if name.name not in known]
        candidates = tuple(dict.fromkeys([*(place.candidate for place in places), *unknown]))
        held = any(candidate.provision is not None for candidate in candidates)
        several = len(acts) > 1
        reason = Reason.ACT if citation.num is None else Reason.ACT_NUMBERING
        written = _without_year(citation, acts) if several else citation.canonical
        return Resolution(
            input=written,
            outcome=Outcome.AMBIGUOUS if held or several else Outcome.OUTSIDE_COVERAGE,
            citation=written,
            candidates=candidates,
            reason=Reason.SEVERAL_ACTS if several else reason,
        )

    def _named(self, act: str) -> list[PopularName]:
        return [
            meaning.popular
            for meaning in self._grammar.meanings(name_spellings(act)[0])
            if isinstance(meaning, ActName) and meaning.popular.name == act
        ]

    def _all_known(self, named: Sequence[PopularName]) -> bool:
        """Return whether a place is known for whatever the names mean, but for what only says their law."""
        return all(name.citation is not None or name.law is not None for name in named)

    def _homes(self, named: Sequence[PopularName]) -> Iterator[_Place]:
        """Yield where acts are codified, or begin."""
        for name in named:
            if name.citation is not None:
                yield self._place(name, name.citation)

    def _sections(self, citation: Citation, named: Sequence[PopularName]) -> list[_Place]:
        """Return where a section of each act stands; where no source says it, where the act does."""
        places: list[_Place] = []
        for act in dict.fromkeys(name.name for name in named):
            own = [name for name in named if name.name == act]
            exact = [*self._numbered(citation, own), *self._credited(citation, own)]
            places += exact or self._homes(own)
        return list(dict.fromkeys(places))

    def _numbered(self, citation: Citation, named: Sequence[PopularName]) -> Iterator[_Place]:
        """Yield the section that the code numbers as the act does: in its title, or in an appendix."""
        for name in named:
            if name.codified:
                place = self._place(name, f"{name.citation} § {citation.num}")
                yield replace(place, whole=True)
            for entry in self._finder.of_act(name.name, citation.num or ""):
                provision = self._finder.of_entry(entry)
                yield _Place(Candidate(name.name, provision.citation, provision), whole=True)

    def _credited(self, citation: Citation, named: Sequence[PopularName]) -> Iterator[_Place]:
        """Yield the provisions whose source credits say that they are that section of the act."""
        for name in named:
            if name.law is None:
                continue
            entries = self._finder.under(act_section_key(name.law, citation.num or ""))
            for entry in entries[:MAX_CANDIDATES]:
                provision = self._finder.of_entry(entry)
                yield _Place(Candidate(name.name, provision.citation, provision), whole=False)

    def _by_own_number(self, citation: Citation, target: str) -> Resolution | None:
        """Return what the section of a code leads to that an act's section is, with the same pin cite."""
        labels = format_pin(citation.labels) + (
            f"-{format_pin(citation.labels_through)}" if citation.labels_through else ""
        )
        mark = target.find(f"§ {citation.num}")
        end = mark + len(f"§ {citation.num}")
        read = read_one(target[:end] + labels + target[end:], self._grammar) if mark >= 0 else None
        if not isinstance(read, tuple) or len(read) != 1:
            return None
        return replace(self._lead(read[0]), input=citation.canonical)

    def _only(self, places: Sequence[_Place]) -> Provision | None:
        """Return the one provision that is all of an act, if all else that is said of it lies within."""
        whole = {place.candidate.provision for place in places if place.whole}
        if len(whole) != 1:
            return None
        (only,) = whole
        if only is None:
            return None
        places_of_all = (place.candidate.provision for place in places)
        inside = all(
            other is not None and (other.row == only.row or self._finder.is_within(other.row, only.row))
            for other in places_of_all
        )
        return only if inside else None

    def _place(self, name: PopularName, citation: str) -> _Place:
        read = read_one(citation, self._grammar)
        target = read[0].target if isinstance(read, tuple) else citation
        entries = self._finder.entries(target)
        provision = self._finder.of_entry(entries[0]) if len(entries) == 1 else None
        # The law says of itself that it is called so, or a container is meant, which is nothing that begins.
        whole = citation == name.source or (isinstance(read, tuple) and read[0].kind == CONTAINER)
        return _Place(Candidate(name.name, citation, provision), whole)


def _without_year(citation: Citation, acts: Sequence[str]) -> str:
    """Return a citation of several acts without the year of any: none of them is what was written."""
    name = citation.act or ""
    bare = _YEAR.sub("", name)
    alike = all(_YEAR.sub("", act) == bare for act in acts)
    return citation.canonical.replace(name, bare, 1) if alike else citation.canonical


def _found(citation: Citation, only: Provision) -> Resolution:
    return Resolution(
        input=citation.canonical,
        outcome=OF_STATUS[only.status],
        citation=only.citation,
        jurisdiction=only.jurisdiction,
        provision=only,
        reason=Reason.ACT,
    )
