"""Jurisdictions by code and by name, as people write them, and those named whose law is not held."""

import re
from collections.abc import Iterator
from difflib import get_close_matches

from serving.contract.errors import ValidationError
from serving.contract.manifest import Manifest
from serving.contract.records import Jurisdiction

_WORD = re.compile(r"[^\W\d_]+(?:\.[^\W\d_]+)*\.?")
_NEAREST = 3


def find_jurisdiction(manifest: Manifest, given: str) -> str:
    """Return the short code of a jurisdiction given by code or by name, in letters of any case.

    Raises:
        ValidationError: the snapshot does not list it; the message names the nearest.
    """
    folded = " ".join(given.split()).lower()
    by_name = {one.name.lower(): one.short_code for one in manifest.jurisdictions}
    by_name |= {one.short_code: one.short_code for one in manifest.jurisdictions}
    code = by_name.get(folded)
    if code is None:
        state = by_name.get(folded.partition("-")[0])  # of a place that is written as its code would be
        names = get_close_matches(folded, by_name, n=_NEAREST)
        near = dict.fromkeys([*([state] if state else ()), *(by_name[name] for name in names)])
        hint = f" Nearest: {', '.join(near)}." if near else ""
        raise ValidationError(
            f"Argument `jurisdiction` names {given[:60]!r}, which is not listed here.{hint}",
            parameter="jurisdiction",
        )
    return code


def holds_law(manifest: Manifest, code: str) -> bool:
    """Return whether a snapshot holds law of a jurisdiction, or of one within it."""
    return any(
        body.jurisdiction == code or body.jurisdiction.startswith(f"{code}-") for body in manifest.code_bodies
    )


def named_without_law(manifest: Manifest, query: str) -> Jurisdiction | None:
    """Return the first jurisdiction that a query names and whose law is not held; None where there is none.

    A name within a longer one is not meant: `West Virginia` does not name Virginia.
    """
    return next((one for one in _named(manifest, query) if not holds_law(manifest, one.short_code)), None)


def _named(manifest: Manifest, query: str) -> Iterator[Jurisdiction]:
    words = _WORD.findall(query.lower())
    by_name = {tuple(_WORD.findall(one.name.lower())): one for one in manifest.jurisdictions}
    longest = max(map(len, by_name), default=0)
    place = 0
    while place < len(words):
        for length in range(min(longest, len(words) - place), 0, -1):
            found = by_name.get(tuple(words[place : place + length]))
            if found is not None:
                yield found
                place += length - 1
                break
        place += 1
