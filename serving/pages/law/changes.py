"""Models of the pages of changes: those of a code body, and the history of a provision."""

from dataclasses import dataclass
from uuid import UUID

from serving.contract.changes import KINDS, Stamp
from serving.contract.errors import NotFoundError
from serving.contract.manifest import CodeBodyEntry
from serving.pages.law.provisions import Step, steps_to
from serving.pages.law.shown_changes import NAMES, ShownChange, shown_change
from serving.services.addresses import LAW, page_of, page_of_body
from serving.services.changes import changes_page, find_pair
from serving.services.history import State, node_history
from serving.services.requests import RESULT_WINDOW, ChangesRequest, PageRequest
from serving.services.snapshots import SnapshotHolder
from serving.snapshot.store import Snapshot

PER_PAGE = 50
"""Changes of one page."""
REASONS = {
    "first_snapshot": "Nothing was published here before it.",
    "not_compared": "It was published by a version of this service that compared nothing.",
}


@dataclass(frozen=True, slots=True)
class KindCount:
    """A kind of change, how many there are, and the address of the list of these alone."""

    name: str
    count: int
    address: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class ChangesPage:
    """The model of a code body's page of changes; `reason` says why there is nothing to compare with."""

    name: str
    address: str
    code_body: str
    steps: tuple[Step, ...]
    since: Stamp | None
    until: Stamp
    reason: str
    kinds: tuple[KindCount, ...]
    changes: tuple[ShownChange, ...]
    total: int
    page: int
    pages: int
    query: str

    @property
    def is_of_one_day(self) -> bool:
        """Truth of both being published on one day, which then does not tell one from the other."""
        return self.since is not None and self.since["createdAt"][:10] == self.until["createdAt"][:10]


@dataclass(frozen=True, slots=True)
class Period:
    """A change of a provision between two snapshots."""

    since: Stamp
    until: Stamp
    change: ShownChange


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """The model of a provision's history in the retained snapshots, the newest first."""

    citation: str
    heading: str
    address: str
    steps: tuple[Step, ...]
    states: tuple[State, ...]
    periods: tuple[Period, ...]
    not_compared: tuple[str, ...]
    known_since: str


def changes_of_body(
    snapshots: SnapshotHolder, snapshot: Snapshot, body: CodeBodyEntry, *, kind: str | None, page: int
) -> ChangesPage:
    """Return the model of the changes that a snapshot brought to a code body.

    Raises:
        NotFoundError: there is no such kind or page.
    """
    if kind is not None and kind not in KINDS:
        raise NotFoundError(f"Kinds of changes are {', '.join(KINDS)}.", kind="path")
    if page * PER_PAGE > RESULT_WINDOW:
        raise NotFoundError("The list of changes ends before.", kind="path")
    asked = ChangesRequest(
        until=snapshot.id, code_body=UUID(body.id), kind=kind, page=PageRequest(page=page, limit=PER_PAGE)
    )
    found = changes_page(snapshots, find_pair(snapshots, asked), asked)
    pages = max(1, -(-min(found.total, RESULT_WINDOW) // PER_PAGE))
    if page > pages:
        raise NotFoundError(f"This list has {pages} pages.", kind="path")
    address = page_of_body(body)
    names = snapshot.jurisdiction_names
    return ChangesPage(
        name=body.name,
        address=address,
        code_body=body.id,
        steps=(
            Step("Law", LAW),
            Step(names.get(body.jurisdiction, body.jurisdiction), f"{LAW}/{body.jurisdiction}"),
            Step(body.name, address),
        ),
        since=found.from_,
        until=found.to,
        reason=REASONS.get(found.reason or "", ""),
        kinds=tuple(
            KindCount(NAMES[one], count, f"{address}?view=changes&kind={one}", one == kind)
            for one, count in found.counts.items()
        ),
        changes=tuple(shown_change(snapshot, change) for change in found.results),
        total=found.total,
        page=page,
        pages=pages,
        query="view=changes" + ("" if kind is None else f"&kind={kind}"),
    )


def history_page(snapshots: SnapshotHolder, snapshot: Snapshot, row: int) -> HistoryPage:
    """Return the model of a provision's history."""
    answer = snapshot.nodes.answer(row)
    history = node_history(snapshots, snapshot.nodes.id(row))
    return HistoryPage(
        citation=answer["citation"],
        heading=answer["heading"],
        address=page_of(snapshot, row),
        steps=steps_to(snapshot, answer, row),
        states=history.states,
        periods=tuple(
            Period(one.from_, one.to, shown_change(snapshot, one.change)) for one in history.changes
        ),
        not_compared=history.not_compared,
        known_since=history.known_since,
    )
