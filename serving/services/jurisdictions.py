"""Jurisdictions by code and by name, as people write them, and those named whose law is not held."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import NamedTuple

from serving.contract.errors import ValidationError
from serving.contract.manifest import Manifest
from serving.contract.records import Jurisdiction
from serving.snapshot.filters import scope_of
from serving.snapshot.query import STOP_WORDS

_WORD = re.compile(r"[^\W_]+(?:\.[^\W_]+)*\.?")
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


@dataclass(frozen=True, slots=True)
class MissingLaw:
    """A jurisdiction that a search is about, whose law is not held, or `partly` not."""

    jurisdiction: Jurisdiction
    partly: bool


def missing_law(
    manifest: Manifest, query: str, *, jurisdiction: str | None, code_body: str | None
) -> MissingLaw | None:
    """Return the jurisdiction that a search is about and whose law is missing, in part or all of it.

    It is that of the filters; without one, the first that the query names. One of which nothing is held comes
    first. Law is missing in part, too, where that of places within is held alone.
    """
    filtered = jurisdiction or next(
        (body.jurisdiction for body in manifest.code_bodies if body.id == code_body), None
    )
    asked = (
        [one for one in manifest.jurisdictions if one.short_code == filtered]
        if filtered
        else list(named_jurisdictions(manifest, query))
    )
    for one in asked:
        if not holds_law(manifest, one.short_code):
            return MissingLaw(one, partly=False)
    whole = {body.jurisdiction: True for body in manifest.code_bodies}
    whole |= {body.jurisdiction: False for body in manifest.code_bodies if not body.complete}
    partly = (one for one in asked if not whole.get(one.short_code))
    return next((MissingLaw(one, partly=True) for one in partly), None)


def named_jurisdictions(manifest: Manifest, query: str) -> Iterator[Jurisdiction]:
    """Yield the jurisdictions that a query names, in its order.

    A name within a longer one is not meant: `West Virginia` does not name Virginia, nor `Washington, D.C.`
    Washington.
    """
    words, names = words_of(query), _names_of(manifest.jurisdictions)
    place = 0
    while place < len(words):
        for length in range(min(names.longest, len(words) - place), 0, -1):
            found = names.by_words.get(words[place : place + length])
            if found is not None:
                # With another's code behind it, the name is that of a place there.
                behind = set(words[place + length : place + length + 1])
                if not behind & (names.codes - {found.short_code}):
                    yield found
                place += length - 1
                break
        place += 1


class _Names(NamedTuple):
    """Names of jurisdictions by their words, the words of the longest, and the codes that are no words."""

    by_words: dict[tuple[str, ...], Jurisdiction]
    longest: int
    codes: frozenset[str]


@lru_cache(maxsize=8)
def _names_of(jurisdictions: tuple[Jurisdiction, ...]) -> _Names:
    by_words = {words_of(one.name): one for one in jurisdictions}
    codes = frozenset(one.short_code for one in jurisdictions) - STOP_WORDS
    return _Names(by_words, max(map(len, by_words), default=0), codes)


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a name, or of a query that may hold names, as they are compared."""
    return tuple(map(folded_name, _WORD.findall(text)))
