"""The part of the evaluation set that the law of a snapshot can answer."""

from pathlib import Path

from assets.release.evaluation.answerable import answerable, is_live, keep_nodes
from assets.release.evaluation.judgements import EvaluationSet, Query
from serving.contract.identity import node_id
from serving.snapshot.store import open_snapshot

DEPOSIT = str(node_id("/sample/code/t1/s102"))
REPEALED = str(node_id("/sample/code/t1/s103"))
WELLS = str(node_id("/sample/code/t2/s201"))
ELSEWHERE = str(node_id("/us/usc/t17/s107"))


def _query(name: str, kind: str = "lay", jurisdiction: str | None = None) -> Query:
    return Query(name, kind, name, jurisdiction, "heldout")


def test_a_query_is_answered_by_one_of_its_best_provisions_in_force(small_snapshot: Path) -> None:
    grades = {
        "whole": {DEPOSIT: 3, WELLS: 1},
        "one of two": {DEPOSIT: 3, ELSEWHERE: 3},
        "second best": {DEPOSIT: 2, ELSEWHERE: 3},
        "not held": {ELSEWHERE: 3, WELLS: 0},
        "repealed": {REPEALED: 3, DEPOSIT: 1},
        "other state": {DEPOSIT: 3},
    }
    queries = tuple(_query(name, jurisdiction="us" if name == "other state" else None) for name in grades)
    none = (_query("none"), _query("nothing", "nothing"), _query("nothing there", "nothing", "us"))
    opened = open_snapshot(small_snapshot)
    can = answerable(EvaluationSet((*queries, *none), grades), opened.nodes, opened.manifest.code_bodies)
    assert [query.id for query in can.queries] == ["whole", "one of two", "nothing"]
    assert can.grades == {"whole": {DEPOSIT: 3, WELLS: 1}, "one of two": {DEPOSIT: 3}, "nothing": {}}
    assert [is_live(opened.nodes, node) for node in (WELLS, REPEALED, ELSEWHERE)] == [True, False, False]
    opened.close()


def test_a_place_is_searched_within_its_state(small_snapshot: Path) -> None:
    opened = open_snapshot(small_snapshot)
    asked = EvaluationSet(
        tuple(_query(code, "nothing", code) for code in ("sample", "sample-city", "sam", "sample-town")), {}
    )
    can = answerable(asked, opened.nodes, opened.manifest.code_bodies)
    assert [query.id for query in can.queries] == ["sample", "sample-city"]
    opened.close()


def test_grades_of_other_provisions_are_left_out() -> None:
    asked = EvaluationSet((_query("a"), _query("b")), {"a": {"x": 3, "y": 2}, "b": {"y": 2}})
    kept = keep_nodes(asked, {"x"})
    assert [query.id for query in kept.queries] == ["a"]
    assert kept.grades == {"a": {"x": 3}}
