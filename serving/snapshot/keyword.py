"""Keyword search of an open snapshot: our query language on Tantivy's scorers."""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise
from math import ceil, log1p, log2
from pathlib import Path
from typing import cast

import numpy as np
import tantivy

from serving.contract import indexes
from serving.contract.errors import SnapshotCorruptError
from serving.contract.records import STATUSES
from serving.snapshot.clauses import Query, all_of, among, any_of, at_least, exactly, run_of
from serving.snapshot.facets import Facets, count_facets
from serving.snapshot.filters import Filters
from serving.snapshot.query import ParsedQuery, query_parser
from serving.snapshot.searched_words import SearchedWords
from serving.snapshot.terms import TermTable
from serving.snapshot.word_scores import MOST_OF_BM25, QueryWords, WordScores, count_words

HEADING_BOOST = 0.5
WHOLE_BOOST = 0.3
"""Weights, beside its words, of a word in the heading and of all words together. Chosen on the training
queries of the evaluation set: docs/decisions/search-ranking.md."""
CITATION_BOOST = 4.0
PINPOINT_BOOST = 2.0
MOST_REQUIRED = 3
"""Words of a long query that a provision must hold to match: a sentence has more than the law says back."""
_LONGEST_CITATION = 8
"""Tokens of the longest citation that a query may be, such as `D.C. Code § 29-801.02(a)(1)`."""

_SHORTEST, _SHORT = 4, 6
"""Letters of a word from which on one of them, and two of them, may differ in one that is spelled like it."""
_ENDINGS = (0, 2, 3)
"""Letters that an ending may have which the stemmer would have cut off a word spelled as it should be."""
_FETCHED = 2
"""Provisions that are looked at for each that is asked for and passes the filters: some are no sections."""
_LEAST_SHARE = 0.7
"""Share of the provisions from which on filters are applied to what the words find."""
_REMEMBERED, _LONGEST = 4096, 64
"""Words whose queries are remembered, and characters of the longest of them."""

_MUST, _SHOULD = tantivy.Occur.Must, tantivy.Occur.Should

Words = Sequence[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class KeywordHits:
    """One page of matches, best first.

    Attributes:
        rows: rows of `nodes.arrow`.
        scores: scores of the rows, not comparable between queries.
        total: all matches.
        least: words of the query that a match holds, or its phrases, where it has any.
        facets: None where they were not asked for.
        is_lenient: one word of the query was enough for a match, since no provision holds two.
    """

    rows: list[int]
    scores: list[float]
    total: int
    least: int = 0
    facets: Facets | None = None
    is_lenient: bool = False


class KeywordIndex:
    """The Tantivy index of a snapshot. Searches release the interpreter lock and may run in any thread.

    Args:
        folder: folder of the index.
        terms: the terms of its provisions, by which scoring is quick however large the law is; without
            them, as in snapshots of earlier builds, the index is searched for the same figures.
        passing: tells for each provision whether it passes filters; without it, each is looked up.
    """

    def __init__(
        self,
        folder: Path,
        terms: TermTable | None = None,
        passing: Callable[[Filters], np.ndarray] | None = None,
    ) -> None:
        self._passing = passing
        self._schema = indexes.keyword_schema()
        self._searcher = _open(folder)
        if terms is not None and len(terms) != len(self):
            raise SnapshotCorruptError(
                str(folder), f"holds {len(self)} provisions, and its terms {len(terms)}"
            )
        self._count = (
            SearchedWords(self._searcher, self._schema).count
            if terms is None
            else partial(count_words, terms)
        )
        self._parser = query_parser()
        # Each word is asked for in several fields, and words come back more often than queries do.
        self._word = lru_cache(_REMEMBERED)(partial(run_of, self._schema))
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
        facets: bool = False,
    ) -> KeywordHits:
        """Return the matches from `offset` on, at most `limit`; their number alone for a limit of 0.

        A query without words matches nothing.
        """
        parsed = self.parse(query)
        most = len(parsed.phrases) or required(len(parsed.groups))
        # A match holds as many words as `required`, if any provision does.
        for least in (most,) if parsed.phrases else range(most, min(most, 1) - 1, -1):
            if limit:
                compiled = self.compile(parsed, filters, least=least)
                result = self._searcher.search(
                    compiled, limit=limit, offset=offset, weight_by_field=indexes.WEIGHT
                )
            else:
                matching = self._matches(parsed, filters, least=least)
                result = self._searcher.search(matching, limit=1)  # the least that Tantivy takes
            # The type stub of Tantivy's result lacks its count.
            total = int(getattr(result, "count"))  # noqa: B009 - as said above
            if total:
                break
        hits = result.hits if limit else []
        return KeywordHits(
            self._rows(hits),
            [score for score, _ in hits],
            total,
            least,
            count_facets(self._searcher, self._matches(parsed, filters, least=least)) if facets else None,
            least < min(most, 2),
        )

    def candidates(self, query: str, *, filters: Filters, limit: int) -> list[int]:
        """Return at most `limit` rows that hold any of the words, best first in the order of `search`.

        Where most provisions pass the filters, those that do not are left out of what the words alone find.
        Nothing but words then has to be compared, and most provisions need not be looked at.
        """
        parsed = self.parse(query)
        if self._passing is not None and parsed.groups and not parsed.phrases:
            best = self._best_by_words(parsed, self._passing(filters), limit)
            if best is not None:
                return best
        compiled = self.compile(parsed, filters, least=1)
        found = self._searcher.search(compiled, limit=limit, count=False, weight_by_field=indexes.WEIGHT)
        return self._rows(found.hits)

    def _best_by_words(self, parsed: ParsedQuery, passing: np.ndarray, limit: int) -> list[int] | None:
        """Return what `candidates` does; None where few provisions pass, or others may be among the best."""
        share = np.count_nonzero(passing) / max(len(passing), 1)
        if share < _LEAST_SHARE:
            return None
        fetched = ceil(limit * _FETCHED / share)
        words, others = self._words(parsed), self._others(parsed)
        lists = [self._searcher.search(any_of([*words, *others]), limit=fetched, count=False).hits]
        if len(words) > 1:
            clauses = [(_MUST, Query.boost_query(all_of(words), 1 + WHOLE_BOOST))]
            clauses += [(_SHOULD, query) for query in others]
            # Those that hold all words have the higher score that they get for it, and so count with it.
            lists.append(self._searcher.search(Query.boolean_query(clauses), limit=fetched, count=False).hits)
        found = [hit for hits in lists for hit in hits]
        addresses = [address for _, address in found]
        rows = np.array(self._searcher.fast_field_values(indexes.ROW, addresses), np.int64)
        weights = np.array(self._searcher.fast_field_values(indexes.WEIGHT, addresses))
        scores = np.array([score for score, _ in found]) * np.log2(2 + weights)
        # Of equal scores the first of the index stands first, as the engine gives them.
        order = np.argsort(-scores, kind="stable")
        order = order[passing[rows[order]]]
        _, firsts = np.unique(rows[order], return_index=True)
        best = order[np.sort(firsts)][:limit]
        # What is not found scores at most as the last that is, with the weight of a section.
        last = max((hits[-1][0] for hits in lists if len(hits) == fetched), default=None)
        if last is not None:
            most = last * log2(2 + indexes.SECTION_WEIGHT)
            if len(best) < limit or scores[best[-1]] <= most:
                return None
        ordered: list[int] = rows[best].tolist()
        return ordered

    def score(self, query: str, rows: list[int]) -> WordScores:
        """Return what the words of a query are worth in each of these provisions, which must be distinct."""
        parsed = self.parse(query)
        words = [*parsed.groups, *parsed.phrases]
        idf = [list(map(self._idf, word)) for word in words]
        rarity = [max(tokens) for tokens in idf]
        whole = sum(rarity) or 1.0
        alone = [place for place, word in enumerate(words) if len(word) == 1]
        asked = QueryWords(words, list(map(sum, idf)), list(pairwise(alone)))
        counted = self._count(asked, np.array(rows))
        numbers = [place for place, word in enumerate(words) if _has_digit(word)]
        groups = len(parsed.groups)
        return WordScores(
            counted.relevance / (MOST_OF_BM25 * whole),
            np.array(rarity) @ counted.held / whole,
            np.array(rarity) @ counted.in_heading / whole,
            counted.in_citation[numbers].sum(axis=0) / (len(numbers) or 1),
            counted.near.sum(axis=0) / (len(asked.pairs) or 1),
            rarity,
            (counted.held[groups:] if parsed.phrases else counted.held).sum(axis=0),
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
        query = Query.boolean_query([(_MUST, any_of(alike)), *self._filters(filters)])
        return self._rows(self._searcher.search(query, limit=limit, count=False).hits)

    def matching(self, query: str, *, filters: Filters, rows: list[int], least: int) -> set[int]:
        """Return the rows among `rows` that the query matches, which a fusion must not count twice.

        Args:
            query: the words.
            filters: conditions that a match must meet.
            rows: distinct rows.
            least: words of the query that a match must hold, as the search for it found.
        """
        if not rows:
            return set()
        matching = self._matches(self.parse(query), filters, least=least)
        both = Query.boolean_query([(_MUST, among(self._schema, rows)), (_MUST, matching)])
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
            (_MUST, exactly(self._schema, indexes.CODE_BODY, code_body)),
        ]
        found = self._searcher.search(Query.boolean_query(clauses), limit=limit, count=False)
        return self._rows(found.hits)

    def _idf(self, token: str) -> float:
        """Return the weight of a token by how few provisions hold it, as BM25 has it."""
        held = self._searcher.doc_freq(indexes.BODY, token)
        return log1p((len(self) - held + 0.5) / (held + 0.5))

    def _rows(self, hits: list[tuple[float, tantivy.DocAddress]]) -> list[int]:
        found = self._searcher.fast_field_values(indexes.ROW, [address for _, address in hits])
        return cast(list[int], found)

    def compile(self, parsed: ParsedQuery, filters: Filters, *, least: int) -> tantivy.Query:
        """Return the Tantivy query that ranks what matches, as `_matches` has it."""
        words, others = self._words(parsed), self._others(parsed)
        if len(words) > 1:
            # A provision that holds all of them counts somewhat more.
            others.append(Query.boost_query(all_of(words), WHOLE_BOOST))
        matching = self._matches(parsed, filters, least=least)
        return Query.boolean_query([(_MUST, matching), *((_SHOULD, query) for query in (*words, *others))])

    def _matches(self, parsed: ParsedQuery, filters: Filters, *, least: int) -> tantivy.Query:
        """Return the query for what matches, all of one score; the empty one where nothing can.

        Args:
            parsed: the parsed query.
            filters: conditions that a match must meet.
            least: words of the query that a match must hold.
        """
        if not parsed.groups and not parsed.phrases:
            return Query.empty_query()
        clauses = [(_MUST, self._matching(parsed, least)), *self._filters(filters)]
        return Query.const_score_query(Query.boolean_query(clauses), 0.0)

    def _matching(self, parsed: ParsedQuery, least: int) -> tantivy.Query:
        """Return the query that decides whether a provision matches."""
        if parsed.phrases:
            return all_of([self._run(indexes.BODY, phrase) for phrase in parsed.phrases])
        return at_least(least, [self._run(indexes.BODY, group) for group in parsed.groups])

    def _words(self, parsed: ParsedQuery) -> list[tantivy.Query]:
        """Return the queries for a query's words and phrases, each by itself."""
        return [self._run(indexes.BODY, run) for run in (*parsed.groups, *parsed.phrases)]

    def _others(self, parsed: ParsedQuery) -> list[tantivy.Query]:
        """Return the queries that rank a match beside its words: heading, citation, paragraph."""
        runs = (*parsed.groups, *parsed.phrases)
        numbers = [run for run in runs if _has_digit(run)]
        others = [
            *(Query.boost_query(self._run(indexes.HEADING, run), HEADING_BOOST) for run in runs),
            *(Query.boost_query(self._run(indexes.CITATION, run), CITATION_BOOST) for run in numbers),
            *(Query.boost_query(self._run(indexes.BODY, run), PINPOINT_BOOST) for run in parsed.pinpoints),
        ]
        whole = parsed.numbered
        if 1 < len(whole) <= _LONGEST_CITATION and (whole,) != parsed.groups:
            others.append(Query.boost_query(self._run(indexes.CITATION, whole), CITATION_BOOST))
        return others

    def _run(self, field: str, tokens: tuple[str, ...]) -> tantivy.Query:
        """Return the query for a run of tokens in a field."""
        if len(tokens) == 1 and len(tokens[0]) <= _LONGEST:
            return self._word(field, tokens)
        return run_of(self._schema, field, tokens)

    def _filters(self, filters: Filters) -> list[tuple[tantivy.Occur, tantivy.Query]]:
        clauses = []
        if filters.jurisdiction is not None:
            clauses.append((_MUST, exactly(self._schema, indexes.SCOPE, filters.jurisdiction)))
        if filters.code_body is not None:
            clauses.append((_MUST, exactly(self._schema, indexes.CODE_BODY, str(filters.code_body))))
        if filters.level is not None:
            clauses.append((_MUST, exactly(self._schema, indexes.LEVEL, filters.level)))
        if filters.tag is not None:
            clauses.append((_MUST, exactly(self._schema, indexes.TAG, filters.tag)))
        # Asking matches for one status costs less than leaving out six others.
        if filters.statuses and not self._statuses.issubset(filters.statuses):
            clauses.append(
                (_MUST, any_of([exactly(self._schema, indexes.STATUS, name) for name in filters.statuses]))
            )
        return clauses


def _has_digit(tokens: tuple[str, ...]) -> bool:
    return any(character.isdigit() for token in tokens for character in token)


def required(words: int) -> int:
    """Return how many of a query's words a provision must hold to match: most of them, three of many."""
    return min(words // 2 + 1, MOST_REQUIRED) if words > 1 else words


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
