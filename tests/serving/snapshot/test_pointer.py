"""The pointer, and the list of snapshots."""

from pathlib import Path

import pytest

from serving.contract.errors import NoSnapshotError
from serving.snapshot.pointer import current_snapshot_id, list_snapshots


def test_the_current_snapshot_is_named(small_snapshot: Path) -> None:
    assert current_snapshot_id(small_snapshot.parent) == small_snapshot.name
    assert list_snapshots(small_snapshot.parent) == [small_snapshot.name]


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"snapshot": 3}', '{"snapshot": "../../etc"}', '{"snapshot": "2026.11.21"}']
)
def test_a_pointer_that_names_no_snapshot_is_none(content: str, tmp_path: Path) -> None:
    (tmp_path / "current.json").write_text(content)
    with pytest.raises(NoSnapshotError, match=r"current\.json"):
        current_snapshot_id(tmp_path)


def test_where_nothing_was_published_there_is_none(tmp_path: Path) -> None:
    with pytest.raises(NoSnapshotError, match="No snapshot has been published"):
        current_snapshot_id(tmp_path / "nowhere")
    assert list_snapshots(tmp_path / "nowhere") == []


def test_snapshots_are_listed_by_day_then_number(tmp_path: Path) -> None:
    for name in (
        "2026.11.21-10",
        "2026.11.21-9",
        "2026.02.01-1",
        ".staging-2026.11.21-11",
        "2026.11.21-12",
        "notes",
    ):
        (tmp_path / name).mkdir()
        if name != "2026.11.21-12":
            (tmp_path / name / "manifest.json").write_text("{}")
    assert list_snapshots(tmp_path) == ["2026.02.01-1", "2026.11.21-9", "2026.11.21-10"]
