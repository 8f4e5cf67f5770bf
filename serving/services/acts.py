"""Acts by name: where they are codified, as far as the law or the reviewed data says."""

from collections.abc import Sequence
from dataclasses import dataclass

from serving.contract.citations import Citation, Grammar, PopularName, read_one
from serving.contract.citations.citation import CONTAINER
from serving.contract.citations.grammar import NamedAct
from serving.contract.citations.names import spellings
from serving.services.outcomes import OF_STATUS, Candidate, Outcome, Provision, Reason, Resolution
from serving.services.provisions import ProvisionFinder


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an act is codified; `whole`: that is all of the act, else but where it begins."""

    candidate: Candidate
    whole: bool


def resolve_act(citation: Citation, grammar: Grammar, finder: ProvisionFinder) -> Resolution:
    """Return what the name of an act, or a section by its own numbering, leads to. Never a guess.

    An act that is one provision, or one container, of a code is found, where that is known of every act that
    the name may mean, with its year and without. One that begins at a section has that section for a
    candidate, and so has every section by the act's own numbering, which no source maps to the code.
    """
    named = [popular for act in dict.fromkeys(citation.candidates) for popular in _named(act, grammar)]
    places = [_place(name, name.citation, grammar, finder) for name in named if name.citation is not None]
    if citation.num is None and len(places) == len(named):
        only = _only(places, finder)
        if only is not None:
            return Resolution(
                input=citation.canonical,
                outcome=OF_STATUS[only.status],
                citation=only.citation,
                jurisdiction=only.jurisdiction,
                provision=only,
                reason=Reason.ACT,
            )
    known = {place.candidate.act for place in places}
    unknown = [Candidate(name.name, None, None) for name in named if name.name not in known]
    candidates = tuple(dict.fromkeys([*(place.candidate for place in places), *unknown]))
    held = any(candidate.provision is not None for candidate in candidates)
    several = len(set(citation.candidates)) > 1
    reason = Reason.ACT if citation.num is None else Reason.ACT_NUMBERING
    return Resolution(
        input=citation.canonical,
        outcome=Outcome.AMBIGUOUS if held or several else Outcome.OUTSIDE_COVERAGE,
        citation=citation.canonical,
        candidates=candidates,
        reason=Reason.SEVERAL_ACTS if several else reason,
    )


def _only(places: Sequence[_Place], finder: ProvisionFinder) -> Provision | None:
    """Return the one provision that is all of an act, if all else that is said of it lies within."""
    whole = {place.candidate.provision for place in places if place.whole}
    if len(whole) != 1:
        return None
    (only,) = whole
    if only is None:
        return None
    places_of_all = (place.candidate.provision for place in places)
    inside = all(
        other is not None and (other.row == only.row or finder.is_within(other.row, only.row))
        for other in places_of_all
    )
    return only if inside else None


def _named(act: str, grammar: Grammar) -> list[PopularName]:
    meanings = grammar.meanings(spellings(act)[0])
    return [
        meaning.popular
        for meaning in meanings
        if isinstance(meaning, NamedAct) and meaning.popular.name == act
    ]


def _place(name: PopularName, citation: str, grammar: Grammar, finder: ProvisionFinder) -> _Place:
    read = read_one(citation, grammar)
    target = read[0].target if isinstance(read, tuple) else citation
    entries = finder.entries(target)
    provision = finder.of_entry(entries[0]) if len(entries) == 1 else None
    # The law says of itself that it is called so, or a container is meant, which is nothing that begins.
    whole = citation == name.source or (isinstance(read, tuple) and read[0].kind == CONTAINER)
    return _Place(Candidate(name.name, citation, provision), whole)
