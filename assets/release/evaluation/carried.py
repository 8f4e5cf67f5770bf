"""The run that a snapshot carries: what its search found, for the next publication to compare with."""

import json
from collections.abc import Sequence

from assets.release.evaluation.judgements import Query
from assets.release.evaluation.runs import Run


def to_carried(run: Run, queries: Sequence[Query]) -> bytes:
    """Return a run as JSON, each list beside its question as it was asked."""
    stored = {
        "mode": run.name,
        "answers": {
            query.id: {
                "query": query.text,
                "jurisdiction": query.jurisdiction,
                "nodes": run.ranked[query.id],
            }
            for query in queries
        },
    }
    return json.dumps(stored, ensure_ascii=False).encode() + b"\n"


def from_carried(stored: bytes, snapshot: str, queries: Sequence[Query]) -> Run:
    """Return the run that `snapshot` carries, of the queries that are still asked in the same words."""
    values = json.loads(stored)
    answers = values["answers"]
    ranked = {
        query.id: answers[query.id]["nodes"]
        for query in queries
        if query.id in answers
        and (answers[query.id]["query"], answers[query.id]["jurisdiction"])
        == (query.text, query.jurisdiction)
    }
    return Run(values["mode"], snapshot, ranked, {})
