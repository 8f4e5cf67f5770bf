"""Figures of a run by kind of query: the mean of each measure, with its interval."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from assets.release.evaluation.bootstrap import Interval, interval
from assets.release.evaluation.judgements import NOTHING, EvaluationSet, Query
from assets.release.evaluation.measures import RELEVANT, judged, ndcg, recall, reciprocal_rank
from assets.release.evaluation.runs import Run

ALL = "all"
"""Name of all kinds together."""


class Measure(NamedTuple):
    """A measure of one ranked list: its name in tables, its field in JSON, and the function."""

    name: str
    field: str
    of: Callable[[Sequence[str], Mapping[str, int]], float]


NDCG = Measure("nDCG@10", "ndcgAt10", ndcg)
"""The measure by which runs are compared."""
MEASURES = (
    NDCG,
    Measure("MRR", "mrr", reciprocal_rank),
    Measure("recall@10", "recallAt10", lambda ranked, grades: recall(ranked, grades, 10)),
    Measure("recall@100", "recallAt100", lambda ranked, grades: recall(ranked, grades, 100)),
    Measure("judged@10", "judgedAt10", judged),
)


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one kind of query, or of `ALL`.

    Attributes:
        queries: number of queries that the figures are means of.
        means: of each of `MEASURES`, in that order.
    """

    kind: str
    queries: int
    means: tuple[Interval, ...]


def figures(run: Run, asked: EvaluationSet, queries: Sequence[Query]) -> list[Figures]:
    """Return the figures of the queries that some law answers: a kind each, and all of them last."""
    return [
        Figures(kind, len(some), tuple(interval(values(measure, run, asked, some)) for measure in MEASURES))
        for kind, some in by_kind(queries, asked).items()
    ]


def by_kind(queries: Sequence[Query], asked: EvaluationSet) -> dict[str, list[Query]]:
    """Return the queries that some law answers, by kind, and all of them last."""
    answered = [query for query in queries if _is_answered(asked.grades.get(query.id, {}))]
    kinds = dict.fromkeys(query.kind for query in answered)
    parted = {kind: [query for query in answered if query.kind == kind] for kind in kinds}
    return parted | ({ALL: answered} if answered else {})


def values(measure: Measure, run: Run, asked: EvaluationSet, queries: Sequence[Query]) -> list[float]:
    """Return the measure of each query's list."""
    return [measure.of(run.ranked[query.id], asked.grades.get(query.id, {})) for query in queries]


def found_nothing(run: Run, queries: Sequence[Query]) -> list[bool]:
    """Return, for each query that no law answers, whether nothing was found for it, as is right."""
    return [not run.ranked[query.id] for query in queries if query.kind == NOTHING]


def _is_answered(grades: Mapping[str, int]) -> bool:
    return any(grade >= RELEVANT for grade in grades.values())
