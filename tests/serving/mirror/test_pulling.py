"""Pulls over real HTTP: what was published is served, and nothing else, however the mirror is tampered with."""

import shutil
from datetime import timedelta
from pathlib import Path, PurePosixPath

import pytest

from serving.mirror.errors import MirrorError, MirrorRefusedError, MirrorUnreachableError
from serving.snapshot.lifecycle import SnapshotsBusyError, only_writer, roll_back
from serving.snapshot.pointer import current_snapshot_id, list_snapshots
from serving.snapshot.store import open_snapshot
from tests.serving.manifests import log_anew
from tests.serving.mirror.conftest import NOW, Publisher, Pull, Served, copy_of, state_of

FIRST, SECOND = "2026.11.21-1", "2026.11.22-1"


def test_what_is_published_is_pulled_and_put_in_service(
    publisher: Publisher, pulled: Pull, host: Path, served: Served
) -> None:
    publisher.publish(FIRST)
    first = pulled()
    assert (first.before, first.snapshot, current_snapshot_id(host)) == (None, FIRST, FIRST)
    assert state_of(host) == state_of(publisher.snapshots)
    served.asked.clear()
    again = pulled()
    assert (again.before, again.snapshot) == (FIRST, FIRST)
    assert not any("nodes.arrow" in path for path, _ in served.asked)
    publisher.publish(SECOND, b"new law")
    second = pulled()
    assert (second.before, second.snapshot) == (FIRST, SECOND)
    assert state_of(host) == state_of(publisher.snapshots)
    assert [path.name for path in (host / ".mirror" / "parts").iterdir()] == []


def test_a_published_snapshot_is_served_from_a_pull_out_of_a_folder(
    publisher: Publisher, host: Path, snapshots_folder: Path
) -> None:
    from serving.mirror.pulling import pull  # noqa: PLC0415 - of an extra

    shutil.copytree(snapshots_folder, publisher.snapshots)
    publisher.publish()
    got = pull(str(publisher.mirror), host, publisher.first_root, keep=5, now=NOW)
    opened = open_snapshot(host / got.snapshot)
    original = open_snapshot(snapshots_folder / got.snapshot)
    assert opened.nodes.answer(0) == original.nodes.answer(0)
    assert opened.tree is not None
    opened.close()
    original.close()


def test_a_publisher_that_rolls_back_is_followed(publisher: Publisher, pulled: Pull, host: Path) -> None:
    for snapshot, text in ((FIRST, b"law"), (SECOND, b"new law")):
        publisher.publish(snapshot, text)
        pulled()
    roll_back(publisher.snapshots)
    publisher.publish()
    assert pulled().snapshot == FIRST == current_snapshot_id(host)
    assert list_snapshots(host) == [FIRST, SECOND]
    assert pulled(keep=1).removed == (SECOND,)


def refused(pulled: Pull, host: Path, words: str) -> None:
    """Check that a pull is refused in these words, and changes nothing that servers read."""
    before = state_of(host)
    with pytest.raises(MirrorRefusedError, match=words):
        pulled()
    assert state_of(host) == before


def test_an_older_state_is_refused(publisher: Publisher, pulled: Pull, host: Path) -> None:
    """A rollback attack: everything is signed and has not expired."""
    publisher.publish(FIRST)
    old = copy_of(publisher.mirror)
    publisher.publish(SECOND, b"new law")
    pulled()
    shutil.rmtree(publisher.mirror)
    old.rename(publisher.mirror)
    refused(pulled, host, "is older than what was taken before")
    assert current_snapshot_id(host) == SECOND


def test_a_state_that_is_not_renewed_is_refused(publisher: Publisher, pulled: Pull, host: Path) -> None:
    """A freeze attack, or a publisher who is gone."""
    publisher.publish(FIRST, now=NOW - timedelta(days=2))
    pulled()
    publisher.publish(now=NOW - timedelta(days=4))
    refused(pulled, host, "has expired")
    publisher.publish()
    assert pulled().snapshot == FIRST


@pytest.mark.parametrize("name", ["nodes.arrow", "manifest.json", "checkpoint"])
def test_a_changed_file_is_refused(publisher: Publisher, pulled: Pull, host: Path, name: str) -> None:
    publisher.publish(FIRST)
    target = publisher.target(name)
    content = target.read_bytes()
    target.write_bytes(content.replace(b"a", b"b", 1))
    refused(pulled, host, "gives another file than was published")
    assert list_snapshots(host) == []
    target.write_bytes(content)
    assert pulled().snapshot == FIRST


def test_a_file_that_goes_on_and_on_is_not_taken(publisher: Publisher, pulled: Pull, host: Path) -> None:
    publisher.publish(FIRST)
    target = publisher.target("nodes.arrow")
    target.write_bytes(target.read_bytes() + b"more")
    with pytest.raises(MirrorUnreachableError, match="is longer than"):
        pulled()
    assert list_snapshots(host) == []


def test_lists_of_two_states_are_not_mixed(publisher: Publisher, pulled: Pull, host: Path) -> None:
    publisher.publish(FIRST)
    publisher.publish(SECOND, b"new law")
    metadata = publisher.mirror / "metadata"
    shutil.copy(metadata / "1.targets.json", metadata / "2.targets.json")
    refused(pulled, host, "gives another file than was published|is older than")
    assert list_snapshots(host) == []


def sign(publisher: Publisher, change: dict[str, str | None]) -> None:
    """Sign, with the publisher's key, targets under other paths; None leaves one out."""
    from tuf.api.metadata import Metadata, Targets  # noqa: PLC0415 - of an extra

    from serving.mirror.publishing import _sign  # noqa: PLC0415 - likewise
    from serving.mirror.roles import Roles  # noqa: PLC0415 - likewise

    roles = Roles(publisher.mirror, publisher.key, NOW)
    (listed,) = (publisher.mirror / "metadata").glob("*.targets.json")
    targets = Metadata[Targets].from_bytes(listed.read_bytes()).signed.targets
    for path, other in change.items():
        target = targets.pop(path)
        if other is not None:
            target.path = other
            targets[other] = target
    _sign(roles, targets)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"snapshot/keyword/meta.json": None}, "lists other files than its manifest names"),
        ({"snapshot/keyword/meta.json": "snapshot/other.json"}, "lists other files than its manifest"),
        ({"snapshot/keyword/meta.json": "snapshot/../../meta.json"}, "lists files outside"),
        ({"snapshot/manifest.json": None}, "lists no snapshot/manifest.json"),
    ],
    ids=["less", "other", "outside", "none"],
)
def test_a_signed_list_that_does_not_fit_is_refused(
    publisher: Publisher, pulled: Pull, host: Path, change: dict[str, str | None], words: str
) -> None:
    publisher.publish(FIRST)
    sign(publisher, change)
    refused(pulled, host, words)
    assert list_snapshots(host) == []


def test_a_transfer_that_breaks_leaves_nothing_and_goes_on(
    publisher: Publisher, pulled: Pull, host: Path, served: Served
) -> None:
    publisher.publish(FIRST)
    size = publisher.target("nodes.arrow").stat().st_size
    served.breaks["nodes.arrow"] = 70_000
    with pytest.raises(MirrorUnreachableError, match="broke off after 70000 of"):
        pulled()
    assert list_snapshots(host) == []
    assert not (host / "current.json").exists()
    served.breaks.clear()
    served.asked.clear()
    got = pulled()
    assert current_snapshot_id(host) == FIRST
    ((_, wanted),) = [one for one in served.asked if one[0].endswith("nodes.arrow")]
    assert wanted == "bytes=70000-"
    assert got.fetched < size
    assert state_of(host) == state_of(publisher.snapshots)


def fetched(served: Served) -> set[str]:
    """Return the files of snapshots that were asked for, without the hashes in their names."""
    paths = [PurePosixPath(path) for path, _ in served.asked if "/targets/snapshot/" in path]
    return {path.name.partition(".")[2] for path in paths}


def test_files_that_a_retained_snapshot_has_are_not_fetched(
    publisher: Publisher, pulled: Pull, host: Path, served: Served
) -> None:
    publisher.publish(FIRST)
    pulled()
    assert fetched(served) == {"manifest.json", "nodes.arrow", "tree.npy", "meta.json"}
    served.asked.clear()
    publisher.publish(SECOND, b"new law")
    assert pulled().snapshot == SECOND
    assert fetched(served) == {"manifest.json", "nodes.arrow", "tree.npy"}
    served.asked.clear()
    publisher.publish("2026.11.23-1")
    got = pulled()
    assert fetched(served) == {"manifest.json"}
    assert got.fetched < (host / FIRST / "nodes.arrow").stat().st_size
    assert state_of(host) == state_of(publisher.snapshots)
    assert (host / got.snapshot / "nodes.arrow").samefile(host / FIRST / "nodes.arrow")


@pytest.mark.parametrize("damage", ["changed", "missing", "manifest"])
def test_files_of_a_damaged_snapshot_are_fetched_and_left_as_they_are(
    publisher: Publisher, pulled: Pull, host: Path, served: Served, damage: str
) -> None:
    publisher.publish(FIRST)
    pulled()
    served.asked.clear()
    if damage == "missing":
        (host / FIRST / "nodes.arrow").unlink()
    else:
        name = "nodes.arrow" if damage == "changed" else "manifest.json"
        (host / FIRST / name).write_bytes(b"x")
    before = state_of(host / FIRST)
    publisher.publish(SECOND)
    assert pulled().snapshot == SECOND
    assert "nodes.arrow" in fetched(served)
    assert state_of(host / SECOND) == state_of(publisher.snapshots / SECOND)
    assert state_of(host / FIRST) == before


def test_a_pull_that_goes_on_changes_no_file_of_a_retained_snapshot(
    publisher: Publisher, pulled: Pull, host: Path, served: Served
) -> None:
    """What was linked for the snapshot before it is that of the retained one."""
    publisher.publish(FIRST)
    pulled()
    (host / FIRST / "keyword" / "meta.json").unlink()
    before = state_of(host / FIRST)
    publisher.publish(SECOND)
    served.breaks["meta.json"] = 1
    with pytest.raises(MirrorUnreachableError):
        pulled()
    assert (host / ".mirror" / "snapshot" / "nodes.arrow").samefile(host / FIRST / "nodes.arrow")
    served.breaks.clear()
    publisher.publish("2026.11.23-1", b"new law")
    assert pulled().snapshot == "2026.11.23-1"
    assert state_of(host / "2026.11.23-1") == state_of(publisher.snapshots / "2026.11.23-1")
    assert state_of(host / FIRST) == before


def test_what_was_begun_of_an_earlier_state_is_removed(
    publisher: Publisher, pulled: Pull, host: Path, served: Served
) -> None:
    publisher.publish(FIRST)
    served.breaks["nodes.arrow"] = 70_000
    with pytest.raises(MirrorUnreachableError):
        pulled()
    assert len(list((host / ".mirror" / "parts").iterdir())) == 1
    served.breaks.clear()
    publisher.publish(SECOND, b"new law")
    assert pulled().snapshot == SECOND
    assert list((host / ".mirror" / "parts").iterdir()) == []


def test_a_server_without_ranges_gives_the_file_anew(
    publisher: Publisher, pulled: Pull, host: Path, served: Served
) -> None:
    publisher.publish(FIRST)
    served.ranges = False
    served.breaks["nodes.arrow"] = 70_000
    with pytest.raises(MirrorUnreachableError):
        pulled()
    served.breaks.clear()
    assert pulled().snapshot == FIRST
    assert state_of(host) == state_of(publisher.snapshots)


def test_a_part_of_another_file_is_fetched_anew_in_the_end(
    publisher: Publisher, pulled: Pull, host: Path, served: Served
) -> None:
    """What was begun of a file that was tampered with does not stand in the way for ever."""
    publisher.publish(FIRST)
    target = publisher.target("nodes.arrow")
    content = target.read_bytes()
    target.write_bytes(b"x" * len(content))
    served.breaks["nodes.arrow"] = 70_000
    with pytest.raises(MirrorUnreachableError):
        pulled()
    served.breaks.clear()
    target.write_bytes(content)
    refused(pulled, host, "gives another file")
    assert pulled().snapshot == FIRST


def test_another_publisher_is_refused(publisher: Publisher, pulled: Pull, host: Path, tmp_path: Path) -> None:
    publisher.publish(FIRST)
    other = Publisher(tmp_path / "other")
    with pytest.raises(MirrorRefusedError, match="is not signed by the keys that the trusted root names"):
        pulled(other.first_root)
    with pytest.raises(MirrorRefusedError, match="cannot be read"):
        pulled(b"no root")
    assert list_snapshots(host) == []
    assert pulled().snapshot == FIRST


def test_a_rewritten_log_is_refused(publisher: Publisher, pulled: Pull, host: Path) -> None:
    publisher.publish(FIRST)
    pulled()
    shutil.rmtree(publisher.snapshots / FIRST)
    publisher.publish(SECOND, b"new law")
    log_anew(publisher.snapshots)
    publisher.publish()
    refused(pulled, host, "does not go on from the one that is here")
    assert list_snapshots(host) == [FIRST]


def test_a_snapshot_that_its_log_does_not_hold_is_refused(
    publisher: Publisher, pulled: Pull, host: Path
) -> None:
    publisher.publish(FIRST)
    folder = publisher.snapshots / FIRST
    (folder / "nodes.arrow").write_bytes(b"forged")
    shutil.rmtree(folder)
    log = copy_of(publisher.snapshots / "log")
    publisher.publish(SECOND, b"new law")
    shutil.rmtree(publisher.snapshots / "log")
    log.rename(publisher.snapshots / "log")
    publisher.publish()
    refused(pulled, host, "does not hold 2026.11.22-1")


def test_what_is_no_mirror_is_said(publisher: Publisher, pulled: Pull, host: Path, tmp_path: Path) -> None:
    from serving.mirror.pulling import pull  # noqa: PLC0415 - of an extra

    with pytest.raises(MirrorError, match="is neither an http"):
        pull(str(tmp_path / "nowhere"), host, publisher.first_root, keep=5, now=NOW)
    with pytest.raises(MirrorUnreachableError, match=r"timestamp\.json is answered 404"):
        pulled()
    with pytest.raises(MirrorUnreachableError, match="cannot be reached"):
        pull("http://127.0.0.1:9", host, publisher.first_root, keep=5, now=NOW)
    publisher.publish(FIRST)
    host.mkdir(exist_ok=True)
    with only_writer(host), pytest.raises(SnapshotsBusyError):
        pulled()
    assert pulled().snapshot == FIRST
