"""Examples that the ranker learns from: what is proposed for a query, with features and grades."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from assets.release.evaluation.judgements import Query
from serving.contract.ranking import FEATURES, QUERY_FEATURES
from serving.services.citations.leads import find_leads
from serving.services.features import describe
from serving.services.fusion import merge
from serving.services.search import DEPTH, nearest_and_asked
from serving.snapshot.filters import Filters
from serving.snapshot.passages import unit
from serving.snapshot.questions import QuestionIndex, _CodedQuestions
from serving.snapshot.ranker import network_inputs
from serving.snapshot.store import Snapshot
from tests.quality.query_encoder.examples import read_asked

ANSWERS = 3
"""Grade of the section that a question was written for."""
_SAME = 0.97
"""Cosine from which on a question of the section is the query itself."""


@dataclass(frozen=True, slots=True)
class Example:
    """The candidates of one query.

    Attributes:
        nodes: their ids.
        features: a row for each.
        query: the query's own features.
        grades: a grade for each; 0 where nobody judged.
    """

    nodes: list[str]
    features: np.ndarray
    query: np.ndarray
    grades: np.ndarray

    @property
    def inputs(self) -> np.ndarray:
        """What a network sees of each candidate: a row of `NETWORK_INPUTS`."""
        return network_inputs(self.features, self.query)

    @property
    def products(self) -> np.ndarray:
        """The products of both kinds of features: a row for each candidate."""
        products: np.ndarray = (self.features[:, :, None] * self.query).reshape(len(self.features), -1)
        return products


def example(snapshot: Snapshot, query: Query, grades: dict[str, int]) -> Example:
    """Return the candidates that a hybrid search for the query ranks, but for those that the query cites or names."""
    filters = Filters(jurisdiction=query.jurisdiction)
    near, asked = nearest_and_asked(snapshot, query.text, filters)
    words = snapshot.keyword.candidates(query.text, filters=filters, limit=DEPTH)
    leads = find_leads(snapshot, query.text, filters)
    meaning, answering = [hit.node_row for hit in near.hits], [found.node_row for found in asked]
    candidates = merge(words, meaning, answering, leads)
    if not candidates.rows:
        return Example([], np.zeros((0, len(FEATURES))), np.zeros(len(QUERY_FEATURES)), np.zeros(0))
    described = describe(snapshot, query.text, near.vector, candidates)
    rows = np.array(candidates.rows)
    ranked = ~np.isin(rows, leads.rows)
    nodes = [str(snapshot.nodes.id(row)) for row in rows[ranked].tolist()]
    found = np.array([grades.get(node, 0) for node in nodes])
    return Example(nodes, described.features[ranked], described.query, found)


class Question(NamedTuple):
    """A question and the row of the section that it was written for."""

    text: str
    row: int


def read_questions(snapshot: Snapshot, files: Sequence[Path], *, count: int, seed: int = 7) -> list[Question]:
    """Return so many questions, drawn by chance, of sections outside of the titles that are held out."""
    questions = [Question(text, row) for row, text in read_asked(snapshot, files)]
    drawn = np.random.default_rng(seed).permutation(len(questions))[:count]
    return [questions[place] for place in drawn]


def question_examples(
    snapshot: Snapshot, questions: Sequence[Question], *, seed: int = 7
) -> Iterator[Example]:
    """Yield an example for each question that leads to its section, found as if it did not lead.

    Where the law of one place is asked for, it is that of the section: always but for half of the federal questions.
    """
    everywhere = np.random.default_rng(seed).random(len(questions)) < 0.5
    index = _Unasked(snapshot.questions)
    for question, free in zip(questions, everywhere.tolist(), strict=True):
        place = snapshot.nodes.code_body(question.row).jurisdiction
        query = Query("", "", question.text, None if free and place == "us" else place, "")
        with index.without(question.row, snapshot.encoder.encode_query(question.text)):
            made = example(snapshot, query, {str(snapshot.nodes.id(question.row)): ANSWERS})
        yield made


class _Unasked:
    """The questions of a snapshot, of which those that are the query are left out while it is asked."""

    def __init__(self, index: QuestionIndex) -> None:
        self._index, self._vectors = index, np.array(index._vectors)
        index._vectors = self._vectors
        if isinstance(index._summary, _CodedQuestions):
            index._summary._vectors = self._vectors

    @contextmanager
    def without(self, row: int, vector: np.ndarray) -> Iterator[None]:
        """Make zeros of the questions of a section that are nearly this vector."""
        index = self._index
        place = int(np.searchsorted(index._nodes, row))
        own = np.arange(0)
        if place < len(index._nodes) and index._nodes[place] == row:
            own = np.arange(index._starts[place], index._ends[place])
            own = own[self._vectors[own] @ unit(vector) > _SAME]
        kept = self._vectors[own]
        self._vectors[own] = 0
        try:
            yield
        finally:
            self._vectors[own] = kept
