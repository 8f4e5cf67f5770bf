"""Jurisdictions by code and by name, as people write them, and those named whose law is not held."""

import re
from collections import Counter
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from serving.contract.errors import ValidationError
from serving.contract.manifest import Manifest
from serving.contract.records import Jurisdiction
from serving.services.requests import NotHeld
from serving.snapshot.filters import scope_of
from serving.snapshot.query import STOP_WORDS

_WORD = re.compile(r"[^\W_]+(?:\.[^\W_]+)*\.?")
_WORD_OR_COMMA = re.compile(rf"{_WORD.pattern}|,")
_NATION = "federal"
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
_NEAREST = 3
_LONGEST = 64
"""Characters of what is compared with names: all are shorter."""


def folded_name(given: str) -> str:
    """Return a name as it is compared: in lower case, without the points of abbreviations, as in `D.C.`."""
    return " ".join(given.replace(".", "").split()).lower()


def code_of(manifest: Manifest, given: str) -> str | None:
    """Return the short code of a jurisdiction given by code or by name; None where none is listed by it."""
    return _by_name(manifest.jurisdictions).get(folded_name(given))


def find_jurisdiction(manifest: Manifest, given: str) -> str:
    """Return the short code of a jurisdiction given by code or by name, in letters of any case.

    Raises:
        ValidationError: the snapshot does not list it; the message names the nearest.
    """
    code = code_of(manifest, given)
    if code is None:
        near = nearest_codes(manifest, given)
        hint = f" Nearest: {', '.join(near)}." if near else ""
        raise ValidationError(
            f"`jurisdiction` names {given[:60]!r}, which is not listed here.{hint}",
            parameter="jurisdiction",
        )
    return code


def nearest_codes(manifest: Manifest, given: str) -> list[str]:
    """Return the short codes that an unknown code or name may stand for, the likeliest first.

    The code of a place begins with that of the government that it lies in, and behind its name that
    government is often written (`Washington, D.C.`): the place may be one that is spelled nearly so, and else
    that government is the nearest that is listed.
    """
    by_name, folded = _by_name(manifest.jurisdictions), folded_name(given[:_LONGEST])
    codes = {one.short_code for one in manifest.jurisdictions}
    around, _, place = folded.partition("-")
    if place and around in codes:
        places = [known for known in codes if known.startswith(f"{around}-")]
        return [*get_close_matches(folded, places, n=2, cutoff=0.8), around]
    words = folded.replace(",", " ").split()
    behind = [" ".join(words[start:]) for start in range(1, len(words))]
    near = [*filter(by_name.__contains__, behind), *get_close_matches(folded, by_name, n=5, cutoff=0.5)]
    return list(dict.fromkeys(by_name[name] for name in near))[:_NEAREST]


@lru_cache(maxsize=8)
def _by_name(jurisdictions: tuple[Jurisdiction, ...]) -> dict[str, str]:
    """Return the short codes by code and by name.

    A name that is another's code means that one, and a name that several have means none of them.
    """
    names = Counter(folded_name(one.name) for one in jurisdictions)
    named = {folded_name(one.name): one.short_code for one in jurisdictions}
    alone = {name: code for name, code in named.items() if names[name] == 1}
    return alone | {one.short_code: one.short_code for one in jurisdictions}


def holds_law(manifest: Manifest, code: str) -> bool:
    """Return whether a snapshot holds law of a jurisdiction, or of one within it."""
    scope = scope_of(code, manifest.jurisdictions)
    return any(body.jurisdiction in scope for body in manifest.code_bodies)


def missing_law(
    manifest: Manifest,
    query: str,
    *,
    acts: Collection[str] = (),
    jurisdiction: str | None = None,
    code_body: str | None = None,
) -> tuple[NotHeld, ...]:
    """Return the jurisdictions that a search is about and whose law is missing, in part or all of it.

    It is about that of the filters; without one, about those that the query names. Those of which nothing is
    held come first.

    Args:
        manifest: that of the snapshot that is searched.
        query: the search's.
        acts: names of acts in it that are held: who asks for the Alaska Native Claims Settlement Act asks for
            no law of Alaska.
        jurisdiction: short code that results are narrowed to.
        code_body: id of a code body, likewise.
    """
    filtered = jurisdiction or next(
        (body.jurisdiction for body in manifest.code_bodies if body.id == code_body), None
    )
    asked = (
        [one for one in manifest.jurisdictions if one.short_code == filtered]
        if filtered
        else _named_besides(manifest, query, acts)
    )
    if not asked:
        return ()
    whole = {body.jurisdiction: True for body in manifest.code_bodies}
    whole |= {body.jurisdiction: False for body in manifest.code_bodies if not body.complete}
    missing = (
        NotHeld(asked=one.name, jurisdiction=one.short_code, partly=holds_law(manifest, one.short_code))
        for one in asked
        if not whole.get(one.short_code)
    )
    return tuple(sorted(missing, key=lambda one: one.partly))


def _named_besides(manifest: Manifest, query: str, acts: Collection[str]) -> list[Jurisdiction]:
    """Return the jurisdictions that a query names, each once, without those that are named within acts."""
    named = list(named_jurisdictions(manifest, query))
    if named:
        for within in chain.from_iterable(named_jurisdictions(manifest, act) for act in acts):
            if within in named:
                named.remove(within)
    return list(dict.fromkeys(named))


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
            return (None, place) if found is None or found.level == _NATION else (found, place + 1)
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
        and other.level != _NATION
        and other.short_code not in (found.short_code, found.parent)
    )


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a name, or of a query that may hold names, as they are compared."""
    return tuple(map(folded_name, _WORD.findall(text)))
