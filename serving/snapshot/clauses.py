"""Tantivy queries made of others: values, runs of tokens, all of several, any of them, a number of them."""

from collections.abc import Iterable
from itertools import combinations

import tantivy

from serving.contract import indexes

Query = tantivy.Query
_MUST, _SHOULD = tantivy.Occur.Must, tantivy.Occur.Should


def exactly(schema: tantivy.Schema, field: str, value: str | int) -> tantivy.Query:
    """Return the query for one value of a field, which adds nothing to a score."""
    return Query.const_score_query(Query.term_query(schema, field, value, "basic"), 0.0)


def among(schema: tantivy.Schema, rows: Iterable[int]) -> tantivy.Query:
    """Return the query for provisions by their rows; a set of terms would cost fifty times as much."""
    return any_of([exactly(schema, indexes.ROW, row) for row in rows])


def run_of(schema: tantivy.Schema, field: str, tokens: tuple[str, ...]) -> tantivy.Query:
    """Return the query for tokens that stand one after the other in a field."""
    if len(tokens) == 1:
        return Query.term_query(schema, field, tokens[0], "freq")
    return Query.phrase_query(schema, field, list(tokens))


def all_of(queries: list[tantivy.Query]) -> tantivy.Query:
    """Return the query for what matches every one of the queries, of which there is at least one."""
    return queries[0] if len(queries) == 1 else Query.boolean_query([(_MUST, query) for query in queries])


def any_of(queries: list[tantivy.Query]) -> tantivy.Query:
    """Return the query for what matches one of the queries or more."""
    return queries[0] if len(queries) == 1 else Query.boolean_query([(_SHOULD, query) for query in queries])


def at_least(least: int, words: list[tantivy.Query]) -> tantivy.Query:
    """Return the query for provisions with as many of the words.

    Up to four words it is made of intersections and not of a minimum number of words: Tantivy checks a
    minimum for every provision with any of the words, but an intersection skips provisions without its rarest
    word.
    """
    if least <= 1:
        return any_of(words)
    if least == len(words):
        return all_of(words)
    if len(words) == 3:
        return any_of([all_of(list(pair)) for pair in combinations(words, 2)])
    if len(words) == 4 and least == 3:
        first, last = words[:2], words[2:]
        return any_of([all_of([*first, any_of(last)]), all_of([any_of(first), *last])])
    return Query.boolean_query([(_SHOULD, word) for word in words], minimum_number_should_match=least)
