"""The lifecycle of snapshots: what is in service, what is kept, what goes."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from serving.contract.errors import DamagedFileError, NotFoundError, SnapshotCorruptError
from serving.contract.layout import MANIFEST, NODES, PINS, POINTER, inspection_file
from serving.snapshot.inspections import Inspections
from serving.snapshot.lifecycle import (
    REMOVED,
    LifecycleError,
    Moved,
    Retention,
    SnapshotsBusyError,
    only_writer,
    pin,
    pinned,
    point_to,
    promote,
    prune,
    removable,
    roll_back,
    unpin,
)
from serving.snapshot.pointer import current_snapshot_id, list_snapshots
from tests.serving.manifests import edit_manifest

DAYS = ("2026.11.17-1", "2026.11.18-1", "2026.11.19-1", "2026.11.19-2", "2026.11.21-1")
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def folder(small_snapshot: Path, tmp_path: Path) -> Path:
    """Five snapshots, each created at noon of its day, with the newest in service."""
    for day in DAYS:
        for path in small_snapshot.rglob("*"):
            copy = tmp_path / day / path.relative_to(small_snapshot)
            copy.parent.mkdir(parents=True, exist_ok=True)
            if path.is_file() and path.name != MANIFEST:
                copy.hardlink_to(path)
        (tmp_path / day / MANIFEST).write_bytes((small_snapshot / MANIFEST).read_bytes())
        created = f"{day[:10].replace('.', '-')}T12:00:00Z"
        edit_manifest(tmp_path / day, id=day, created=created)
    point_to(tmp_path, DAYS[-1])
    return tmp_path


def test_retained_snapshot_comes_into_service(folder: Path) -> None:
    assert promote(folder, DAYS[1]) == Moved(DAYS[-1], DAYS[1])
    assert current_snapshot_id(folder) == DAYS[1]
    assert promote(folder, DAYS[-1]) == Moved(DAYS[1], DAYS[-1])


def test_a_broken_pointer_is_mended_by_a_promotion(folder: Path) -> None:
    (folder / POINTER).write_text("garbage", encoding="utf-8")
    assert promote(folder, DAYS[1]) == Moved(None, DAYS[1])
    assert current_snapshot_id(folder) == DAYS[1]


def test_what_a_removal_left_that_did_not_end_goes_with_the_next(folder: Path) -> None:
    (folder / DAYS[0]).rename(folder / f"{REMOVED}{DAYS[0]}")
    with only_writer(folder):
        assert prune(folder, Retention(9), NOW) == ()
    assert not (folder / f"{REMOVED}{DAYS[0]}").exists()


def test_rolling_back_goes_one_further_each_time_and_ends(folder: Path) -> None:
    assert [roll_back(folder).now for _ in DAYS[1:]] == [*reversed(DAYS[:-1])]
    with pytest.raises(LifecycleError, match=f"older than {DAYS[0]}"):
        roll_back(folder)
    assert current_snapshot_id(folder) == DAYS[0]


def test_snapshot_that_is_not_retained_is_refused_with_those_that_are(folder: Path) -> None:
    with pytest.raises(NotFoundError, match=f"no snapshot 2026.11.01-1; it holds {DAYS[0]}, "):
        promote(folder, "2026.11.01-1")


def test_file_of_another_size_keeps_a_snapshot_out_of_service(folder: Path) -> None:
    path = folder / DAYS[-2] / NODES
    content = path.read_bytes()
    path.unlink()
    path.write_bytes(content[:-8])
    for attempt in (roll_back, lambda one: promote(one, DAYS[-2])):
        with pytest.raises(SnapshotCorruptError, match=NODES):
            attempt(folder)
    assert current_snapshot_id(folder) == DAYS[-1]


def test_snapshot_that_was_found_damaged_stays_out_of_service(folder: Path) -> None:
    found = DamagedFileError(str(folder / DAYS[0] / NODES), "its hash is another")
    Inspections(folder).note(DAYS[0], found)
    with pytest.raises(LifecycleError, match=r"found damaged: .*its hash is another.*snapshot verify"):
        promote(folder, DAYS[0])


def test_one_writer_at_a_time(folder: Path) -> None:
    with only_writer(folder), pytest.raises(SnapshotsBusyError, match="under way"):
        roll_back(folder)
    assert roll_back(folder).now == DAYS[-2]


def test_newest_and_young_ones_stay(folder: Path) -> None:
    assert removable(folder, Retention(2), NOW) == DAYS[:3]
    assert removable(folder, Retention(1, timedelta(days=2)), NOW) == DAYS[:4]
    assert removable(folder, Retention(1, timedelta(days=3)), NOW) == DAYS[:2]
    assert removable(folder, Retention(9), NOW) == ()


def test_neither_the_current_one_nor_a_pinned_one_goes(folder: Path) -> None:
    promote(folder, DAYS[0])
    pin(folder, DAYS[2], "cited in a brief")
    Inspections(folder).note(DAYS[1], None)
    gone: list[str] = []
    with only_writer(folder):
        assert prune(folder, Retention(1), NOW, on_removed=gone.append) == (DAYS[1], DAYS[3], DAYS[4])
    assert tuple(gone) == (DAYS[1], DAYS[3], DAYS[4])
    assert list_snapshots(folder) == [DAYS[0], DAYS[2]]
    assert not (folder / inspection_file(DAYS[1])).exists()


def test_pins_have_reasons_and_are_taken_back(folder: Path) -> None:
    assert pinned(folder) == {}
    pin(folder, DAYS[0], "cited in a brief")
    pin(folder, DAYS[1], "§ 7 before the amendment")
    assert pinned(folder) == {DAYS[0]: "cited in a brief", DAYS[1]: "§ 7 before the amendment"}
    unpin(folder, DAYS[0])
    assert list(pinned(folder)) == [DAYS[1]]
    with pytest.raises(NotFoundError, match=f"not pinned; pinned are {DAYS[1]}"):
        unpin(folder, DAYS[0])
    with pytest.raises(NotFoundError):
        pin(folder, "2026.11.01-1", "no such")


@pytest.mark.parametrize("content", [b"{", b"[]", json.dumps({DAYS[0]: 1}).encode()])
def test_list_of_pins_that_cannot_be_read_stops_every_removal(folder: Path, content: bytes) -> None:
    (folder / PINS).write_bytes(content)
    with pytest.raises(LifecycleError, match=PINS):
        removable(folder, Retention(1), NOW)
