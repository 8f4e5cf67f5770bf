"""Places and kinds of provisions that the words of a query name."""

from functools import lru_cache
from itertools import chain

from serving.contract.manifest import Manifest
from serving.services.named_jurisdictions import named_jurisdictions, words_of
from serving.snapshot.filters import scope_of
from serving.snapshot.query import STOP_WORDS, query_parser

_TAGS = 4_096
_OF_LEVEL = {"federal": "federal"}
"""Words for a government beside its name."""


def mentioned_places(query: str, manifest: Manifest) -> frozenset[str]:
    """Return the short codes of the jurisdictions with law that a query names, and of what lies in them.

    A jurisdiction is named by its name, by its short code (unless that is a word of grammar), by the name of
    its place in it, and the federal one by that word.
    """
    typed = f" {' '.join(words_of(query))} "
    held = {body.jurisdiction for body in manifest.code_bodies}
    named = {entry.short_code for entry in named_jurisdictions(manifest, query)} | {
        entry.short_code
        for entry in manifest.jurisdictions
        if any(f" {form} " in typed for form in _short_forms(entry.short_code, entry.level))
    }
    return frozenset(
        code for place in named for code in scope_of(place, manifest.jurisdictions) if code in held
    )


def names_any_kind(terms: frozenset[str], tags: frozenset[str]) -> bool:
    """Return whether a query's terms name any of the tags, as few queries do."""
    by_term = _kinds_by_term(tags)
    return any(kind <= terms for term in terms for kind in by_term.get(term, ()))


def names_kind(terms: frozenset[str], tags: str) -> bool:
    """Return whether a query's terms name one of the tags, which stand in one string."""
    return any(tag <= terms for tag in _tag_terms(tags))


@lru_cache(maxsize=1_024)
def _short_forms(code: str, level: str) -> tuple[str, ...]:
    *_, place = code.split("-", 1)
    forms = [place.replace("-", " ")] if place not in STOP_WORDS else []
    return (*forms, _OF_LEVEL[level]) if level in _OF_LEVEL else tuple(forms)


@lru_cache(maxsize=8)
def _kinds_by_term(tags: frozenset[str]) -> dict[str, tuple[frozenset[str], ...]]:
    """Return the terms of tags by each of their terms."""
    kinds = [kind for tag in tags for kind in _tag_terms(tag)]
    terms = frozenset(chain.from_iterable(kinds))
    return {term: tuple(kind for kind in kinds if term in kind) for term in terms}


@lru_cache(maxsize=_TAGS)
def _tag_terms(tags: str) -> tuple[frozenset[str], ...]:
    parser = query_parser()
    return tuple(frozenset(parser.analyze(tag.replace("_", " ").replace("-", " "))) for tag in tags.split())
