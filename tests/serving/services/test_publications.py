"""The snapshot that was the newest at the end of a day."""

import json
import shutil
from datetime import date

import pytest

from serving.contract.errors import NoSnapshotByDateError, NoSnapshotError
from serving.contract.layout import MANIFEST
from serving.services.publications import Publications
from serving.services.snapshots import SnapshotHolder
from tests.serving.manifests import edit_manifest

PUBLISHED = {
    "2024.01.10-1": "2024-01-10T08:00:00Z",
    "2024.01.10-2": "2024-01-10T23:59:59Z",
    "2024.03.01-1": "2024-03-01T00:00:00Z",
}
FIRST, SECOND, THIRD = PUBLISHED
"""Two snapshots of one day, and one of the first instant of a later day."""
LEAP_DAY, MARCH = date(2024, 2, 29), date(2024, 3, 1)


def publish(folder, source, snapshot, created):
    """Add a snapshot of which there is nothing but the manifest."""
    (folder / snapshot).mkdir(parents=True)
    shutil.copy(source / MANIFEST, folder / snapshot)
    edit_manifest(folder / snapshot, id=snapshot, created=created)


@pytest.fixture
def listed(snapshots_folder, snapshot, tmp_path):
    """Manifests alone, and what is known of them."""
    for one, created in PUBLISHED.items():
        publish(tmp_path, snapshots_folder / snapshot.id, one, created)
    publications = Publications(tmp_path)
    publications.refresh(tuple(PUBLISHED))
    return tmp_path, publications


@pytest.mark.parametrize(
    ("day", "newest"),
    [
        (date(2024, 1, 10), SECOND),
        (date(2024, 1, 11), SECOND),
        (LEAP_DAY, SECOND),
        (MARCH, THIRD),
        (date(2030, 1, 1), THIRD),
    ],
)
def test_the_newest_of_the_day_answers_from_its_first_to_its_last_second(listed, day, newest):
    assert listed[1].newest_by(day) == newest


def test_before_the_first_day_the_oldest_is_named(listed):
    with pytest.raises(NoSnapshotByDateError, match="the oldest is") as caught:
        listed[1].newest_by(date(2024, 1, 9))
    error = caught.value
    assert (error.code, error.kind) == ("not_found", "snapshot_gone")
    assert (error.oldest, error.oldest_date) == (FIRST, date(2024, 1, 10))


def test_nothing_is_known_before_the_first_refresh(tmp_path):
    with pytest.raises(NoSnapshotError):
        Publications(tmp_path).newest_by(MARCH)


def test_the_time_of_publication_counts_and_not_the_id(listed, snapshots_folder, snapshot):
    folder, publications = listed
    source = snapshots_folder / snapshot.id
    publish(folder, source, "2024.02.01-1", "2024-01-10T12:00:00Z")
    publish(folder, source, "2024.02.29-1", "2024-02-29T23:30:00-01:00")
    publish(folder, source, "2024.02.29-10", "2024-02-29T10:00:00")
    publish(folder, source, "2024.02.29-9", "2024-02-29T10:00:00Z")
    publications.refresh((*PUBLISHED, "2024.02.01-1", "2024.02.29-1", "2024.02.29-10", "2024.02.29-9"))
    assert publications.newest_by(date(2024, 2, 28)) == SECOND
    assert publications.newest_by(LEAP_DAY) == "2024.02.29-10", "of the same instant, the later number"
    assert publications.newest_by(MARCH) == "2024.02.29-1", "half past midnight, in UTC"


@pytest.mark.parametrize("content", [b"", b"{}", b'{"format": 999}'])
def test_a_manifest_that_cannot_be_read_is_passed_over_and_said_once(listed, caplog, content):
    folder, _ = listed
    whole = (folder / THIRD / MANIFEST).read_bytes()
    (folder / THIRD / MANIFEST).write_bytes(content)
    publications = Publications(folder)
    for _ in range(3):
        publications.refresh(tuple(PUBLISHED))
    assert publications.newest_by(MARCH) == SECOND
    assert [(one.message, one.snapshot) for one in caplog.records] == [("snapshot_without_date", THIRD)]
    (folder / THIRD / MANIFEST).write_bytes(whole)
    publications.refresh(tuple(PUBLISHED))
    assert publications.newest_by(MARCH) == THIRD


def test_a_time_that_is_none_is_passed_over(listed):
    folder, _ = listed
    edit_manifest(folder / THIRD, created="yesterday")
    publications = Publications(folder)
    publications.refresh(tuple(PUBLISHED))
    assert publications.newest_by(MARCH) == SECOND


def test_what_is_not_retained_any_more_is_forgotten(listed):
    _, publications = listed
    publications.refresh((FIRST, THIRD))
    assert publications.newest_by(LEAP_DAY) == FIRST
    publications.refresh((THIRD,))
    with pytest.raises(NoSnapshotByDateError, match=THIRD):
        publications.newest_by(LEAP_DAY)


@pytest.fixture
def folder(snapshots_folder, snapshot, tmp_path):
    """Whole snapshots of these days, of which the second is in service, as after a rollback."""
    for one, created in PUBLISHED.items():
        shutil.copytree(snapshots_folder / snapshot.id, tmp_path / one)
        edit_manifest(tmp_path / one, id=one, created=created)
    point(tmp_path, SECOND)
    return tmp_path


def point(folder, snapshot):
    (folder / "current.json").write_text(json.dumps({"snapshot": snapshot}), encoding="utf-8")


@pytest.fixture
def holder(folder):
    holder = SnapshotHolder(folder, pinned=1)
    holder.refresh()
    yield holder
    holder.close()


def read_by(holder, day):
    with holder.lease(day) as snapshot:
        return snapshot.id


def test_a_rollback_changes_nothing_of_what_had_been_published(folder, holder):
    assert holder.current_id == SECOND
    assert read_by(holder, date(2024, 5, 1)) == THIRD
    assert read_by(holder, LEAP_DAY) == SECOND
    point(folder, FIRST)
    holder.refresh()
    assert (holder.current_id, read_by(holder, LEAP_DAY)) == (FIRST, SECOND)


def test_days_are_read_in_turns_where_one_snapshot_may_be_pinned(folder):
    edit_manifest(folder / FIRST, created="2024-01-09T08:00:00Z")
    point(folder, THIRD)
    holder = SnapshotHolder(folder, pinned=1)
    holder.refresh()
    for _ in range(2):
        assert read_by(holder, date(2024, 1, 9)) == FIRST
        assert holder.try_lease(LEAP_DAY) is None, "it is not open beside the other"
        assert read_by(holder, LEAP_DAY) == SECOND
    holder.close()


def test_the_current_one_alone_answers_where_none_may_be_pinned(folder):
    holder = SnapshotHolder(folder, pinned=0)
    holder.refresh()
    assert read_by(holder, date(2024, 5, 1)) == SECOND
    with pytest.raises(NoSnapshotByDateError) as caught:
        holder.lease(date(2024, 1, 9))
    assert caught.value.oldest == SECOND
    holder.close()


def test_an_open_snapshot_is_found_by_day_without_reading_the_folder(folder, holder):
    read_by(holder, MARCH)
    folder.rename(folder.with_name("away"))
    for day, newest in ((LEAP_DAY, SECOND), (MARCH, THIRD)):
        lease = holder.try_lease(day)
        assert lease is not None
        with lease as snapshot:
            assert snapshot.id == newest
    with pytest.raises(NoSnapshotByDateError):
        holder.try_lease(date(2024, 1, 9))
    folder.with_name("away").rename(folder)


def test_what_went_since_the_last_refresh_is_replaced_by_the_newest_that_is_left(folder, holder):
    shutil.rmtree(folder / THIRD)
    assert read_by(holder, MARCH) == SECOND


def test_a_damaged_snapshot_is_replaced_by_the_newest_that_is_sound(folder, holder):
    (folder / THIRD / "nodes.arrow").write_bytes(b"")
    assert read_by(holder, MARCH) == SECOND
    holder.refresh()
    assert read_by(holder, MARCH) == SECOND


def test_a_publication_is_known_after_the_next_refresh(folder, holder):
    shutil.copytree(folder / THIRD, folder / "2024.03.02-1")
    edit_manifest(folder / "2024.03.02-1", id="2024.03.02-1", created="2024-03-02T09:00:00Z")
    holder.refresh()
    assert read_by(holder, date(2024, 3, 2)) == "2024.03.02-1"
    assert read_by(holder, MARCH) == THIRD
