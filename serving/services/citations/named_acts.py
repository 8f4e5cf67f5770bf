"""Acts that a search query names, alone or among other words, and the places to which their names lead."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import NamedTuple

from serving.contract.citations.keys import words_of_name
from serving.services.citations.misspelt_names import MisspeltNames
from serving.services.citations.provisions import ProvisionFinder
from serving.services.citations.resolution import Provision
from serving.services.requests import NotHeld
from serving.snapshot.query import FILLER, STOP_WORDS
from serving.snapshot.store import Snapshot

_MOST_WORDS = 60
"""Words of a query that are read."""
_LONGEST_NAME = 24
_IN_LONGER_QUERY = 3
"""Most places of an act that lead where more than its name is asked for."""
_STEM = 5
"""Letters that words of one stem share."""
_LONGEST_PIN = 6
"""Words of `section 10(b)(5) of`, read back from the name."""
_SECTION, _OF = "section", "of"
_SAYING_NOTHING = STOP_WORDS | FILLER
_SHORT_TITLE = "short_title"
"""Tag of sections that give an act its name."""
_OF_OTHERS = frozenset(("uniform", "model"))
"""Words directly before a name that make it that of a draft for the states."""
_YEAR = re.compile(r"(?:1[6-9]|20)\d\d")
_NUMBER = re.compile(r"(?!(?:18|19|20)\d\d$)\d{1,4}[a-z]{0,2}")


@dataclass(frozen=True, slots=True)
class NamedAct:
    """An act that a query names.

    Attributes:
        places: provisions to which its name leads, the best first.
        numbered: those of them whose number the query gives, as `APA 706` does.
        section: citation of a section in the act's own numbering, if the query gives that number.
        whole: the query is the name and nothing else.
        name: its words as the query has them.
        typed: places of the name among the words of the query.
    """

    places: tuple[Provision, ...]
    numbered: tuple[Provision, ...]
    section: str | None
    whole: bool
    name: str
    typed: range


class NamedActs(NamedTuple):
    """The acts that a query names, in its order.

    Attributes:
        held: those of which a place is held.
        elsewhere: the others, as far as it is known where they stand.
    """

    held: list[NamedAct]
    elsewhere: list[NotHeld]


def acts_named_in(snapshot: Snapshot, query: str) -> NamedActs:
    """Return the acts that a query names.

    Of names that begin at one word the longest counts, that of an act which is not held as well: what is
    named within it is none. A name that is an ordinary word too, or the number of a part (`Title IX`), counts
    alone, or beside a word of which it is known that it then means the act.
    """
    words = words_of_name(query)[:_MOST_WORDS]
    table = snapshot.citations
    finder = ProvisionFinder(snapshot)
    misspelt = MisspeltNames(snapshot, words)
    found, unheld = list[NamedAct](), list[NotHeld]()
    start = 0
    while start < len(words):
        following = words[start : start + _LONGEST_NAME]
        count, entries = table.name_at(following)
        elsewhere = table.elsewhere_at(following)
        if elsewhere.words > count:
            if elsewhere.places and (elsewhere.anywhere or elsewhere.words == len(words)):
                unheld.append(
                    NotHeld(asked=" ".join(following[: elsewhere.words]), stands_at=elsewhere.places)
                )
            start += elsewhere.words
            continue
        name: Sequence[str] = words[start : start + count]
        if not count and (meant := misspelt.at(start)) is not None:
            count, name = meant.typed, meant.name
            _, entries = table.name_at(name)
        end = start + count
        others = [*words[:start], *words[end:]]
        if count and (not others or table.is_whole(entries[0]) or table.means_an_act(name, others)):
            places = [finder.of_entry(entry) for entry in entries]
            places = _of_jurisdiction(snapshot, places, words[:start], words[end:])
            if _is_anothers(snapshot, places, words[:start], words[end:]):
                places = []
            if others:
                places = _by_what_else_is_asked(snapshot, places, others)
            number = _number(words, start, end)
            # Some acts are known by the numbers of the code: `APA 706`.
            mark = f"§ {number}"
            numbered = tuple(place for place in places if place.citation.endswith(mark))
            places = list(dict.fromkeys([*numbered, *places]))
            section = f"{' '.join(name)} {mark}" if number and not numbered else None
            typed = " ".join(words[start:end])
            found.append(NamedAct(tuple(places), numbered, section, not others, typed, range(start, end)))
            start = end
        else:
            start += 1
    return NamedActs(found, unheld)


def words_besides(query: str, acts: Sequence[NamedAct]) -> int:
    """Return how many words a query has besides the names of acts and words of grammar and talk."""
    named = set(chain.from_iterable(act.typed for act in acts))
    words = enumerate(words_of_name(query)[:_MOST_WORDS])
    return sum(place not in named and word not in _SAYING_NOTHING for place, word in words)


def leading_places(acts: Sequence[NamedAct]) -> Iterator[Provision]:
    """Yield the places of acts: the first of each, then the second of each."""
    most = None if len(acts) == 1 and acts[0].whole else _IN_LONGER_QUERY
    for places in zip_longest(*(act.places[:most] for act in acts)):
        yield from (place for place in places if place is not None)


def _of_jurisdiction(
    snapshot: Snapshot, places: list[Provision], before: Sequence[str], after: Sequence[str]
) -> list[Provision]:
    """Return the places in the jurisdiction that a query names, if any is; none of another's own act.

    `Virginia Freedom of Information Act` is none of Congress: what stands directly before the name says
    whose act it is.
    """
    wanted, anothers = set(), False
    for jurisdiction in snapshot.manifest.jurisdictions:
        for spelled in (jurisdiction.name, jurisdiction.short_code):
            name = words_of_name(spelled)
            if _is_within(name, before) or _is_within(name, after):
                wanted.add(jurisdiction.short_code)
                # `in` and `or` are codes of states as well.
                is_name = spelled == jurisdiction.name or spelled not in STOP_WORDS
                anothers |= is_name and list(before[-len(name) :]) == name
    own = [place for place in places if place.jurisdiction in wanted]
    if own:
        return own
    return [] if anothers else places


def _is_anothers(
    snapshot: Snapshot, places: Sequence[Provision], before: Sequence[str], after: Sequence[str]
) -> bool:
    """Return whether the words around a name say that it is a part of another act's.

    `Uniform Fees Act` is not the `Fees Act`, nor is `Fees Act of 1937` where no law of 1937 made its places
    what they are.
    """
    if before and before[-1] in _OF_OTHERS:
        return True
    if len(after) < 2 or after[0] != _OF or not _YEAR.fullmatch(after[1]):
        return False
    credited = [snapshot.nodes.answer(place.row)["sourceCredit"] or "" for place in places]
    years = {year for credit in credited for year in _YEAR.findall(credit)}
    return bool(years) and after[1] not in years


def _is_within(name: Sequence[str], words: Sequence[str]) -> bool:
    return any(words[at : at + len(name)] == name for at in range(len(words) - len(name) + 1))


def _number(words: Sequence[str], start: int, end: int) -> str | None:
    """Return the number of a section of the act: `section 5 of the X Act`, `X Act 505`."""
    before = list(words[max(0, start - _LONGEST_PIN) : start])
    if _SECTION in before and before[-1] == _OF:
        number = before[before.index(_SECTION) + 1]
    else:
        following = [word for word in words[end : end + 2] if word != _SECTION]
        number = following[0] if following else ""
    return number if _NUMBER.fullmatch(number) else None


def _by_what_else_is_asked(
    snapshot: Snapshot, places: list[Provision], others: Sequence[str]
) -> list[Provision]:
    """Return the places with those first whose headings have other words of the query in common with it.

    What merely gives the act its name stands behind the others, and those of another jurisdiction than the
    first stay last.
    """
    first = places[0].jurisdiction if places else None

    def key(place: Provision) -> tuple[bool, int, bool]:
        is_name = _SHORT_TITLE in snapshot.nodes.tags(place.row)
        return place.jurisdiction != first, -_in_common(place.heading, others), is_name

    return sorted(places, key=key)


def _in_common(heading: str, words: Iterable[str]) -> int:
    stems = {word[:_STEM] for word in words_of_name(heading) if len(word) >= _STEM}
    return sum(word[:_STEM] in stems for word in set(words) if len(word) >= _STEM)
