"""The gate of search: a comparison with the snapshot in service, and the losses that hold a new one back."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from assets.errors import BuildError
from assets.release.evaluation.answerable import keep_nodes
from assets.release.evaluation.figures import ALL, NDCG, by_kind, values
from assets.release.evaluation.judgements import EvaluationSet
from assets.release.evaluation.runs import Run

MARGINS = "gate.toml"
"""File of the margins, in the folder of the set."""


class SearchLossError(BuildError):
    """Search finds less than in the snapshot in service."""

    code = "search_lost"


@dataclass(frozen=True, slots=True)
class Margins:
    """Losses that are allowed; the file gives the reasons.

    Attributes:
        all: nDCG@10 that all queries together may lose.
        kind: nDCG@10 that the queries of one kind may lose.
        least_of_kind: fewest queries of a kind that are judged by themselves.
        least: fewest queries by which a snapshot is measured at all.
    """

    all: float
    kind: float
    least_of_kind: int
    least: int


@dataclass(frozen=True, slots=True)
class Change:
    """A comparison of two snapshots on one kind of query, or on `ALL`.

    Attributes:
        queries: number of them that both snapshots can answer.
        before: nDCG@10 in the snapshot in service.
        now: nDCG@10 in the coming one.
        margin: loss that is allowed; None for queries too few to be judged by themselves.
    """

    kind: str
    queries: int
    before: float
    now: float
    margin: float | None

    @property
    def is_loss(self) -> bool:
        """True if more was lost than is allowed."""
        return self.margin is not None and self.before - self.now > self.margin


def read_margins(folder: Path) -> Margins:
    """Read the margins in the folder of the set."""
    return Margins(**tomllib.loads((folder / MARGINS).read_text(encoding="utf-8"))["margins"])


def compare(now: Run, before: Run, asked: EvaluationSet, shared: set[str], margins: Margins) -> list[Change]:
    """Return the changes by kind, over the provisions of which both runs could know.

    Args:
        now: of the coming snapshot.
        before: of the one in service.
        asked: the queries that both were asked.
        shared: ids of provisions that both hold in force: what only one holds is nobody's loss.
        margins: what may be lost.
    """
    both = keep_nodes(asked, shared)
    now, before = now.among(shared), before.among(shared)
    changes = []
    for kind, some in by_kind(both.queries, both).items():
        then, today = (fmean(values(NDCG, run, both, some)) for run in (before, now))
        margin = margins.all if kind == ALL else margins.kind
        is_judged = len(some) >= margins.least_of_kind
        changes.append(Change(kind, len(some), then, today, margin if is_judged else None))
    return changes


def require_no_loss(snapshot: str, served: str, changes: Sequence[Change]) -> None:
    """Refuse a snapshot whose search lost more than is allowed.

    Raises:
        SearchLossError: it did; the message names each kind with both figures.
    """
    losses = [change for change in changes if change.is_loss]
    if losses:
        said = "; ".join(
            f"{loss.kind} ({loss.queries} questions): nDCG@10 {loss.now:.3f} after {loss.before:.3f}, "
            f"{loss.before - loss.now:.3f} less where {loss.margin} is allowed"
            for loss in losses
        )
        raise SearchLossError(
            f"Snapshot {snapshot} was not published: its search finds less than that of {served}. "
            f"{said}. Find the cause, or publish it all the same: `lawbuild --publish-worse`, or "
            "`publish_worse: true` in the configuration of the asset `snapshot`."
        )
