"""Provisions that a search query cites or names, which lead its results, and what is beside named acts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import NamedTuple

import numpy as np

from serving.contract.citations.keys import citation_key
from serving.services.citations.laws_among_words import laws_among_words, unheld_of
from serving.services.citations.named_acts import acts_named_in, leading_places, words_besides
from serving.services.citations.resolution import Outcome, Provision, Resolution
from serving.services.citations.resolve import resolve
from serving.services.requests import LeftOut, NotHeld
from serving.snapshot.filters import Filters
from serving.snapshot.store import Snapshot

MAX_LEADS = 10
"""Most provisions of a long list that lead; the others rank by their words."""
_REACH = 8
"""Provisions before and after the place of a named act that are proposed as parts of the act."""
_WALKED = 4 * _REACH
"""Entries that are looked at for them: dead provisions and lists do not count."""


@dataclass(frozen=True, slots=True)
class Leads:
    """Provisions that a query cites or names, and their neighbours.

    Attributes:
        rows: rows of the provisions that lead, the first one first.
        named: those of them that are places of an act which the query names among other words, with how much
            of the query the name is: one by those words, half of that for the second place, and so on. What
            is asked of an act mostly stands in another part of it: a ranker which weighs that orders them.
        acts: names of acts in the query of which a place is held.
        unheld: law that the query names or cites and that is not held.
        left_out: provisions that it cites and that do not pass the filters.
        beside: nearness of other provisions to the places of a named act, by row: one by the steps from each
            place plus one, over all its places. What stands next to several is likely a part of it.
    """

    rows: tuple[int, ...] = ()
    named: Mapping[int, float] = field(default_factory=dict)
    beside: Mapping[int, float] = field(default_factory=dict)
    acts: tuple[str, ...] = ()
    unheld: tuple[NotHeld, ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    @property
    def first(self) -> tuple[int, ...]:
        """The rows that stand before all others."""
        return tuple(row for row in self.rows if row not in self.named)


NO_LEADS = Leads()


def find_leads(snapshot: Snapshot, query: str, filters: Filters) -> Leads:
    """Return the provisions that a query cites or names, if they pass the filters.

    A pin cite counts for its provision, a list for each member, in its order; so does a citation before or
    behind what is asked of it (`17 U.S.C. § 107 parody`). The name of an act, also among other words, counts
    for the places for which it is known; `section 5 of the X Act` for that section. Empty where the query
    neither cites nor names law.
    """
    passing = snapshot.passing(filters)
    leading = _leading(snapshot, query)
    first = _rows(leading.first, passing)
    rows = tuple(dict.fromkeys([*first, *_rows(leading.named, passing)]))[:MAX_LEADS]
    beside = _beside(snapshot, [row for row in _rows(leading.places, passing) if row in rows], passing)
    named = (row for row in rows if row not in first)
    shares = {row: 0.5**place / max(leading.besides, 1) for place, row in enumerate(named)}
    near = {row: near for row, near in beside.items() if row not in rows}
    left_out = tuple(islice(_left_out(leading.cited, passing), MAX_LEADS))
    return Leads(rows, shares, near, tuple(leading.acts), tuple(leading.unheld), left_out)


def _rows(places: Iterable[Provision], passing: np.ndarray) -> list[int]:
    return list(dict.fromkeys(place.row for place in places if passing[place.row]))


def _left_out(cited: Iterable[Resolution], passing: np.ndarray) -> Iterator[LeftOut]:
    for one in chain.from_iterable(each.members or (each,) for each in cited):
        place = one.provision
        if place is not None and not passing[place.row]:
            successor = None if one.successor is None else one.successor.citation
            yield LeftOut(
                citation=place.citation, node_id=place.node_id, status=place.status, successor=successor
            )


class _Leading(NamedTuple):
    """Provisions that a query cites or names.

    Attributes:
        first: what stands before all others.
        named: places of acts that are named among other words.
        places: places of all acts that are named.
        besides: words of the query that name none.
        acts: likewise of `Leads`.
        unheld: likewise.
        cited: citations of the query.
    """

    first: Sequence[Provision]
    named: Sequence[Provision] = ()
    places: Sequence[Provision] = ()
    besides: int = 0
    acts: Sequence[str] = ()
    unheld: Sequence[NotHeld] = ()
    cited: Sequence[Resolution] = ()


def _leading(snapshot: Snapshot, query: str) -> _Leading:
    """Return what leads: the name where the query is but that, else what it cites, else what it names."""
    acts, elsewhere = acts_named_in(snapshot, query)
    named = list(leading_places(acts))
    names = [act.name for act in acts if act.places]
    resolution = resolve(snapshot, query, explain=False)
    cited = list(_cited(resolution))
    if any(act.whole for act in acts):
        return _Leading([*named, *cited], places=named, acts=names)
    # What is read as one citation is that; else what is cited among other words counts.
    if resolution.outcome is Outcome.UNPARSED:
        among = laws_among_words(snapshot, query)
        read: Sequence[Resolution] = among.leading
        cited = list(chain.from_iterable(map(_cited, read)))
        unheld = [*elsewhere, *among.unheld]
    else:
        read = [resolution]
        unheld = elsewhere or list(unheld_of(snapshot, resolution))
    if cited:
        return _Leading(cited, acts=names, unheld=unheld, cited=read)
    sections = [act.section for act in acts if act.section is not None]
    pinned = [place for section in sections for place in _cited(resolve(snapshot, section))]
    first = [*pinned, *(place for act in acts for place in act.numbered)]
    return _Leading(first, named, named, words_besides(query, acts), names, unheld)


def _cited(resolution: Resolution) -> Iterator[Provision]:
    if resolution.provision is not None:
        yield resolution.provision
    for candidate in resolution.candidates:
        if candidate.provision is not None:
            yield candidate.provision
    for member in resolution.members:
        yield from _cited(member)


def _beside(snapshot: Snapshot, places: Sequence[int], passing: np.ndarray) -> dict[int, float]:
    """Return how near provisions stand to some places, in the order of their numbers."""
    found: dict[int, float] = {}
    table = snapshot.citations
    for place in places:
        for side in table.around(citation_key(snapshot.nodes.citation(place))):
            rows = map(table.node, islice(side, _WALKED))
            steps = islice(_distinct(filter(passing.__getitem__, rows), but=place), _REACH)
            for step, row in enumerate(steps, start=1):
                found[row] = found.get(row, 0.0) + 1 / (1 + step)
    return found


def _distinct(rows: Iterable[int], *, but: int) -> Iterator[int]:
    seen = {but}
    for row in rows:
        if row not in seen:
            seen.add(row)
            yield row
