"""Places and kinds of provisions that the words of a query name."""

import re
from functools import lru_cache

from serving.contract.indexes import join_acronyms
from serving.contract.manifest import Manifest
from serving.snapshot.filters import scope_of
from serving.snapshot.query import STOP_WORDS, query_parser

_WORD = re.compile(r"[^\W_]+")
_TAGS = 4_096
_OF_LEVEL = {"federal": "federal"}
"""Words for a government beside its name."""


def mentioned_places(query: str, manifest: Manifest) -> frozenset[str]:
    """Return the short codes of the jurisdictions with law that a query names, and of what lies in them.

    A jurisdiction is named by its name, by its short code (unless that is a word of grammar), by the name of
    its place in it, and the federal one by that word.
    """
    typed = f" {' '.join(_WORD.findall(join_acronyms(query).lower()))} "
    held = {body.jurisdiction for body in manifest.code_bodies}
    named = {
        entry.short_code
        for entry in manifest.jurisdictions
        if any(f" {name} " in typed for name in _names(entry.short_code, entry.name, entry.level))
    }
    return frozenset(
        code for place in named for code in scope_of(place, manifest.jurisdictions) if code in held
    )


def names_kind(terms: frozenset[str], tags: str) -> bool:
    """Return whether a query's terms name one of the tags, which stand in one string."""
    return any(tag <= terms for tag in _tag_terms(tags))


@lru_cache(maxsize=1_024)
def _names(code: str, name: str, level: str) -> tuple[str, ...]:
    names = [" ".join(_WORD.findall(name.lower()))]
    *_, place = code.split("-", 1)
    names += [place.replace("-", " ")] if place not in STOP_WORDS else []
    names += [_OF_LEVEL[level]] if level in _OF_LEVEL else []
    return tuple(names)


@lru_cache(maxsize=_TAGS)
def _tag_terms(tags: str) -> tuple[frozenset[str], ...]:
    parser = query_parser()
    return tuple(frozenset(parser.analyze(tag.replace("_", " ").replace("-", " "))) for tag in tags.split())
