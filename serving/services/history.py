"""The history of a provision: its state in each retained snapshot, and its changes between them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, cast
from uuid import UUID

from serving.contract.answers import DETAIL, NodeBody
from serving.contract.changes import Change, Stamp
from serving.contract.errors import NotFoundError, SnapshotGoneError
from serving.services.retained_laws import RetainedLaw, find_law
from serving.services.snapshots import SnapshotHolder
from serving.snapshot.changes import ChangeTable
from serving.snapshot.store import Snapshot

_DAY = len("2026-11-22")


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A provision as a snapshot has it.

    Attributes:
        held: the snapshot has it; without it, all that follows is None.
        published_on: day on which this service published the snapshot.
        known_on: day on which it had the publisher's file.
    """

    snapshot: str
    published_on: str
    held: bool
    known_on: str | None = None
    citation: str | None = None
    heading: str | None = None
    status: str | None = None
    text_sha256: Annotated[str | None, DETAIL] = None
    current_through: str | None = None
    current_through_date: Annotated[str | None, DETAIL] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedChange:
    """A change of the provision, and the two snapshots that it lies between."""

    from_: Stamp
    to: Stamp
    change: Change


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeHistory:
    """The states and changes of a provision in the retained snapshots, the newest first.

    Attributes:
        not_compared: those whose changes from the one before them are not known.
        known_since: day on which the oldest of them was published: of what was before, nothing is known here.
    """

    node_id: str
    states: tuple[State, ...]
    changes: tuple[PublishedChange, ...]
    not_compared: tuple[str, ...]
    known_since: str


def node_history(snapshots: SnapshotHolder, node: UUID) -> NodeHistory:
    """Return what the retained snapshots say of a provision. This reads files.

    Raises:
        NotFoundError: none of them has it.
    """
    states: list[State] = []
    changes: list[PublishedChange] = []
    not_compared: list[str] = []
    for snapshot in snapshots.retained():
        try:
            with find_law(snapshots, snapshot) as law:
                states.append(_state(law, node))
                summary, table = law.summary, law.changes
                if summary is None or summary["from"] is None or table is None:
                    not_compared.append(law.id)
                    continue
                changes += [
                    PublishedChange(from_=summary["from"], to=summary["to"], change=change)
                    for change in _of_node(table, node)
                ]
        except SnapshotGoneError:
            continue  # it was dropped meanwhile
    if not changes and not any(state.held for state in states):
        raise NotFoundError(
            f"No node has the id {node} in any retained snapshot; ids come from search and browse.",
            kind="node",
        )
    return NodeHistory(
        node_id=str(node),
        states=tuple(states),
        changes=tuple(changes),
        not_compared=tuple(not_compared),
        known_since=states[-1].published_on,
    )


def last_changes(snapshots: SnapshotHolder, snapshot: str, code_body: str) -> dict[str, str]:
    """Return when provisions of a code body last changed, by their ids. This reads files.

    The time is that of the snapshot that brought the change: of those by which the law came to be what it is
    in a snapshot, as far as they are retained. What none of them changed is left out.
    """
    changed: dict[str, str] = {}
    followed: str | None = snapshot
    while followed is not None:
        try:
            with find_law(snapshots, followed) as law:
                summary, table = law.summary, law.changes
                if summary is None or summary["from"] is None or table is None:
                    break
                for row in table.find(code_bodies={code_body}):
                    after = table.change(row)["after"]
                    if after is not None:
                        changed.setdefault(after["nodeId"], law.manifest.created)
                followed = summary["from"]["id"]
        except SnapshotGoneError:
            break
    return changed


def published_changes(snapshot: Snapshot, node: UUID) -> tuple[Change, ...]:
    """Return the changes of a provision that a snapshot brought; none where nothing was compared."""
    return () if snapshot.changes is None else tuple(_of_node(snapshot.changes, node))


def _of_node(table: ChangeTable, node: UUID) -> Iterator[Change]:
    changes = map(table.change, table.find(container=node))
    return (change for change in changes if _is_of(change, node))


def _is_of(change: Change, node: UUID) -> bool:
    sides = (change["before"], change["after"])
    return any(side is not None and side["nodeId"] == str(node) for side in sides)


def _state(law: RetainedLaw, node: UUID) -> State:
    nodes = law.nodes
    row = nodes.find(node)
    published_on = law.manifest.created[:_DAY]
    if row is None:
        return State(snapshot=law.id, published_on=published_on, held=False)
    answer = cast(NodeBody, nodes.answer(row))
    return State(
        snapshot=law.id,
        published_on=published_on,
        held=True,
        known_on=answer["provenance"]["retrievedAt"][:_DAY],
        citation=answer["citation"],
        heading=answer["heading"],
        status=answer["status"],
        text_sha256=answer["textSha256"],
        current_through=answer["currentThrough"],
        current_through_date=answer.get("currentThroughDate"),
    )
