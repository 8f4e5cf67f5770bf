"""Freshness of all that has a connector, as a table: publishers are asked, nothing is fetched or built."""

from collections.abc import Iterator, Sequence

from assets.errors import BuildError
from assets.freshness.freshness import Freshness, Reason, Status
from assets.freshness.known import key_of
from assets.freshness.publishers import asked_one_after_another
from assets.registry import CodeBody, Layer, Registry
from assets.workspace import Workspace
from pipelines.wanted import Wanted

_HEAD = ("", "accepted", "newest", "days behind", "what to run")
_LONGEST = 36


def freshness_table(
    wanted: Sequence[Wanted], registry: Registry, workspace: Workspace
) -> tuple[list[str], bool]:
    """Ask the publishers of what is named, or of all; return the lines of a table, and whether all answered.

    Raises:
        BuildError: something is named that has no connector.
    """
    entries: list[CodeBody | Layer] = [registry.entry(one.key) for one in wanted]
    for entry in entries:
        if entry.connector is None:
            raise BuildError(f"{key_of(entry)} has no connector: there is nobody to ask for its releases.")
    rows, answered = [_HEAD], True
    everything: list[CodeBody | Layer] = [*registry.code_bodies, *registry.layers]
    for entry, fresh in asked_one_after_another(workspace, entries or everything, unattended=False):
        rows.append(_row(key_of(entry), fresh))
        answered &= fresh.sighting is not None and fresh.sighting.failure is None
    return list(_lines(rows)), answered


def _row(key: str, fresh: Freshness) -> tuple[str, str, str, str, str]:
    sighting, held = fresh.sighting, fresh.held
    if sighting is not None and sighting.failure is not None:
        newest = "no answer" if sighting.release is None else f"no answer; {_named(sighting.release)} before"
    else:
        newest = "" if sighting is None else _dated(sighting.release, sighting.date)
    ours = "nothing"
    if held is not None:
        through = f"a path's, through {held.through}" if held.through else "a path's"
        ours = through if held.release is None else _dated(held.release, held.date)
    behind = "" if fresh.days_behind is None else f"{fresh.days_behind:,}"
    if fresh.reason is Reason.NO_RELEASE_RECORDED:
        behind = "not known"
    run = f"lawbuild {key}" if fresh.is_due else ""
    if sighting is not None and sighting.failure is not None:
        run = sighting.failure
    elif fresh.status is Status.CURRENT:
        run = "nothing: it is current"
    elif fresh.reason is Reason.NEWEST_IS_OLDER:
        run = "nothing: the newest is older"
    return key, ours, newest, behind, run


def _named(release: str | None) -> str:
    """Return a release's name, a commit's shortened as people write it."""
    name = release or "not told"
    return name if len(name) <= _LONGEST else f"{name[:12]}…"


def _dated(release: str | None, date: str | None) -> str:
    return _named(release) if date is None or date == release else f"{_named(release)} of {date}"


def _lines(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
