"""Figures by kind of query."""

import pytest

from assets.release.evaluation.figures import ALL, MEASURES, figures, found_nothing
from assets.release.evaluation.judgements import EvaluationSet, Query
from assets.release.evaluation.runs import Run

QUERIES = tuple(
    Query(f"{kind}-{number}", kind, "x", None, "train")
    for kind, count in (("lay", 2), ("name", 1), ("nothing", 2))
    for number in range(count)
)
ASKED = EvaluationSet(QUERIES, {"lay-0": {"a": 3}, "lay-1": {"a": 2, "b": 2}, "name-0": {"c": 3}})
RUN = Run(
    "hybrid",
    "s",
    {"lay-0": ["a"], "lay-1": ["x", "a"], "name-0": [], "nothing-0": [], "nothing-1": ["x"]},
    {},
)


def test_each_kind_has_its_means_and_all_come_last() -> None:
    found = figures(RUN, ASKED, QUERIES)
    assert [(one.kind, one.queries) for one in found] == [("lay", 2), ("name", 1), (ALL, 3)]
    means = {measure.field: mean for measure, mean in zip(MEASURES, found[0].means, strict=True)}
    assert means["mrr"].mean == 0.75
    assert means["recallAt10"].mean == 0.75
    assert means["judgedAt10"].mean == 0.75
    assert means["mrr"].low <= 0.75 <= means["mrr"].high
    assert found[2].means[1].mean == pytest.approx(0.5)


def test_finding_nothing_is_right_where_no_law_answers() -> None:
    assert found_nothing(RUN, QUERIES) == [True, False]
