"""The places to which the name of an act leads a search: reviewed, or read from the law, the best first."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from assets.citations.act_mentions import Mention, Standing, mentions
from assets.citations.table import CitationEntry
from assets.registry import ReviewedAct
from assets.selection.selection import Selection
from serving.contract.citations import Citation, CitingContext, parse, parse_within
from serving.contract.citations.grammar import Grammar
from serving.contract.citations.keys import (
    act_name_key,
    beside_key,
    citation_key,
    elsewhere_key,
    words_of_name,
)
from serving.contract.records import IN_FORCE

MAX_PLACES = 6
"""Most places that lead for a name."""

_FEDERAL = "federal"
_FEWEST_WORDS = 3
_LEAST_SHARE = 0.2
"""Share of the best place's weight below which another place of an act is left out."""
_MOST_TOLD = 3
"""Places that are told of acts with one name of which none is held."""
_LISTED = 3
"""Sections of a list that count: the law names first what comes first."""
_YEAR = re.compile(r"(?:,| of) (?:18|19|20)\d\d$")
_COMMON = re.compile(r"^(?:Federal|National|United States|U\.S\.|Uniform|American) ")
_OF_KIND = frozenset(
    [
        "act",
        "law",
        "code",
        "compact",
        "resolution",
        "ordinance",
        "statute",
        "amendment",
        "amendments",
        "reform",
        "of",
        "and",
        "for",
        "to",
        "in",
        "on",
        "a",
        "an",
        "federal",
        "national",
        "improvement",
        "technical",
        "corrections",
        "general",
        "revised",
        "title",
        "part",
        "chapter",
        "subtitle",
    ]
)


class _Place(NamedTuple):
    """A place of a name, as its words say: by standing, then by how often."""

    standing: Standing
    position: int
    weight: float


def name_entries(
    selection: Selection,
    acts: Iterable[ReviewedAct],
    contexts: Sequence[CitingContext | None],
    grammar: Grammar,
) -> list[CitationEntry]:
    """Return the entries of all names of acts.

    Of a reviewed act they are the places that are reviewed, before those that the law says; of other acts the
    latter alone. Only provisions in force are places; a container stands for the first of its sections. Of a
    reviewed act without a place it is known that its name is one.

    Args:
        selection: the law.
        acts: the reviewed ones.
        contexts: of the provisions, by position.
        grammar: to read what cites a place.
    """
    places = _Places(selection, contexts, grammar)
    governments = _names_of_places(selection)
    read: dict[tuple[str, ...], dict[int, dict[Standing, float]]] = defaultdict(dict)
    for position, mention, is_own in _mentions(selection):
        spellings = _spellings(mention.name, governments)
        for rank, place in enumerate(places.of(mention, position, is_own=is_own)):
            for words, share in spellings:
                tally = read[words].setdefault(place, {})
                tally[mention.standing] = tally.get(mention.standing, 0) + share * mention.weight / (1 + rank)
    known = {words: sum(map(_weight, tallies.values())) for words, tallies in read.items()}
    found = {words: _best(tallies) for words, tallies in read.items()}
    entries: list[CitationEntry] = []
    # Of acts that share a name that leads first of which the law speaks most.
    told = sorted(acts, key=lambda act: -known.get(tuple(words_of_name(act.name.name)), 0))
    reviewed = _reviewed(told, places, governments)
    for words, act in reviewed.items():
        own = list(dict.fromkeys([*act.positions, *act.dated, *found.pop(words, ())]))[:MAX_PLACES]
        entries += _entries(words, own, anywhere=act.anywhere)
        if own:
            entries += [CitationEntry(beside_key(words, word), own[0], False) for word in act.beside]
        else:
            # An entry needs a place, though it has none. Who asks for it means none with a part of its name.
            known_at = "; ".join(list(dict.fromkeys(act.unheld))[:_MOST_TOLD])
            entries.append(CitationEntry(elsewhere_key(words, known_at), 0, act.anywhere))
    for words, positions in found.items():
        entries += _entries(words, positions, anywhere=len(words) >= _FEWEST_WORDS)
    return entries


def _entries(words: Sequence[str], positions: Iterable[int], *, anywhere: bool) -> Iterator[CitationEntry]:
    for rank, position in enumerate(positions):
        yield CitationEntry(act_name_key(words, rank), position, anywhere)


class _Reviewed:
    """Places of one name, of one act or of several, and whether it leads among other words.

    Attributes:
        unheld: citation of the first place of each act of which that is not held.
    """

    def __init__(self) -> None:
        self.unheld: list[str] = []
        self.positions: list[int] = []
        self.dated: list[int] = []
        self.anywhere = True
        self.beside: set[str] = set()


def _reviewed(
    acts: Iterable[ReviewedAct], places: "_Places", governments: re.Pattern[str]
) -> dict[tuple[str, ...], _Reviewed]:
    found: dict[tuple[str, ...], _Reviewed] = defaultdict(_Reviewed)
    for act in acts:
        positions = [position for place in act.places for position in places.cited(place)]
        unheld = [place for place in act.places[:1] if not places.is_held(place)]
        for name in act.names:
            for words, _ in _spellings(name, governments, aliases=False):
                meant = found[words]
                meant.unheld += unheld
                # What bears just this name leads before what has a year besides.
                exact = words == tuple(words_of_name(name))
                (meant.positions if exact else meant.dated).extend(positions)
                if name in act.alone:
                    meant.anywhere = False
                    meant.beside |= {
                        word
                        for entry in (*act.beside, *act.names)
                        for word in _own_words(words_of_name(entry))
                    }
    return found


def _mentions(selection: Selection) -> Iterator[tuple[int, Mention, bool]]:
    """Yield what provisions and their notes name, with the provision's position and whether itself does."""
    for first, batch in selection.batches(["text", "notes"]):
        for position, row in enumerate(batch.to_pylist(), first):
            for mention in mentions(row["text"]):
                yield position, mention, True
            for note in row["notes"]:
                for mention in mentions(note["text"]):
                    yield position, mention, False


def _spellings(
    name: str, governments: re.Pattern[str], *, aliases: bool = True
) -> list[tuple[tuple[str, ...], float]]:
    """Return the words of a name, with and without its year, and of what it is called for short.

    Each comes with the share at which it counts: without `Federal` a name is less sure.
    """
    found: dict[tuple[str, ...], float] = {}
    short = governments.sub("", name)
    names = [(name, 1.0), (short, 0.5)]
    if aliases:
        names.append((_COMMON.sub("", short), 0.1))
    shares: dict[str, float] = {}
    for spelled, share in names:
        for one in (spelled, _YEAR.sub("", spelled)):
            shares.setdefault(one, share)
    for one, share in shares.items():
        words = tuple(words_of_name(one))
        if _own_words(words) and (not aliases or (len(words) >= _FEWEST_WORDS and words[0] != "act")):
            found.setdefault(words, share)
    return list(found.items())


def _names_of_places(selection: Selection) -> re.Pattern[str]:
    """Return a pattern of what a state or city puts before or behind the name of its act: its own name."""
    held = {entry.body.jurisdiction for entry in selection.bodies}
    names = "|".join(
        re.escape(jurisdiction.name)
        for jurisdiction in selection.jurisdictions
        if jurisdiction.short_code in held and jurisdiction.level != _FEDERAL
    )
    return re.compile(rf"^(?:{names}) | of (?:the )?(?:City of )?(?:{names})$" if names else r"(?!)")


def _own_words(words: Iterable[str]) -> list[str]:
    """Return those of a name's words that are not words of many names."""
    return [word for word in words if word not in _OF_KIND and not word.isdigit()]


def _weight(tally: dict[Standing, float]) -> float:
    return sum(tally.values())


def _best(tallies: dict[int, dict[Standing, float]]) -> list[int]:
    """Return the places of an act: those of the best standing, the weightiest first."""
    ranked = sorted(
        (
            _Place(standing, position, weight)
            for position, tally in tallies.items()
            for standing, weight in tally.items()
        ),
        key=lambda place: (place.standing, -place.weight, place.position),
    )
    best: dict[Standing, float] = {}
    for place in ranked:
        best.setdefault(place.standing, place.weight)
    # What is merely mentioned or amended counts where nothing better is known.
    least = min(best) if best else Standing.MENTIONED
    wanted = {least, Standing.ENACTED} if least is Standing.CODIFIED else {least}
    chosen = [
        place.position
        for place in ranked
        if place.standing in wanted and place.weight >= _LEAST_SHARE * best[place.standing]
    ]
    return list(dict.fromkeys(chosen))[:MAX_PLACES]


class _Places:
    """Provisions in force by their citations, and the sections that containers begin with."""

    def __init__(
        self, selection: Selection, contexts: Sequence[CitingContext | None], grammar: Grammar
    ) -> None:
        columns = ("citation", "status", "citable", "level")
        citations, statuses, self._citable, self._levels = (
            selection.provisions.column(name).to_pylist() for name in columns
        )
        self._alive = [status == IN_FORCE for status in statuses]
        self._parents: list[int] = selection.numbering.parents.tolist()
        self._contexts, self._grammar = contexts, grammar
        self._read: dict[tuple[str, CitingContext | None], Sequence[Citation]] = {}
        self._positions: dict[str, int] = {}
        self._dead: set[str] = set()
        for position, citation in enumerate(citations):
            if self._alive[position]:
                self._positions.setdefault(citation_key(citation), position)
            else:
                self._dead.add(citation_key(citation))

    def of(self, mention: Mention, position: int, *, is_own: bool) -> Iterator[int]:
        """Yield the positions of the places that a mention tells, the best first.

        Args:
            mention: the mention.
            position: of the provision that bears it.
            is_own: it stands in the provision itself, not in a note on it. What gives a chapter its name
                leads before the section that the chapter begins with.
        """
        if mention.place is None:
            unit = self._around(position, mention.unit)
            if unit is None or (is_own and self._citable[position]):
                yield from self._first_section(position)
            if unit is not None:
                yield from self._first_section(unit)
            return
        context = self._contexts[position]
        # Nothing that is read here depends on the number of the section.
        here = (mention.place, replace(context, num="") if context else None)
        if here not in self._read:
            self._read[here] = (
                parse(mention.place, self._grammar)
                if context is None
                else parse_within(mention.place, self._grammar, context)
            )
        for citation in self._read[here][:_LISTED]:
            yield from self.cited(citation.target)

    def cited(self, citation: str) -> Iterator[int]:
        """Yield the position of a citation that is written as that of a provision."""
        position = self._positions.get(citation_key(citation))
        if position is not None:
            yield from self._first_section(position)

    def is_held(self, citation: str) -> bool:
        """Return whether a provision bears a citation, in force or not."""
        key = citation_key(citation)
        return key in self._positions or key in self._dead

    def _around(self, position: int, unit: str | None) -> int | None:
        while position >= 0 and self._levels[position] != unit:
            position = self._parents[position]
        return position if position >= 0 else None

    def _first_section(self, position: int) -> Iterator[int]:
        """Yield a section itself, or the first one in force of a container."""
        if self._citable[position]:
            if self._alive[position]:
                yield position
            return
        inside = {position}
        for following in range(position + 1, len(self._parents)):
            if self._parents[following] not in inside:
                return
            inside.add(following)
            if self._citable[following] and self._alive[following]:
                yield following
                return
