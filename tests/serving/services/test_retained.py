"""The list of snapshots that reads may name."""

import shutil

import pytest

from serving.api.rendering import ANSWERS
from serving.contract.errors import SnapshotGoneError
from serving.services.retained import retained_snapshots
from serving.services.snapshots import SnapshotHolder
from tests.serving.manifests import edit_manifest


@pytest.fixture
def folder(snapshots_folder, snapshot, tmp_path):
    """Two snapshots, of which the newer one is in service."""
    copied = tmp_path / "snapshots"
    shutil.copytree(snapshots_folder, copied)
    shutil.copytree(copied / snapshot.id, copied / "2026.11.20-3")
    edit_manifest(copied / "2026.11.20-3", id="2026.11.20-3")
    return copied


def listed(holder):
    return ANSWERS.plain(retained_snapshots(holder))


def test_what_is_listed_can_be_read(folder, snapshot):
    holder = SnapshotHolder(folder)
    holder.refresh()
    answer = listed(holder)
    assert answer["current"] == snapshot.id
    assert [one["id"] for one in answer["snapshots"]] == [snapshot.id, "2026.11.20-3"]
    assert [one["current"] for one in answer["snapshots"]] == [True, False]
    for one in answer["snapshots"]:
        with holder.lease(one["id"]) as leased:
            assert one["nodeCount"] == len(leased.nodes)
            assert {body["key"] for body in one["codeBodies"]} == {body.key for body in leased.code_bodies}
    holder.close()


def test_what_cannot_be_read_is_not_listed(folder, snapshot):
    holder = SnapshotHolder(folder, pinned=0)
    holder.refresh()
    assert [one["id"] for one in listed(holder)["snapshots"]] == [snapshot.id]
    with pytest.raises(SnapshotGoneError):
        holder.lease("2026.11.20-3")
    holder.close()


def test_a_damaged_snapshot_is_not_listed(folder, snapshot):
    (folder / "2026.11.20-3" / "nodes.arrow").write_bytes(b"")
    holder = SnapshotHolder(folder)
    holder.refresh()
    with pytest.raises(Exception, match="damaged"):
        holder.lease("2026.11.20-3")
    holder.refresh()
    assert [one["id"] for one in listed(holder)["snapshots"]] == [snapshot.id]
    holder.close()


def test_before_the_first_snapshot_the_list_is_empty(tmp_path):
    assert listed(SnapshotHolder(tmp_path)) == {"current": None, "snapshots": []}
