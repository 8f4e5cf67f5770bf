"""Tables of figures by kind of query: of one run, and of two that answered the same queries."""

from collections.abc import Iterator, Sequence
from statistics import median

from assets.release.evaluation.bootstrap import difference
from assets.release.evaluation.figures import MEASURES, NDCG, by_kind, figures, found_nothing, values
from assets.release.evaluation.judgements import EvaluationSet, Query
from assets.release.evaluation.runs import Run


def table(run: Run, asked: EvaluationSet, queries: Sequence[Query]) -> Iterator[str]:
    """Yield a Markdown table: the mean of each measure by kind, and the interval of the first one."""
    yield f"| {run.name}: kind (n) | {' | '.join(measure.name for measure in MEASURES)} |"
    yield f"|---|{'---|' * len(MEASURES)}"
    for of_kind in figures(run, asked, queries):
        first, *others = of_kind.means
        cells = [f"{first.mean:.3f} [{first.low:.3f}, {first.high:.3f}]"]
        cells += [f"{other.mean:.3f}" for other in others]
        yield f"| {of_kind.kind} ({of_kind.queries}) | {' | '.join(cells)} |"
    empty = found_nothing(run, queries)
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
    for kind, some in by_kind(shared, asked).items():
        mine = values(NDCG, ours, asked, some)
        gain = difference(mine, values(NDCG, theirs, asked, some))
        yield (
            f"| {kind} ({len(some)}) | {sum(mine) / len(mine):.3f} | {gain.mean:+.3f} "
            f"| [{gain.low:+.3f}, {gain.high:+.3f}] | {gain.p:.3f} |"
        )
