"""The part of the evaluation set that the law of a snapshot can answer."""

from collections.abc import Mapping
from dataclasses import replace
from uuid import UUID

from assets.release.evaluation.judgements import NOTHING, EvaluationSet, Query
from serving.contract.manifest import CodeBodyEntry
from serving.contract.records import IN_FORCE
from serving.snapshot.nodes import NodeTable


def answerable(asked: EvaluationSet, nodes: NodeTable, bodies: tuple[CodeBodyEntry, ...]) -> EvaluationSet:
    """Return the queries that some law answers of which `nodes` hold a best answer, in force.

    A query that no law answers stays where there is law of its jurisdiction to be searched.
    """
    queries = tuple(query for query in asked.queries if _may_search(query, bodies))
    judged = {node for grades in asked.grades.values() for node in grades}
    live = {node for node in judged if is_live(nodes, node)}
    return keep_nodes(replace(asked, queries=queries), live)


def keep_nodes(asked: EvaluationSet, held: set[str]) -> EvaluationSet:
    """Return the set with the grades of some provisions alone, and without queries whose best are others."""
    kept = {
        query: {node: grade for node, grade in grades.items() if node in held}
        for query, grades in asked.grades.items()
    }
    queries = tuple(
        query
        for query in asked.queries
        if query.kind == NOTHING or 0 < _best(asked.grades.get(query.id, {})) == _best(kept.get(query.id, {}))
    )
    return replace(asked, queries=queries, grades={query.id: kept.get(query.id, {}) for query in queries})


def is_live(nodes: NodeTable, node: str) -> bool:
    """Return whether a provision is held and in force."""
    row = nodes.find(UUID(node))
    return row is not None and nodes.status(row) == IN_FORCE


def _best(grades: Mapping[str, int]) -> int:
    return max(grades.values(), default=0)


def _may_search(query: Query, bodies: tuple[CodeBodyEntry, ...]) -> bool:
    code = query.jurisdiction
    return code is None or any(f"{body.jurisdiction}-".startswith(f"{code}-") for body in bodies)
