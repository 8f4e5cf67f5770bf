"""Keyword search of an open snapshot: our query language on Tantivy's scorers, facets from its columns."""

import tempfile
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import combinations
from pathlib import Path
from typing import cast

import tantivy

from serving.contract import indexes
from serving.contract.errors import SnapshotCorruptError
from serving.contract.records import STATUSES
from serving.snapshot.filters import Filters
from serving.snapshot.query import ParsedQuery, query_parser

HEADING_BOOST = 1.5
"""Weight of headings. Measured on US Code and D.C. Code: above it, words of the text alone find their section
less often."""
CITATION_BOOST = 4.0
PINPOINT_BOOST = 2.0
FACET_SIZE = 1000
_LONGEST_CITATION = 8
"""Tokens of the longest citation that a query may be, such as `D.C. Code § 29-801.02(a)(1)`."""

_FACET_FIELDS = (indexes.JURISDICTION, indexes.CODE_BODY, indexes.LEVEL, indexes.TAG)
_FACETS = {
    field: {"terms": {"field": field, "size": FACET_SIZE, "order": {"_key": "asc"}}}
    for field in _FACET_FIELDS
}

_SHORTEST, _SHORT = 4, 6
"""Letters of a word from which on one of them, and two of them, may differ in one that is spelled like it."""
_ENDINGS = (0, 2, 3)
"""Letters that an ending may have which the stemmer would have cut off a word spelled as it should be."""
_REMEMBERED, _LONGEST = 4096, 64
"""Words whose queries are remembered, and characters of the longest of them."""

Query = tantivy.Query
_MUST, _SHOULD = tantivy.Occur.Must, tantivy.Occur.Should


@dataclass(frozen=True, slots=True)
class FacetCount:
    """The number of matches with a value: a short code, a code body's id, a level or a tag."""

    value: str
    count: int


@dataclass(frozen=True, slots=True)
class Facets:
    """Counts over all matches, most first."""

    jurisdiction: tuple[FacetCount, ...] = ()
    code_body: tuple[FacetCount, ...] = ()
    level: tuple[FacetCount, ...] = ()
    tag: tuple[FacetCount, ...] = ()


@dataclass(frozen=True, slots=True)
class KeywordHits:
    """One page of matches, best first.

    Attributes:
        rows: rows of `nodes.arrow`.
        scores: scores of the rows, not comparable between queries.
        total: all matches; the number of rows where it was not asked for.
        is_lenient: one word of the query was enough for a match, since no provision holds most of them.
        facets: None where they were not asked for.
    """

    rows: list[int]
    scores: list[float]
    total: int
    facets: Facets | None = None
    is_lenient: bool = False


class KeywordIndex:
    """The Tantivy index of a snapshot. Searches release the interpreter lock and may run in any thread."""

    def __init__(self, folder: Path) -> None:
        self._schema = indexes.keyword_schema()
        self._searcher = _open(folder)
        self._parser = query_parser()
        # Each word is asked for in several fields, and words come back more often than queries do.
        self._word = lru_cache(_REMEMBERED)(partial(_run, self._schema))
        self._statuses = frozenset(
            status for status in STATUSES if self._searcher.doc_freq(indexes.STATUS, status)
        )

    def __len__(self) -> int:
        return int(self._searcher.num_docs)

    def parse(self, text: str) -> ParsedQuery:
        """Return the meaning of a user's text as a query; never raises."""
        return self._parser.parse(text)

    def search(
        self,
        query: str,
        *,
        filters: Filters,
        limit: int,
        offset: int = 0,
        count: bool = True,
        facets: bool = False,
    ) -> KeywordHits:
        """Return the matches from `offset` on, at most `limit`. A query without words matches nothing."""
        if limit < 1:
            return KeywordHits([], [], 0, Facets() if facets else None)
        parsed = self.parse(query)
        compiled = self.compile(parsed, filters)
        result = self._page(compiled, limit, offset, count)
        hits = result.hits
        is_lenient = not hits and self._is_lenient(parsed, compiled)
        if is_lenient:
            compiled = self.compile(parsed, filters, lenient=True)
            result = self._page(compiled, limit, offset, count)
            hits = result.hits
        return KeywordHits(
            self._rows(hits),
            [score for score, _ in hits],
            # The type stub of Tantivy's result lacks its count.
            int(getattr(result, "count")) if count else len(hits),  # noqa: B009 - as said above
            self._facets(compiled) if facets else None,
            is_lenient,
        )

    def knows_word(self, query: str) -> bool:
        """Return whether any word of a query stands anywhere in the law."""
        return any(self._searcher.doc_freq(indexes.BODY, word) for word in self.parse(query).terms)

    def spelled_like(self, word: str, *, filters: Filters, limit: int) -> list[int]:
        """Return rows of provisions with a word that differs from this one in a letter or two."""
        (token, *more) = self._parser.analyze(word) or [""]
        if more or len(token) > _LONGEST:
            return []
        # A misspelled word keeps an ending that the index does not have, as that of `secuirty`.
        stems = [token[: len(token) - ending] for ending in _ENDINGS if len(token) - ending >= _SHORTEST]
        if not stems:
            return []
        alike = [
            Query.fuzzy_term_query(self._schema, indexes.BODY, stem, 1 if len(stem) < _SHORT else 2)
            for stem in stems
        ]
        query = Query.boolean_query([(_MUST, _any(alike)), *self._filters(filters)])
        return self._rows(self._searcher.search(query, limit=limit, count=False).hits)

    def matching(self, query: str, *, filters: Filters, rows: list[int]) -> set[int]:
        """Return the rows among `rows` that the query matches, which a fusion must not count twice."""
        if not rows:
            return set()
        parsed = self.parse(query)
        compiled = self.compile(parsed, filters)
        if self._is_lenient(parsed, compiled):
            compiled = self.compile(parsed, filters, lenient=True)
        among = Query.term_set_query(self._schema, indexes.ROW, rows)
        both = Query.boolean_query([(_MUST, among), (_MUST, compiled)])
        return set(self._rows(self._searcher.search(both, limit=len(rows), count=False).hits))

    def with_phrase(self, text: str, *, code_body: str, limit: int) -> list[int]:
        """Return the rows of a code body's provisions that hold the words of a text one after the other.

        They are compared as the index holds them, reduced to their stems: what a text says to the letter is
        for the caller to judge. A text without words is held by none.
        """
        tokens = tuple(self._parser.analyze(text))
        if not tokens:
            return []
        clauses = [
            (_MUST, self._run(indexes.BODY, tokens)),
            (_MUST, self._exactly(indexes.CODE_BODY, code_body)),
        ]
        found = self._searcher.search(Query.boolean_query(clauses), limit=limit, count=False)
        return self._rows(found.hits)

    def _page(self, query: tantivy.Query, limit: int, offset: int, count: bool) -> tantivy.SearchResult:
        return self._searcher.search(
            query, limit=limit, offset=offset, count=count, weight_by_field=indexes.WEIGHT
        )

    def _is_lenient(self, parsed: ParsedQuery, strict: tantivy.Query) -> bool:
        """Return whether any word suffices, because no provision holds as many words as `required`."""
        if parsed.phrases or required(len(parsed.groups)) < 2:
            return False
        return not self._searcher.search(strict, limit=1, count=False).hits

    def _rows(self, hits: list[tuple[float, tantivy.DocAddress]]) -> list[int]:
        found = self._searcher.fast_field_values(indexes.ROW, [address for _, address in hits])
        return cast(list[int], found)

    def compile(self, parsed: ParsedQuery, filters: Filters, *, lenient: bool = False) -> tantivy.Query:
        """Return the Tantivy query; the empty one where nothing can match.

        Args:
            parsed: the parsed query.
            filters: conditions that a match must meet.
            lenient: one word of the query is enough for a match.
        """
        if not parsed.groups and not parsed.phrases:
            return Query.empty_query()
        matching = self._matching(parsed, lenient=lenient)
        clauses = [(_MUST, matching), *self._filters(filters)]
        clauses += [(_SHOULD, query) for query in self._better(parsed)]
        return Query.boolean_query(clauses)

    def _matching(self, parsed: ParsedQuery, *, lenient: bool) -> tantivy.Query:
        """Return the query that decides whether a provision matches; holding all words doubles the score."""
        words = [self._run(indexes.BODY, group) for group in parsed.groups]
        if parsed.phrases:
            clauses = [(_MUST, self._run(indexes.BODY, phrase)) for phrase in parsed.phrases]
            return Query.boolean_query([*clauses, (_SHOULD, _all(words))] if words else clauses)
        # What is lenient follows a search that found nothing: there is no provision with all words.
        return _any(words) if lenient else _most(words)

    def _better(self, parsed: ParsedQuery) -> list[tantivy.Query]:
        """Return the queries that rank a match higher: words in its heading, its citation, a paragraph."""
        runs = (*parsed.groups, *parsed.phrases)
        headings = _any([self._run(indexes.HEADING, run) for run in runs])
        numbers = [run for run in runs if any(character.isdigit() for token in run for character in token)]
        better = [
            Query.boost_query(headings, HEADING_BOOST),
            *(Query.boost_query(self._run(indexes.CITATION, run), CITATION_BOOST) for run in numbers),
            *(Query.boost_query(self._run(indexes.BODY, run), PINPOINT_BOOST) for run in parsed.pinpoints),
        ]
        whole = parsed.numbered
        if 1 < len(whole) <= _LONGEST_CITATION and (whole,) != parsed.groups:
            better.append(Query.boost_query(self._run(indexes.CITATION, whole), CITATION_BOOST))
        return better

    def _run(self, field: str, tokens: tuple[str, ...]) -> tantivy.Query:
        """Return the query for a run of tokens in a field."""
        if len(tokens) == 1 and len(tokens[0]) <= _LONGEST:
            return self._word(field, tokens)
        return _run(self._schema, field, tokens)

    def _filters(self, filters: Filters) -> list[tuple[tantivy.Occur, tantivy.Query]]:
        clauses = []
        if filters.jurisdiction is not None:
            clauses.append((_MUST, self._exactly(indexes.SCOPE, filters.jurisdiction)))
        if filters.code_body is not None:
            clauses.append((_MUST, self._exactly(indexes.CODE_BODY, str(filters.code_body))))
        if filters.level is not None:
            clauses.append((_MUST, self._exactly(indexes.LEVEL, filters.level)))
        if filters.tag is not None:
            clauses.append((_MUST, self._exactly(indexes.TAG, filters.tag)))
        # Asking matches for one status costs less than leaving out six others.
        if filters.statuses and not self._statuses.issubset(filters.statuses):
            clauses.append((_MUST, _any([self._exactly(indexes.STATUS, name) for name in filters.statuses])))
        return clauses

    def _exactly(self, field: str, value: str) -> tantivy.Query:
        return Query.const_score_query(Query.term_query(self._schema, field, value, "basic"), 0.0)

    def _facets(self, query: tantivy.Query) -> Facets:
        found = self._searcher.aggregate(query, _FACETS)
        counts = {
            field: sorted(
                (FacetCount(bucket["key"], bucket["doc_count"]) for bucket in found[field]["buckets"]),
                key=lambda entry: (-entry.count, entry.value),
            )
            for field in _FACET_FIELDS
        }
        return Facets(
            jurisdiction=tuple(counts[indexes.JURISDICTION]),
            code_body=tuple(counts[indexes.CODE_BODY]),
            level=tuple(counts[indexes.LEVEL]),
            tag=tuple(counts[indexes.TAG]),
        )


def required(words: int) -> int:
    """Return how many of a query's words a provision must hold to match: most of them."""
    return words // 2 + 1 if words > 1 else words


def _run(schema: tantivy.Schema, field: str, tokens: tuple[str, ...]) -> tantivy.Query:
    if len(tokens) == 1:
        return Query.term_query(schema, field, tokens[0], "freq")
    return Query.phrase_query(schema, field, list(tokens))


def _all(queries: list[tantivy.Query]) -> tantivy.Query:
    return queries[0] if len(queries) == 1 else Query.boolean_query([(_MUST, query) for query in queries])


def _any(queries: list[tantivy.Query]) -> tantivy.Query:
    return queries[0] if len(queries) == 1 else Query.boolean_query([(_SHOULD, query) for query in queries])


def _most(words: list[tantivy.Query]) -> tantivy.Query:
    """Return the query for provisions with `required` of the words, whose score doubles if they hold all.

    Up to four words the query is made of intersections and not of a minimum number of words: Tantivy checks a
    minimum for every provision with any of the words, but an intersection skips provisions without its rarest
    word. If all words but one are held, exactly one branch matches. If all are held, the score doubles: both
    branches match, or each word counts in two pairs.
    """
    if len(words) == 1:
        return words[0]
    if len(words) == 2:
        return Query.boost_query(_all(words), 2.0)
    if len(words) == 3:
        return _any([_all(list(pair)) for pair in combinations(words, 2)])
    if len(words) == 4:
        first, last = words[:2], words[2:]
        return _any([_all([*first, _any(last)]), _all([_any(first), *last])])
    least = required(len(words))
    some = Query.boolean_query([(_SHOULD, word) for word in words], minimum_number_should_match=least)
    return Query.boolean_query([(_MUST, some), (_SHOULD, _all(words))])


def _open(folder: Path) -> tantivy.Searcher:
    """Open an index that this process may be unable to write to.

    Tantivy takes a lock file where the index lies, which fails on a read-only mount or under another user.
    It is shown a temporary folder of links instead, which is not needed once the files are mapped. Its own
    threads may write a lock there while the folder is being removed: that must fail no one who opens it.
    """
    with tempfile.TemporaryDirectory(prefix="law-keyword-", ignore_cleanup_errors=True) as shown:
        try:
            for entry in folder.iterdir():
                if not entry.name.startswith("."):
                    (Path(shown) / entry.name).symlink_to(entry.resolve())
            index = tantivy.Index.open(shown)
            index.config_reader(reload_policy="manual")
            return index.searcher()
        except (OSError, ValueError) as error:
            raise SnapshotCorruptError(str(folder), f"is no keyword index: {error}") from error
