"""Tables of figures by kind of query: of one run, and of two that answered the same queries."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import median

from tests.quality.evaluation.bootstrap import difference, interval
from tests.quality.evaluation.judgements import NOTHING, EvaluationSet, Query
from tests.quality.evaluation.measures import RELEVANT, judged, ndcg, recall, reciprocal_rank
from tests.quality.evaluation.runs import Run

ALL = "all"
Measure = Callable[[Sequence[str], Mapping[str, int]], float]
MEASURES: dict[str, Measure] = {
    "nDCG@10": ndcg,
    "MRR": reciprocal_rank,
    "recall@10": lambda ranked, grades: recall(ranked, grades, 10),
    "recall@100": lambda ranked, grades: recall(ranked, grades, 100),
    "judged@10": judged,
}


def figures(run: Run, asked: EvaluationSet, queries: Sequence[Query]) -> Iterator[str]:
    """Yield a Markdown table: the mean of each measure by kind, and the interval of the first one."""
    yield f"| {run.name}: kind (n) | {' | '.join(MEASURES)} |"
    yield f"|---|{'---|' * len(MEASURES)}"
    for kind, some in _by_kind(queries, asked).items():
        cells = []
        for name, measure in MEASURES.items():
            mean, low, high = interval(_values(measure, run, asked, some))
            cells.append(f"{mean:.3f} [{low:.3f}, {high:.3f}]" if name == "nDCG@10" else f"{mean:.3f}")
        yield f"| {kind} ({len(some)}) | {' | '.join(cells)} |"
    empty = [not run.ranked[query.id] for query in queries if query.kind == NOTHING]
    if empty:
        yield f"\nNothing is returned for {sum(empty)} of the {len(empty)} queries that no law answers."
    times = sorted(run.milliseconds[query.id] for query in queries)
    if times:
        yield f"\np50 {median(times):.1f} ms, p99 {times[min(len(times) - 1, len(times) * 99 // 100)]:.1f} ms"


def comparison(ours: Run, theirs: Run, asked: EvaluationSet, queries: Sequence[Query]) -> Iterator[str]:
    """Yield a Markdown table: by how much nDCG@10 differs from another run's, with its interval."""
    yield f"| {ours.name} against {theirs.name}: kind (n) | nDCG@10 | difference | 95 % | p |"
    yield "|---|---|---|---|---|"
    shared = [query for query in queries if query.id in theirs.ranked]
    for kind, some in _by_kind(shared, asked).items():
        mine = _values(ndcg, ours, asked, some)
        gain = difference(mine, _values(ndcg, theirs, asked, some))
        yield (
            f"| {kind} ({len(some)}) | {sum(mine) / len(mine):.3f} | {gain.mean:+.3f} "
            f"| [{gain.low:+.3f}, {gain.high:+.3f}] | {gain.p:.3f} |"
        )


def _by_kind(queries: Sequence[Query], asked: EvaluationSet) -> dict[str, list[Query]]:
    """Return the queries that some law answers, by kind, and all of them last."""
    answered = [query for query in queries if _is_answered(asked.grades.get(query.id, {}))]
    kinds = dict.fromkeys(query.kind for query in answered)
    by_kind = {kind: [query for query in answered if query.kind == kind] for kind in kinds}
    return by_kind | ({ALL: answered} if answered else {})


def _is_answered(grades: Mapping[str, int]) -> bool:
    return any(grade >= RELEVANT for grade in grades.values())


def _values(measure: Measure, run: Run, asked: EvaluationSet, queries: Sequence[Query]) -> list[float]:
    return [measure(run.ranked[query.id], asked.grades.get(query.id, {})) for query in queries]
