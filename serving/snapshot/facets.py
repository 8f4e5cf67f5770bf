"""Facets of keyword search: counts of matches by their values, from the columns of the index."""

from dataclasses import dataclass

import tantivy

from serving.contract import indexes

_MOST_VALUES = 20_000
"""Values of a facet that are counted, the most frequent: more than all codes of the country have titles."""
_FIELDS = (indexes.JURISDICTION, indexes.CODE_BODY, indexes.LEVEL, indexes.TAG)
_ASKED = {
    field: {"terms": {"field": field, "size": _MOST_VALUES, "order": {"_count": "desc"}}} for field in _FIELDS
}


@dataclass(frozen=True, slots=True)
class ValueCount:
    """The number of matches with a value: a short code, a code body's id, a level or a tag."""

    value: str
    count: int


@dataclass(frozen=True, slots=True)
class Facets:
    """Counts over all matches, most first."""

    jurisdiction: tuple[ValueCount, ...] = ()
    code_body: tuple[ValueCount, ...] = ()
    level: tuple[ValueCount, ...] = ()
    tag: tuple[ValueCount, ...] = ()


def count_facets(searcher: tantivy.Searcher, query: tantivy.Query) -> Facets:
    """Return the counts over all that a query matches."""
    found = searcher.aggregate(query, _ASKED)
    counts = {
        field: sorted(
            (ValueCount(bucket["key"], bucket["doc_count"]) for bucket in found[field]["buckets"]),
            key=lambda entry: (-entry.count, entry.value),
        )
        for field in _FIELDS
    }
    return Facets(
        jurisdiction=tuple(counts[indexes.JURISDICTION]),
        code_body=tuple(counts[indexes.CODE_BODY]),
        level=tuple(counts[indexes.LEVEL]),
        tag=tuple(counts[indexes.TAG]),
    )
