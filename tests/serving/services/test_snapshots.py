"""The snapshots that a process holds: followed, leased, pinned and closed in time."""

import json
import logging
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from serving.contract.errors import NoSnapshotError, SnapshotCorruptError, SnapshotGoneError
from serving.contract.layout import inspection_file
from serving.contract.manifest import Manifest, root_sha256
from serving.encoder.config import file_sha256
from serving.services.opening import open_warm
from serving.services.snapshots import SnapshotHolder
from serving.snapshot.store import open_snapshot
from tests.serving.manifests import edit_manifest

FIRST = "2026.11.21-1"


def point(folder, snapshot):
    (folder / "current.json").write_text(json.dumps({"snapshot": snapshot}), encoding="utf-8")


@pytest.fixture
def folder(snapshots_folder, tmp_path):
    """Three published snapshots, which hold the same law under different ids."""
    folder = tmp_path / "snapshots"
    for number in (1, 2, 3):
        copy = folder / f"2026.11.21-{number}"
        shutil.copytree(snapshots_folder / FIRST, copy)
        edit_manifest(copy, id=copy.name)
    point(folder, FIRST)
    return folder


class Openings:
    """Opens snapshots and keeps count of those that are open."""

    def __init__(self):
        self.open = []
        self.count = 0

    def __call__(self, folder):
        snapshot = open_snapshot(folder)
        close = snapshot.close

        def closing():
            self.open.remove(snapshot.id)
            close()

        snapshot.close = closing  # type: ignore[method-assign]  # to keep count
        self.open.append(snapshot.id)
        self.count += 1
        return snapshot


@pytest.fixture
def openings():
    return Openings()


@pytest.fixture
def holder(folder, openings):
    holder = SnapshotHolder(folder, pinned=1, open_folder=openings)
    holder.refresh()
    yield holder
    holder.close()
    assert openings.open == []


def test_nothing_is_open_before_the_first_refresh(folder):
    holder = SnapshotHolder(folder)
    assert holder.current_id is None
    with pytest.raises(NoSnapshotError):
        holder.lease()


def test_no_pointer_is_an_error_that_leaves_the_holder_usable(folder, holder):
    (folder / "current.json").unlink()
    with pytest.raises(NoSnapshotError):
        holder.refresh()
    with holder.lease() as snapshot:
        assert snapshot.id == FIRST


def test_refresh_follows_the_pointer_and_closes_the_old(folder, holder, openings):
    assert holder.refresh() is False
    point(folder, "2026.11.21-2")
    assert holder.refresh() is True
    assert holder.current_id == "2026.11.21-2"
    assert openings.open == ["2026.11.21-2"]


def test_old_snapshot_stays_open_for_those_who_read_it(folder, holder, openings, node):
    lease = holder.lease()
    with lease as old:
        point(folder, "2026.11.21-2")
        holder.refresh()
        assert openings.open == [FIRST, "2026.11.21-2"]
        assert old.keyword.parse("harbor").groups
        with holder.lease() as new:
            assert new.id == "2026.11.21-2"
    assert openings.open == ["2026.11.21-2"]


def test_a_snapshot_whose_ranker_is_of_a_later_release_is_not_swapped_in(folder):
    holder = SnapshotHolder(folder, open_folder=open_warm)
    holder.refresh()
    later = folder / "2026.11.21-2"
    ranker = later / "ranker.json"
    ranker.write_text(ranker.read_text("utf-8").replace('"cited"', '"later"'), "utf-8")
    files = tuple(
        replace(entry, sha256=file_sha256(ranker)) if entry.path == ranker.name else entry
        for entry in Manifest.load(later).files
    )
    edit_manifest(later, files=files, root_sha256=root_sha256(files))
    point(folder, "2026.11.21-2")
    with pytest.raises(SnapshotCorruptError, match="unknown features: later"):
        holder.refresh()
    assert holder.current_id == FIRST
    holder.close()


def test_damaged_snapshot_is_not_swapped_in(folder, holder):
    (folder / "2026.11.21-2" / "nodes.arrow").write_bytes(b"")
    point(folder, "2026.11.21-2")
    with pytest.raises(SnapshotCorruptError, match=r"nodes\.arrow"):
        holder.refresh()
    with holder.lease() as snapshot:
        assert snapshot.id == FIRST


def test_pinned_snapshot_is_opened_once_and_kept(holder, openings):
    for _ in range(3):
        with holder.lease("2026.11.21-2") as snapshot:
            assert snapshot.id == "2026.11.21-2"
    assert openings.count == 2
    assert holder.try_lease("2026.11.21-3") is None


def test_least_recently_pinned_is_closed(holder, openings):
    with holder.lease("2026.11.21-2"):
        with holder.lease("2026.11.21-3"):
            assert sorted(openings.open) == [FIRST, "2026.11.21-2", "2026.11.21-3"]
        assert "2026.11.21-2" in openings.open, "it is still being read"
    assert openings.open == [FIRST, "2026.11.21-3"]


def test_pinning_the_current_one_opens_nothing(holder, openings):
    with holder.lease(FIRST) as snapshot:
        assert snapshot.id == FIRST
    assert openings.count == 1


def test_pinned_snapshot_becomes_current_without_opening_it_again(folder, holder, openings):
    with holder.lease("2026.11.21-2"):
        pass
    point(folder, "2026.11.21-2")
    holder.refresh()
    assert openings.count == 2
    assert openings.open == ["2026.11.21-2"]


def test_a_snapshot_that_was_removed_leaves_and_is_no_damage(folder, holder, openings, caplog):
    with holder.lease("2026.11.21-2"):
        pass
    shutil.rmtree(folder / "2026.11.21-2")
    holder.refresh()
    assert openings.open == [FIRST]
    assert not (folder / inspection_file("2026.11.21-2")).exists()
    assert [one.message for one in caplog.records if one.levelno >= logging.ERROR] == []
    # Nor is the one that was in service until the pointer was moved.
    point(folder, "2026.11.21-3")
    shutil.rmtree(folder / FIRST)
    assert holder.refresh()
    assert (openings.open, dict(holder.damaged)) == (["2026.11.21-3"], {})
    assert [one.message for one in caplog.records if one.levelno >= logging.ERROR] == []


def test_the_snapshot_that_the_pointer_names_is_missed(folder, holder):
    shutil.rmtree(folder / FIRST)
    with pytest.raises(SnapshotCorruptError):
        holder.refresh()
    assert FIRST in holder.damaged


@pytest.mark.parametrize("gone", ["2025.01.01-1", "../2026.11.21-2", ""])
def test_snapshot_that_is_not_there_is_gone(holder, gone):
    with pytest.raises(SnapshotGoneError) as caught:
        holder.lease(gone)
    assert (caught.value.code, caught.value.kind) == ("not_found", "snapshot_gone")


def test_no_older_snapshot_is_read_where_none_may_be_pinned(folder, openings):
    holder = SnapshotHolder(folder, pinned=0, open_folder=openings)
    holder.refresh()
    with pytest.raises(SnapshotGoneError):
        holder.lease("2026.11.21-2")
    holder.close()


def test_many_threads_read_while_the_pointer_moves(folder, holder, openings):
    stop = threading.Event()

    def read():
        count = 0
        while not stop.is_set() or count == 0:
            with holder.lease() as snapshot:
                assert snapshot.id in openings.open
                count += 1
        return count

    with ThreadPoolExecutor(4) as pool:
        readers = [pool.submit(read) for _ in range(4)]
        for number in (2, 3, 1, 2):
            point(folder, f"2026.11.21-{number}")
            assert holder.refresh()
        stop.set()
        assert all(reader.result() > 0 for reader in readers)
    assert openings.open == ["2026.11.21-2"]


def test_warm_snapshot_has_its_grammar_compiled(snapshots_folder):
    opened = open_warm(snapshots_folder / FIRST)
    assert "grammar" in vars(opened)
    opened.close()
