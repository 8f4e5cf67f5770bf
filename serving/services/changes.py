"""Changes between two retained snapshots, a page at a time: found at publication, or on demand."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple
from uuid import UUID

from serving.comparison.comparison import Comparison, Difference
from serving.contract.answers import DETAIL
from serving.contract.changes import KINDS, Change, ComparedBody, Stamp
from serving.contract.errors import ValidationError
from serving.contract.records import Jurisdiction
from serving.services.jurisdictions import find_jurisdiction
from serving.services.requests import ChangesRequest
from serving.services.retained_laws import RetainedLaw, compared, find_law
from serving.services.snapshots import SnapshotHolder
from serving.snapshot.changes import is_within
from serving.snapshot.filters import scope_of
from serving.snapshot.pointer import snapshot_order

MOST_DIFFERENCES = 20_000
"""Provisions that may differ between snapshots that are compared on demand, which takes seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesPage:
    """One page of changes. `from` is None, and there are none, for the `reason`; `total` counts all.

    `codeBodies` and `counts` are of the code bodies asked for; `total` is of all filters.
    """

    from_: Stamp | None
    to: Stamp
    reason: str | None
    results: tuple[Change, ...]
    code_bodies: Annotated[tuple[ComparedBody, ...], DETAIL]
    counts: dict[str, int]
    page: int
    page_size: int
    total: int


class SnapshotPair(NamedTuple):
    """Two snapshots by id, the earlier one first; None where the later one has none to compare with.

    Attributes:
        jurisdiction: short code of the one that the question names, if it names one.
    """

    since: str | None
    until: str
    jurisdiction: str | None


def find_pair(snapshots: SnapshotHolder, asked: ChangesRequest) -> SnapshotPair:
    """Return the pair that a question names. This reads files.

    Raises:
        NoSnapshotError: none is open yet.
        SnapshotGoneError: one that is named is not retained, and its changes were not kept.
        ValidationError: the later one is not the later one, or a filter names what neither lists.
    """
    with find_law(snapshots, asked.until) as law:
        named = asked.jurisdiction
        jurisdiction = None if named is None else find_jurisdiction(law.manifest, named)
        names = {body.id: body.name for body in law.manifest.code_bodies}
        names |= {body["id"]: body["name"] for body in (law.summary or {"codeBodies": []})["codeBodies"]}
        since, is_container = asked.since, _has(law, asked.container)
        if since is None:
            stamp = law.summary and law.summary["from"]
            since = stamp["id"] if stamp else None
        elif snapshot_order(since) >= snapshot_order(law.id):
            raise ValidationError(
                f"Parameter `from` names {since}, which is not older than {law.id}.", parameter="from"
            )
        elif not _is_found(law, since):
            with find_law(snapshots, since) as earlier:
                names |= {body.id: body.name for body in earlier.manifest.code_bodies}
                is_container = is_container or _has(earlier, asked.container)
        if not is_container:
            # No change of what is not there would read as no change of what is.
            raise ValidationError(
                f"Parameter `container` names {asked.container}, which neither snapshot has; ids come from "
                "search and browse.",
                parameter="container",
            )
        if asked.code_body is not None and str(asked.code_body) not in names:
            known = ", ".join(f"{key} ({name})" for key, name in names.items())
            raise ValidationError(
                f"Parameter `codeBody` names {asked.code_body}, which neither snapshot has: {known}.",
                parameter="codeBody",
            )
        return SnapshotPair(since, law.id, jurisdiction)


def _has(law: RetainedLaw, container: UUID | None) -> bool:
    """Return whether a snapshot has a provision, or its changes tell of one that is gone."""
    if container is None or law.nodes.find(container) is not None:
        return True
    return law.changes is not None and bool(law.changes.find(container=container))


def changes_page(snapshots: SnapshotHolder, pair: SnapshotPair, asked: ChangesRequest) -> ChangesPage:
    """Return a page of the changes between two snapshots, by code body and then by number.

    Raises:
        NotFoundError: one of them was built by an earlier version, which kept nothing to compare by.
        SnapshotGoneError: one is not retained any more.
        ValidationError: too much differs.
    """
    asked = replace(asked, jurisdiction=pair.jurisdiction)
    with find_law(snapshots, pair.until) as law:
        if pair.since is None:
            return _none(law, asked)
        if _is_found(law, pair.since):
            return _found(law, asked)
        with find_law(snapshots, pair.since) as earlier:
            return _compared(compared(earlier, law), asked)


def _is_found(law: RetainedLaw, since: str) -> bool:
    """Return whether the changes from a snapshot were found when this one was published."""
    stamp = law.summary and law.summary["from"]
    return stamp is not None and stamp["id"] == since


def _none(law: RetainedLaw, asked: ChangesRequest) -> ChangesPage:
    return ChangesPage(
        from_=None,
        to={"id": law.id, "createdAt": law.manifest.created},
        reason=law.reason,
        results=(),
        code_bodies=(),
        counts={},
        page=asked.page.page,
        page_size=asked.page.limit,
        total=0,
    )


def _found(law: RetainedLaw, asked: ChangesRequest) -> ChangesPage:
    """Return a page of the changes that were found when a snapshot was published."""
    summary, table = law.summary, law.changes
    if summary is None or table is None:
        return _none(law, asked)
    bodies = _chosen(summary["codeBodies"], law.manifest.jurisdictions, asked)
    rows = table.find(code_bodies={body["id"] for body in bodies}, kind=asked.kind, container=asked.container)
    shown = rows[asked.page.offset : asked.page.offset + asked.page.limit]
    return ChangesPage(
        from_=summary["from"],
        to=summary["to"],
        reason=None,
        results=tuple(map(table.change, shown)),
        code_bodies=tuple(bodies),
        counts=_total(bodies),
        page=asked.page.page,
        page_size=asked.page.limit,
        total=len(rows),
    )


def _compared(comparison: Comparison, asked: ChangesRequest) -> ChangesPage:
    """Return a page of the changes between two snapshots that were not compared at publication."""
    old, new = comparison.old, comparison.new
    entries = {body.id: body for body in comparison.code_bodies}
    every = [comparison.summary(body, ()) for body in entries.values()]
    chosen = [entries[body["id"]] for body in _chosen(every, new.jurisdictions, asked)]
    if sum(comparison.count(body.id) for body in chosen) > MOST_DIFFERENCES:
        raise ValidationError(
            f"More than {MOST_DIFFERENCES:,} provisions differ between {old.id} and {new.id}: name a "
            "`codeBody`, or snapshots that lie closer together.",
            parameter="from",
        )
    bodies = [comparison.summary(body, comparison.differences(body.id)) for body in chosen]
    found = [
        (body, one)
        for body in chosen
        for one in comparison.differences(body.id)
        if _passes(comparison, one, asked)
    ]
    shown = found[asked.page.offset : asked.page.offset + asked.page.limit]
    return ChangesPage(
        from_={"id": old.id, "createdAt": old.created},
        to={"id": new.id, "createdAt": new.created},
        reason=None,
        results=tuple(comparison.describe(body, one) for body, one in shown),
        code_bodies=tuple(bodies),
        counts=_total(bodies),
        page=asked.page.page,
        page_size=asked.page.limit,
        total=len(found),
    )


def _passes(comparison: Comparison, difference: Difference, asked: ChangesRequest) -> bool:
    if asked.kind is not None and difference.kind != asked.kind:
        return False
    return asked.container is None or is_within(comparison.containers(difference), asked.container)


def _chosen(
    bodies: Sequence[ComparedBody], jurisdictions: tuple[Jurisdiction, ...], asked: ChangesRequest
) -> list[ComparedBody]:
    """Return the code bodies that pass the filters."""
    scope = None if asked.jurisdiction is None else scope_of(asked.jurisdiction, jurisdictions)
    return [
        body
        for body in bodies
        if asked.code_body in (None, UUID(body["id"])) and (scope is None or body["jurisdiction"] in scope)
    ]


def _total(bodies: Sequence[ComparedBody]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for body in bodies:
        counts.update(body["counts"])
    return {kind: counts[kind] for kind in KINDS if counts[kind]}
