"""Jurisdictions by code and by name, as people write them."""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import lru_cache

from serving.contract.errors import ValidationError
from serving.contract.manifest import Manifest
from serving.contract.records import Jurisdiction
from serving.snapshot.filters import scope_of

NATION = "federal"
"""Level of the nation."""
_OF_THE_NATION = (NATION, "USA", "United States of America")
"""Names of the nation beside its own."""
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
    named: dict[str, set[str]] = {}
    for one in jurisdictions:
        for name in _names_as_written(one, jurisdictions):
            named.setdefault(folded_name(name), set()).add(one.short_code)
    alone = {name: next(iter(codes)) for name, codes in named.items() if len(codes) == 1}
    return alone | {one.short_code: one.short_code for one in jurisdictions}


def _names_as_written(one: Jurisdiction, jurisdictions: Sequence[Jurisdiction]) -> Iterator[str]:
    """Yield the names of a jurisdiction: its own, and those that are written for it as often.

    The nation is `USA` and `federal` too. Behind a place, the government that it lies in is written by its
    name or by its code (`San Mateo, CA`).
    """
    yield one.name
    if one.level == NATION:
        yield from _OF_THE_NATION
    place, comma, around = one.name.rpartition(", ")
    if comma and any(two.short_code == one.parent and two.name == around for two in jurisdictions):
        yield f"{place}, {one.parent}"


def holds_law(manifest: Manifest, code: str) -> bool:
    """Return whether a snapshot holds law of a jurisdiction, or of one within it."""
    scope = scope_of(code, manifest.jurisdictions)
    return any(body.jurisdiction in scope for body in manifest.code_bodies)
