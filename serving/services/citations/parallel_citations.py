"""Acts beside the place in a code where they are found: `FAA § 10, 9 U.S.C. § 10` says which act is meant."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from serving.contract.citations import Citation
from serving.contract.citations.appositions import APPOSITION
from serving.contract.citations.asides import cited_together
from serving.contract.citations.citation import POPULAR_NAME
from serving.services.citations.provisions import ProvisionFinder
from serving.services.citations.resolution import Provision, Resolution


def acts_by_place(
    text: str,
    read: Sequence[Citation],
    asked: Sequence[Citation],
    finder: ProvisionFinder,
    resolve: Callable[[Citation], Resolution],
) -> Mapping[Citation, Citation]:
    """Return citations by the name of several acts, each as that of the one that is at the place behind it.

    Left out are those where the place is that of none of the acts, or of several.

    Args:
        text: the text.
        read: all of its citations, in order.
        asked: those of which it is asked.
        finder: finds the provisions of the law.
        resolve: resolves a citation in it.
    """
    groups, of_interest = [*cited_together(read)], frozenset(asked)
    found: dict[Citation, Citation] = {}
    for acts, places in pairwise(groups):
        is_several = acts[0].kind == POPULAR_NAME and len(acts[0].candidates) > 1
        if not is_several or APPOSITION.fullmatch(text, acts[-1].end, places[0].start) is None:
            continue
        wanted = [act for act in acts if act in of_interest]
        provisions = [one for place in places for one in _provisions(resolve(place))] if wanted else []
        for act in wanted:
            meant = [
                one
                for name in act.candidates
                if _is_at(one := replace(act, candidates=(name,)), provisions, finder, resolve)
            ]
            if len(meant) == 1:
                found[act] = meant[0]
    return found


def _provisions(found: Resolution) -> Iterator[Provision]:
    """Yield the provisions that are cited, also as members of a range."""
    if found.provision is not None:
        yield found.provision
    for member in found.members:
        yield from _provisions(member)


def _is_at(
    act: Citation,
    places: Sequence[Provision],
    finder: ProvisionFinder,
    resolve: Callable[[Citation], Resolution],
) -> bool:
    """Return True where an act, or its section, is one of some provisions; an act may have them in it."""
    provision = resolve(act).provision
    return provision is not None and any(
        place.row == provision.row or (act.num is None and finder.is_within(place.row, provision.row))
        for place in places
    )
