"""Worth of a query's words in provisions, as the search engine tells it: for snapshots without terms."""

from collections.abc import Sequence

import numpy as np
import tantivy

from serving.contract import indexes
from serving.snapshot.clauses import Query, among, any_of, run_of
from serving.snapshot.word_scores import NEAR, Counted, QueryWords

_BITS = 24
"""Bits of a whole number that a score, of 32 bits, holds exactly."""
_MUST, _SHOULD = tantivy.Occur.Must, tantivy.Occur.Should


class SearchedWords:
    """Asks a keyword index for what `count_words` reckons. May be used from any thread.

    Args:
        searcher: searcher of the index.
        schema: schema of the index.
    """

    def __init__(self, searcher: tantivy.Searcher, schema: tantivy.Schema) -> None:
        self._searcher = searcher
        self._schema = schema

    def count(self, asked: QueryWords, rows: np.ndarray) -> Counted:
        """Return what provisions hold of a query's words.

        Of some neighbours the second may also stand directly before the first: the engine takes the rarer
        word of a pair as its beginning.
        """
        runs, schema = asked.runs, self._schema
        held = [run_of(schema, indexes.BODY, run) for run in runs]
        questions = (
            held,
            [run_of(schema, indexes.HEADING, run) for run in runs],
            [run_of(schema, indexes.CITATION, run) for run in runs],
            [self._near(runs[first] + runs[second]) for first, second in asked.pairs],
        )
        wanted = among(schema, rows.tolist())
        # A search costs more by its rows than by what is asked of them: as few as can be.
        answers = self._answers(wanted, [query for queries in questions for query in queries], rows)
        return Counted(
            self._scores(wanted, held, rows),
            *np.split(answers, np.cumsum([len(queries) for queries in questions])[:-1]),
        )

    def _near(self, tokens: tuple[str, ...]) -> tantivy.Query:
        return Query.phrase_query(self._schema, indexes.BODY, list(tokens), slop=NEAR)

    def _scores(
        self, wanted: tantivy.Query, questions: Sequence[tantivy.Query], rows: np.ndarray
    ) -> np.ndarray:
        """Return the sum of the questions' scores for each row."""
        if not questions or not len(rows):
            return np.zeros(len(rows))
        query = Query.boolean_query([(_MUST, wanted), (_SHOULD, any_of(list(questions)))])
        hits = self._searcher.search(query, limit=len(rows), count=False).hits
        found = self._searcher.fast_field_values(indexes.ROW, [address for _, address in hits])
        scores = dict(zip(found, (score for score, _ in hits), strict=True))
        return np.array([scores.get(row, 0.0) for row in rows.tolist()])

    def _answers(
        self, wanted: tantivy.Query, questions: Sequence[tantivy.Query], rows: np.ndarray
    ) -> np.ndarray:
        """Return, for each question and row, 1 where the row matches it, else 0.

        One search answers several: the score of a row has a bit for each of them.
        """
        answers = np.zeros((len(questions), len(rows)))
        for first in range(0, len(questions), _BITS):
            asked = questions[first : first + _BITS]
            flags = [Query.const_score_query(query, float(1 << bit)) for bit, query in enumerate(asked)]
            scores = self._scores(wanted, flags, rows).astype(np.int64)
            answers[first : first + len(asked)] = scores >> np.arange(len(asked))[:, np.newaxis] & 1
        return answers
