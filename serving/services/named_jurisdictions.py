"""Jurisdictions that the words of a query name, told from places, rivers and parties of the same name."""

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import NamedTuple

from serving.contract.manifest import Manifest
from serving.contract.records import Jurisdiction
from serving.services.jurisdictions import NATION, folded_name
from serving.snapshot.query import STOP_WORDS

_WORD = re.compile(r"[^\W_]+(?:\.[^\W_]+)*\.?")
_WORD_OR_COMMA = re.compile(rf"{_WORD.pattern}|,")
_CODE = 2
"""Letters of the postal code of a State."""
_KINDS_OF_PLACES = ("city", "county")
"""Words that may stand between the name of a place and that of the government that it lies in."""
_AND = ("and", "or")
_OTHERS_BEFORE = ("lake", "george", "martha", "v", "vs")
"""Words before a name that make it that of a lake, a person or a party."""
_OTHERS_BEHIND = ("river", "basin", "bay", "delta", "valley", "monument", "avenue", "street", "times", "post")
"""Words behind a name that make it that of a river, a valley, a street or a newspaper."""
_CODES_OF_MORE = frozenset(
    (
        *("al", "ar", "co", "ct", "de", "hi", "ia", "id", "il", "in", "la", "ma", "md"),
        *("me", "mi", "mo", "ms", "mt", "nd", "ne", "oh", "ok", "or", "pa", "sc", "va", "wa"),
    )
)
"""Codes that are words or other abbreviations in capitals too: `OK`, `PA`, `VA benefits`."""


def named_jurisdictions(manifest: Manifest, query: str) -> Iterator[Jurisdiction]:
    """Yield the jurisdictions that a query names, in its order.

    A name within a longer one is not meant: `West Virginia` does not name Virginia. Nor is that of a place in
    another: `Kansas City, Missouri` names Missouri alone, and `Washington DC` not Washington. Nor is that in
    the name of something else: `Lake Michigan`, `Miranda v. Arizona`, `Ohio River`. Codes are names where
    they have the points of abbreviations, or capitals and no other meaning: `rent control in D.C.`, `TX`.
    """
    words, names = _Words.of(query), _names_of(manifest.jurisdictions)
    place, listed = 0, 0
    while place < len(words.folded):
        found, end = names.at(words, place)
        if found is None or words.is_of_another(place, end):
            place = max(end, place + 1)
            continue
        # What a code stands for is a government, and no place in another.
        behind = None if place in words.coded else _behind(words, end, names)
        if behind is None or not _is_elsewhere(found, behind.government):
            yield found
        elif behind.goes_on:
            # Of `Virginia, Maryland and Delaware` none is a place in the next.
            listed = behind.end
            yield found
        elif place < listed:
            yield found
        elif not behind.is_code:
            # It is found next, by its name: where a place lies is no place in what follows it.
            listed = behind.end
        elif behind.is_apart:
            yield behind.government
        place = end


class _Names(NamedTuple):
    """Names of jurisdictions by their words, the words of the longest, and the codes that are no words.

    Attributes:
        beginnings: the first words of the names: few words of queries are among them.
    """

    by_words: dict[tuple[str, ...], Jurisdiction]
    beginnings: frozenset[str]
    longest: int
    by_code: dict[str, Jurisdiction]

    def at(self, words: "_Words", place: int) -> tuple[Jurisdiction | None, int]:
        """Return what is named from a word on, by the longest name, and the place behind it."""
        if place in words.coded:
            found = self.by_code.get(words.folded[place])
            # The nation is no place that `U.S. Coast Guard` is told from.
            return (None, place) if found is None or found.level == NATION else (found, place + 1)
        if place == len(words.folded) or words.folded[place] not in self.beginnings:
            return None, place
        for end in range(min(place + self.longest, len(words.folded)), place, -1):
            found = self.by_words.get(words.folded[place:end])
            if found is not None:
                return found, end
        return None, place


@lru_cache(maxsize=8)
def _names_of(jurisdictions: tuple[Jurisdiction, ...]) -> _Names:
    by_words = {words_of(one.name): one for one in jurisdictions}
    by_code = {one.short_code: one for one in jurisdictions if one.short_code not in STOP_WORDS}
    beginnings = frozenset(name[0] for name in by_words if name)
    return _Names(by_words, beginnings, max(map(len, by_words), default=0), by_code)


class _Words(NamedTuple):
    """Words of a query as they are compared.

    Attributes:
        commas: places of those that stand behind a comma.
        coded: places of those that may be codes of governments, as they are written: `D.C.`, `TX`.
    """

    folded: tuple[str, ...]
    commas: frozenset[int]
    coded: frozenset[int]

    @classmethod
    def of(cls, text: str) -> "_Words":
        """Return the words of a text."""
        folded: list[str] = []
        commas, coded = set[int](), set[int]()
        has_small = not text.isupper()
        for part in _WORD_OR_COMMA.findall(text):
            if part == ",":
                commas.add(len(folded))
                continue
            name = folded_name(part)
            of_capitals = has_small and len(part) == _CODE and part.isupper() and name not in _CODES_OF_MORE
            if of_capitals or "." in part[:-1]:
                coded.add(len(folded))
            folded.append(name)
        return cls(tuple(folded), frozenset(commas), frozenset(coded))

    def is_of_another(self, start: int, end: int) -> bool:
        """Return whether the words beside a name, which spans [start, end), make it that of no government."""
        before, behind = self.folded[max(0, start - 1) : start], self.folded[end : end + 1]
        if end not in self.commas and behind and behind[0] in _OTHERS_BEHIND:
            return True
        return start not in self.commas and bool(before) and before[0] in _OTHERS_BEFORE

    def after(self, place: int, one_of: Collection[str]) -> int:
        """Return the place behind a word that may stand at a place; the place itself where it does not."""
        return place + 1 if self.folded[place : place + 1] and self.folded[place] in one_of else place


class _Behind(NamedTuple):
    """A government that is written behind a name, perhaps as that in which the place of the name lies.

    Attributes:
        is_code: it is told by its code, and not by its name.
        is_apart: a comma or the kind of the place parts it from the name. Without, a code may be a word:
            `Virginia ID card` does not name Idaho.
        goes_on: a third name follows, as in a list.
        end: the place behind it.
    """

    government: Jurisdiction
    is_code: bool
    is_apart: bool
    goes_on: bool
    end: int


def _behind(words: _Words, end: int, names: _Names) -> _Behind | None:
    """Return the government that is written behind a name which ends before `end`; None without one."""
    start = words.after(end, _KINDS_OF_PLACES)
    has_kind = start > end
    is_apart = has_kind or end in words.commas
    # Of two names with nothing between, as in `Maryland Virginia compact`, both are meant.
    named, after = names.at(words, start) if is_apart else (None, start)
    if named is not None:
        if words.after(after, _KINDS_OF_PLACES) > after:
            return None  # `Virginia, Kansas City` names two places, of which none lies in the other
        third, _ = names.at(words, words.after(after, _AND))
        goes_on = third is not None and not has_kind and start not in words.coded
        return _Behind(named, False, is_apart, goes_on, after)
    coded = names.by_code.get(words.folded[start]) if start < len(words.folded) else None
    return None if coded is None else _Behind(coded, True, is_apart, False, start + 1)


def _is_elsewhere(found: Jurisdiction, other: Jurisdiction | None) -> bool:
    """Return whether law of one government is not law of the other: that of the nation is law everywhere."""
    return (
        other is not None
        and other.level != NATION
        and other.short_code not in (found.short_code, found.parent)
    )


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a name, or of a query that may hold names, as they are compared."""
    return tuple(map(folded_name, _WORD.findall(text)))
