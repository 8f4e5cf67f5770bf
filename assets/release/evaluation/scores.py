"""The scores of a staged snapshot, and its comparison with the one in service."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assets.progress import Progress, counted
from assets.release.evaluation.answerable import answerable, is_live
from assets.release.evaluation.carried import from_carried, to_carried
from assets.release.evaluation.figures import ALL, MEASURES, by_kind, figures, found_nothing
from assets.release.evaluation.gate import Change, Margins, compare, read_margins
from assets.release.evaluation.judgements import HELDOUT, EvaluationSet, read_evaluation_set
from assets.release.evaluation.runs import Run, run
from serving.contract.errors import DamagedFileError, SnapshotCorruptError
from serving.contract.layout import EVALUATION
from serving.services.requests import Mode
from serving.services.search import SearchService
from serving.snapshot.nodes import NodeTable
from serving.snapshot.store import Snapshot, open_snapshot

NO_SET, FEW_QUERIES = "no_evaluation_set", "few_queries"
"""Reasons of a snapshot without scores."""
FIRST, NOT_CARRIED, UNREADABLE = "first_publication", "not_measured", "unreadable"
"""Reasons of scores without a comparison, beside `FEW_QUERIES`."""
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Scores:
    """The result of an evaluation.

    Attributes:
        report: for the quality report, as plain values.
        carried: the run for the next publication; None without scores.
        changes: against the snapshot in service, by kind.
    """

    report: dict[str, Any]
    carried: bytes | None = None
    changes: Sequence[Change] = ()


def score(staged: Path, folder: Path, served: Path | None, progress: Progress) -> Scores:
    """Search a staged snapshot for the held-out questions that its law answers.

    The ranker has learned the others, so that a worse search could hide behind them.

    Args:
        staged: folder of the snapshot, with its manifest.
        folder: of the evaluation set.
        served: folder of the snapshot in service; None where there is none.
        progress: shows the searches.
    """
    asked = read_evaluation_set(folder)
    asked = replace(asked, queries=asked.of_split(HELDOUT))
    if not asked.queries:
        return Scores(_absent(asked, 0, NO_SET))
    margins = read_margins(folder)
    with closing(open_snapshot(staged)) as snapshot:
        can = answerable(asked, snapshot.nodes, snapshot.manifest.code_bodies)
        count = _answered(can)
        if count < margins.least:
            return Scores(_absent(asked, count, FEW_QUERIES))
        runs = _run(snapshot, can, progress)
        fused = next(one for one in runs if one.name == Mode.HYBRID)
        changes, compared = _compared(fused, can, snapshot.nodes, served, margins)
    report = {
        **_absent(asked, count, None),
        "modes": {one.name: _figures(one, can) for one in runs},
        "comparison": compared,
    }
    return Scores(report, to_carried(fused, can.queries), changes)


def _run(snapshot: Snapshot, can: EvaluationSet, progress: Progress) -> list[Run]:
    modes = tuple(Mode)
    service = SearchService()
    with progress.stage("evaluation of search", "searches") as advance:
        done = counted(advance, len(modes) * len(can.queries))
        return [run(service, snapshot, can.queries, mode, done=done) for mode in modes]


def _compared(
    ours: Run, can: EvaluationSet, nodes: NodeTable, served: Path | None, margins: Margins
) -> tuple[list[Change], dict[str, Any]]:
    """Return the changes against the snapshot in service, and what the report says of them."""
    if served is None:
        return [], _comparison(None, 0, FIRST, [])
    try:
        with closing(open_snapshot(served)) as before:
            stored = before.read(EVALUATION)
            if stored is None:
                return [], _comparison(before.id, 0, NOT_CARRIED, [])
            theirs = from_carried(stored, before.id, can.queries)
            named = {node for one in (ours, theirs) for found in one.ranked.values() for node in found}
            named |= {node for grades in can.grades.values() for node in grades}
            shared = {node for node in named if is_live(nodes, node) and is_live(before.nodes, node)}
    except (DamagedFileError, SnapshotCorruptError):
        return [], _comparison(served.name, 0, UNREADABLE, [])
    both = replace(can, queries=tuple(query for query in can.queries if query.id in theirs.ranked))
    changes = compare(ours, theirs, both, shared, margins)
    count = next((change.queries for change in changes if change.kind == ALL), 0)
    if count < margins.least:
        return [], _comparison(theirs.snapshot, count, FEW_QUERIES, [])
    return changes, _comparison(theirs.snapshot, count, None, changes)


def _absent(asked: EvaluationSet, count: int, reason: str | None) -> dict[str, Any]:
    return {
        "set": {"revision": asked.revision, "split": HELDOUT, "queries": len(asked.queries)},
        "queries": count,
        "reason": reason,
        "modes": None,
        "comparison": None,
    }


def _figures(one: Run, can: EvaluationSet) -> dict[str, Any]:
    nothing = found_nothing(one, can.queries)
    return {
        "kinds": [
            {
                "kind": of_kind.kind,
                "queries": of_kind.queries,
                **{
                    measure.field: {name: round(value, _DIGITS) for name, value in mean._asdict().items()}
                    for measure, mean in zip(MEASURES, of_kind.means, strict=True)
                },
            }
            for of_kind in figures(one, can, can.queries)
        ],
        "nothing": {"queries": len(nothing), "foundNothing": sum(nothing)},
    }


def _comparison(
    snapshot: str | None, count: int, reason: str | None, changes: Sequence[Change]
) -> dict[str, Any]:
    return {
        "snapshot": snapshot,
        "queries": count,
        "reason": reason,
        "kinds": [
            {
                "kind": change.kind,
                "queries": change.queries,
                "before": round(change.before, _DIGITS),
                "now": round(change.now, _DIGITS),
                "margin": change.margin,
            }
            for change in changes
        ],
    }


def _answered(can: EvaluationSet) -> int:
    return len(by_kind(can.queries, can).get(ALL, ()))
