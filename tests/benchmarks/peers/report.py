"""Tables of a run of all engines: what they found by kind of query, and what they cost."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from assets.release.evaluation.figures import MEASURES, NDCG, by_kind, values
from assets.release.evaluation.judgements import EvaluationSet, Query
from assets.release.evaluation.runs import Run

_JUDGED = next(measure for measure in MEASURES if measure.field == "judgedAt10")


@dataclass(frozen=True, slots=True)
class Costs:
    """The figures of one engine beside what it found.

    Attributes:
        build: seconds; None for what was built before.
        every: milliseconds of each search by one client.
        rates: searches per second at 1 and at 8 clients.
    """

    name: str
    build: float | None
    disk: int
    memory: int
    every: Sequence[float]
    rates: tuple[float, float]


def quality(runs: Sequence[Run], asked: EvaluationSet, queries: Sequence[Query]) -> Iterator[str]:
    """Yield a table of nDCG@10 by kind, and in parentheses the share of the first ten that was judged."""
    yield f"| nDCG@10 (judged@10), kind (n) | {' | '.join(one.name for one in runs)} |"
    yield f"|---|{'---|' * len(runs)}"
    for kind, some in by_kind(queries, asked).items():
        cells = [
            f"{np.mean(values(NDCG, one, asked, some)):.3f} ({np.mean(values(_JUDGED, one, asked, some)):.2f})"
            for one in runs
        ]
        yield f"| {kind} ({len(some)}) | {' | '.join(cells)} |"


def costs(engines: Sequence[Costs]) -> Iterator[str]:
    """Yield a table of times, rates and sizes."""
    yield "| engine | p50, ms | p99, ms | per second, 1 client | 8 clients | build, s | disk, MB | memory, MB |"
    yield "|---|---|---|---|---|---|---|---|"
    for one in engines:
        build = "–" if one.build is None else f"{one.build:.0f}"
        yield (
            f"| {one.name} | {median(one.every):.1f} | {np.percentile(one.every, 99):.1f} "
            f"| {one.rates[0]:.1f} | {one.rates[1]:.1f} | {build} | {one.disk / 1e6:.0f} | {one.memory / 1e6:.0f} |"
        )
