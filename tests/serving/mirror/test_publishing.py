"""The publisher's side: what is signed anew, what stays, and what is removed."""

import os
from datetime import timedelta
from pathlib import Path

import pytest

from serving.contract.errors import DamagedFileError
from serving.snapshot.lifecycle import SnapshotsBusyError, locked, only_writer
from tests.serving.mirror.conftest import NOW, Publisher

FIRST, SECOND, THIRD = "2026.11.21-1", "2026.11.22-1", "2026.11.23-1"


def names(publisher: Publisher) -> set[str]:
    return {path.name for path in (publisher.mirror / "metadata").iterdir()}


def test_what_did_not_change_is_only_stamped_anew(publisher: Publisher) -> None:
    first = publisher.publish(FIRST)
    assert (first.snapshot, first.added, first.version) == (FIRST, first.files, 1)
    again = publisher.publish(now=NOW + timedelta(days=1))
    assert (again.added, again.version) == (0, 2)
    assert names(publisher) == {
        *("root.json", "1.root.json", "1.targets.json", "1.snapshot.json", "timestamp.json")
    }
    publisher.publish(now=NOW + timedelta(days=20))
    assert {"2.targets.json", "2.snapshot.json"} <= names(publisher), "what would not last is signed again"


def test_files_stay_for_the_pulls_that_are_under_way(publisher: Publisher) -> None:
    for snapshot, text in ((FIRST, b"one"), (SECOND, b"two"), (THIRD, b"three")):
        mirrored = publisher.publish(snapshot, text)
    assert mirrored.added == 6, "the manifest, the nodes, their tree, and three files of the log"
    nodes = list((publisher.mirror / "targets").rglob("*.nodes.arrow"))
    assert len(nodes) == 2, "those of the state before"
    assert "1.targets.json" not in names(publisher)
    assert publisher.target("meta.json").read_bytes() == b"{}"


@pytest.mark.parametrize("name", ["nodes.arrow", "checkpoint"])
def test_a_file_that_differs_in_the_mirror_is_put_there_again(publisher: Publisher, name: str) -> None:
    publisher.publish(FIRST)
    place = publisher.target(name)
    content = place.read_bytes()
    place.write_bytes(content[:-1] + b"?")
    assert publisher.publish().added == 1
    assert place.read_bytes() == content


def test_a_damaged_snapshot_is_not_mirrored(publisher: Publisher) -> None:
    publisher.publish(FIRST)
    before = names(publisher)
    folder = publisher.snapshots / FIRST / "nodes.arrow"
    (publisher.target("nodes.arrow")).unlink()
    folder.write_bytes(folder.read_bytes().replace(b"law", b"lax", 1))
    with pytest.raises(DamagedFileError, match=r"nodes\.arrow"):
        publisher.publish()
    assert names(publisher) == before
    assert not list((publisher.mirror / "targets").rglob("*.nodes.arrow*"))


def test_every_user_can_read_a_mirror(tmp_path: Path) -> None:
    """The unit of systemd lets no other user read what it writes, and another one serves the mirror."""
    before = os.umask(0o077)
    try:
        publisher = Publisher(tmp_path / "publisher")
        publisher.publish(FIRST)
    finally:
        os.umask(before)
    modes = {path: path.stat().st_mode & 0o777 for path in publisher.mirror.rglob("[!.]*")}
    assert len(modes) > 10
    assert {path: mode for path, mode in modes.items() if mode != (0o755 if path.is_dir() else 0o644)} == {}


def test_one_at_a_time_mirrors_and_none_while_a_publication_runs(publisher: Publisher) -> None:
    publisher.publish(FIRST)
    with locked(publisher.mirror / ".lock", "A"), pytest.raises(SnapshotsBusyError, match="mirroring into"):
        publisher.publish()
    with only_writer(publisher.snapshots), pytest.raises(SnapshotsBusyError):
        publisher.publish()
    assert publisher.publish().version == 2
