"""Measures of ranked lists, against values computed by hand."""

from math import log2

import pytest

from assets.release.evaluation.measures import judged, ndcg, recall, reciprocal_rank

GRADES = {"a": 3, "b": 2, "c": 1, "d": 0, "e": 3}
IDEAL = 3 + 3 / log2(3) + 2 / 2 + 1 / log2(5)


@pytest.mark.parametrize(
    ("ranked", "gain"),
    [
        (["a", "e", "b", "c", "d"], IDEAL),
        (["d", "a"], 3 / log2(3)),
        (["x", "c", "y", "b"], 1 / log2(3) + 2 / log2(5)),
        (["x"] * 10 + ["a"], 0),
        ([], 0),
    ],
)
def test_gain_is_discounted_and_shared_by_the_best_order(ranked: list[str], gain: float) -> None:
    assert ndcg(ranked, GRADES) == pytest.approx(gain / IDEAL)


def test_the_best_order_is_cut_where_the_list_is() -> None:
    assert ndcg(["a", "e"], GRADES, depth=2) == 1
    assert ndcg(["a"], {"a": 1} | {f"n{number}": 1 for number in range(20)}, depth=1) == 1


@pytest.mark.parametrize("grades", [{}, {"a": 0}])
def test_a_query_without_answers_has_no_gain(grades: dict[str, int]) -> None:
    assert (ndcg(["a"], grades), recall(["a"], grades, 10), reciprocal_rank(["a"], grades)) == (0, 0, 0)


def test_what_is_on_topic_only_is_not_relevant() -> None:
    assert reciprocal_rank(["c", "d", "b"], GRADES) == pytest.approx(1 / 3)
    assert recall(["c", "a", "b", "e"], GRADES, 2) == pytest.approx(1 / 3)
    assert recall(["c", "a", "b", "e"], GRADES, 4) == 1


def test_grade_nought_is_judged() -> None:
    assert judged(["a", "d", "x", "y"], GRADES) == 0.5
    assert judged(["x"] + ["a"] * 9 + ["x"] * 5, GRADES) == 0.9
    assert judged([], GRADES) == 1
