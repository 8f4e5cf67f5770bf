"""Damage anywhere in a snapshot is found, at opening or beside the work, named, and out of service."""

import json
import re
import shutil
import threading
import time

import pytest

from serving.contract.errors import (
    DamagedFileError,
    NoSnapshotError,
    SnapshotDamagedError,
)
from serving.contract.layout import MANIFEST
from serving.contract.manifest import Manifest
from serving.services.inspector import Inspector
from serving.services.opening import open_warm
from serving.services.snapshots import SnapshotHolder
from serving.snapshot.store import SMALL_BYTES, open_snapshot
from serving.snapshot.verify import require_whole
from tests.serving.manifests import edit_manifest

OLDER, NEWER = "2026.11.21-1", "2026.11.21-2"


def point(folder, snapshot):
    (folder / "current.json").write_text(json.dumps({"snapshot": snapshot}), encoding="utf-8")


def flip(path, place=None):
    """Change one byte in place, as a disk does: whoever has the file mapped reads the other byte."""
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 2 if place is None else place)
        byte = file.read(1)
        file.seek(-1, 1)
        file.write(bytes([byte[0] ^ 1]))


@pytest.fixture
def folder(snapshots_folder, tmp_path):
    """Two snapshots of the sample law, the newer in service."""
    folder = tmp_path / "snapshots"
    for snapshot in (OLDER, NEWER):
        shutil.copytree(snapshots_folder / OLDER, folder / snapshot)
    edit_manifest(folder / NEWER, id=NEWER)
    point(folder, NEWER)
    return folder


@pytest.fixture
def holder(folder):
    holder = SnapshotHolder(folder)
    holder.refresh()
    yield holder
    holder.close()


@pytest.fixture
def inspector(holder):
    return Inspector(holder, hours=24)


def files(folder):
    return [MANIFEST, *(entry.path for entry in Manifest.load(folder).files)]


def test_every_file_is_found_and_named_at_opening_and_by_an_inspection(folder):
    """One byte of each file is changed in turn. What is large is left to the inspection, or is read whole."""
    damaged = folder / NEWER
    large = {entry.path for entry in Manifest.load(damaged).files if entry.bytes > SMALL_BYTES}
    assert large == {"encoder/model.onnx", "encoder/queries/model.onnx", "naics/vectors.npy"}
    named, refused = [], []
    expected = [file for file in files(damaged) if (damaged / file).stat().st_size]
    for file in expected:
        path = damaged / file
        flip(path)
        with pytest.raises(DamagedFileError) as found:
            require_whole(damaged)
        named.append(found.value.path)
        if file not in large:
            with pytest.raises(DamagedFileError) as found:
                open_warm(damaged)
            refused.append(found.value.path)
        flip(path)
    assert named == [str(damaged / file) for file in expected]
    assert refused == [str(damaged / file) for file in expected if file not in large]
    flip(damaged / "naics" / "vectors.npy")
    opened = open_snapshot(damaged)
    with pytest.raises(DamagedFileError, match=r"naics/vectors\.npy"):
        _ = opened.naics
    opened.close()
    flip(damaged / "naics" / "vectors.npy")
    # A server encodes queries alone: what encodes passages is left to the inspection.
    flip(damaged / "encoder" / "model.onnx")
    open_warm(damaged).close()
    flip(damaged / "encoder" / "queries" / "model.onnx")
    with pytest.raises(DamagedFileError, match=r"queries/model\.onnx"):
        open_warm(damaged)


def test_every_byte_of_the_manifest_is_under_its_seal(folder):
    path = folder / NEWER / MANIFEST
    size = path.stat().st_size
    for place in [*range(0, size, 61), *range(size - 90, size)]:
        flip(path, place)
        with pytest.raises(DamagedFileError, match="manifest"):
            Manifest.load(path.parent)
        flip(path, place)
    assert Manifest.load(path.parent).id == NEWER


def test_a_manifest_of_before_there_were_seals_is_read(folder):
    path = folder / NEWER / MANIFEST
    raw = json.loads(path.read_bytes())
    del raw["seal"]
    path.write_text(json.dumps(raw, indent=1))
    assert Manifest.load(path.parent).id == NEWER


def test_a_damaged_answer_is_never_given(folder, holder, node):
    with holder.lease() as snapshot:
        row = snapshot.nodes.find_halves(*halves(node("/us/sample/t1/s7")))
    path = folder / NEWER / "nodes.arrow"
    for found in re.finditer(b"criticism, teaching", path.read_bytes()):
        flip(path, found.start())
    with pytest.raises(NoSnapshotError, match="damaged"), holder.lease() as snapshot:
        snapshot.nodes.body(row)
    with pytest.raises(SnapshotDamagedError):
        holder.lease(NEWER)
    assert holder.inspections.damage(NEWER).file == "nodes.arrow"
    with pytest.raises(DamagedFileError):
        holder.refresh()
    with holder.lease() as snapshot:
        assert snapshot.id == OLDER
        assert b"criticism, teaching" in bytes(snapshot.nodes.body(row).plain)


def halves(node: str) -> tuple[int, int]:
    digits = node.replace("-", "")
    return int(digits[:16], 16), int(digits[16:], 16)


def test_one_of_several_processes_inspects(folder, holder):
    others = [SnapshotHolder(folder) for _ in range(2)]
    for one in others:
        one.refresh()
    # Slow enough that all are at it together.
    slow = [Inspector(one, hours=24, bytes_per_second=40 << 20) for one in (holder, *others)]
    notes = []
    for kept in (holder, *others):

        def noting(*given, _note=kept.inspections.note):
            notes.append(given)
            return _note(*given)

        kept.inspections.note = noting
    threads = [threading.Thread(target=one.run) for one in slow]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for inspector in slow:
        inspector.run()
    assert notes == [(NEWER,)], "it was not inspected again for each of them"
    flip(folder / NEWER / "browse.arrow")
    Inspector(others[0], hours=1e-9).run()
    for one in (holder, others[1]):
        assert one.current_id == NEWER
        with pytest.raises(DamagedFileError, match=r"browse\.arrow"):
            one.refresh()
        assert one.current_id == OLDER
    for one in others:
        one.close()


def test_what_is_mended_is_taken_back_once_all_of_it_was_read(folder, holder, inspector):
    path = folder / NEWER / "nodes.arrow"
    sound = path.read_bytes()
    path.write_bytes(sound[: len(sound) // 2])
    with pytest.raises(DamagedFileError, match=r"nodes\.arrow: has \d+ bytes instead of"):
        holder.refresh()
    assert (holder.current_id, dict(holder.damaged)) == (OLDER, {NEWER: "nodes.arrow"})
    inspector.run()
    assert holder.inspections.damage(NEWER) is not None, "nothing has changed"
    path.write_bytes(sound)
    flip(folder / NEWER / "citing.json")
    inspector.run()
    assert holder.inspections.damage(NEWER).file == "citing.json", "another file is damaged by now"
    flip(folder / NEWER / "citing.json")
    inspector.run()
    assert holder.refresh()
    assert (holder.current_id, dict(holder.damaged), holder.problem) == (NEWER, {}, None)


def test_without_a_sound_one_there_is_none_and_it_says_why(folder, holder):
    shutil.rmtree(folder / OLDER)
    (folder / NEWER / "keyword" / "meta.json").unlink()
    with pytest.raises(DamagedFileError, match=r"keyword/meta\.json: is missing"):
        holder.refresh()
    with pytest.raises(NoSnapshotError, match=rf"{NEWER} \(keyword/meta\.json\)"):
        holder.lease()


def test_a_folder_that_is_gone_is_damage_too(folder, holder):
    shutil.rmtree(folder / NEWER)
    with pytest.raises(DamagedFileError, match=r"manifest\.json: is missing"):
        holder.refresh()
    assert holder.current_id == OLDER
    shutil.rmtree(folder)
    with pytest.raises(NoSnapshotError):
        holder.refresh()
    with pytest.raises(NoSnapshotError):
        holder.lease()


def test_a_new_publication_ends_it(folder, holder):
    flip(folder / NEWER / "citing.json")
    Inspector(holder, hours=1e-9).run()
    with pytest.raises(DamagedFileError):
        holder.refresh()
    shutil.copytree(folder / OLDER, folder / "2026.11.21-3")
    edit_manifest(folder / "2026.11.21-3", id="2026.11.21-3")
    point(folder, "2026.11.21-3")
    assert holder.refresh()
    assert (holder.current_id, holder.problem) == ("2026.11.21-3", None)


def test_what_the_operator_went_back_from_is_no_substitute(folder, holder):
    point(folder, OLDER)
    holder.refresh()
    flip(folder / OLDER / "citing.json")
    Inspector(holder, hours=1e-9).run()
    with pytest.raises(DamagedFileError):
        holder.refresh()
    assert holder.current_id is None


def test_a_pinned_snapshot_that_is_damaged_is_refused_by_name(folder, holder):
    flip(folder / OLDER / "citing.json")
    for _ in range(2):
        with pytest.raises(SnapshotDamagedError) as refused:
            holder.lease(OLDER)
        assert (refused.value.code, refused.value.kind) == ("not_found", "snapshot_damaged")
    assert holder.current_id == NEWER


def test_after_a_death_nothing_is_opened_unread(folder):
    path = folder / NEWER / "encoder" / "model.onnx"
    flip(path)
    holder = SnapshotHolder(folder, distrusted_since=time.time())
    with pytest.raises(DamagedFileError, match=r"model\.onnx"):
        holder.refresh()
    assert (holder.current_id, dict(holder.damaged)) == (OLDER, {NEWER: "encoder/model.onnx"})
    inspected = holder.inspections.find(OLDER)
    assert inspected is not None
    assert inspected.damage is None
    holder.close()


def test_reading_keeps_its_pace_and_ends_when_it_is_to(holder):
    size = sum(entry.bytes for entry in Manifest.load(holder.folder / NEWER).files)
    slow = Inspector(holder, hours=24, bytes_per_second=size // 60)
    thread = threading.Thread(target=slow.run)
    thread.start()
    time.sleep(0.3)
    assert thread.is_alive()
    slow.stop()
    thread.join(timeout=60)
    assert not thread.is_alive()
    assert holder.inspections.find(NEWER) is None
