"""What an inspection found is shared through the folder, kept for one state of the files, and never in the way."""

import os

import pytest

from serving.contract.errors import DamagedFileError
from serving.contract.layout import inspection_file
from serving.snapshot.inspections import Inspections
from serving.snapshot.pointer import list_snapshots

SNAPSHOT = "2026.11.21-1"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / SNAPSHOT / "gis").mkdir(parents=True)
    (tmp_path / SNAPSHOT / "manifest.json").write_text("{}")
    (tmp_path / SNAPSHOT / "gis" / "city.json").write_text("[]")
    return tmp_path


def damaged(folder, file="gis/city.json"):
    return DamagedFileError(str(folder / SNAPSHOT / file), "is missing")


def test_what_one_process_finds_another_learns(folder):
    Inspections(folder).note(SNAPSHOT, damaged(folder))
    found = Inspections(folder).find(SNAPSHOT)
    assert found is not None
    assert found.damage is not None
    assert (found.damage.file, found.damage.reason) == ("gis/city.json", "is missing")
    assert found.ended.endswith("Z")
    Inspections(folder).note(SNAPSHOT)
    mended = Inspections(folder).find(SNAPSHOT)
    assert mended is not None
    assert mended.damage is None
    assert list_snapshots(folder) == [SNAPSHOT]
    assert sorted(entry.name for entry in folder.iterdir()) == sorted([SNAPSHOT, inspection_file(SNAPSHOT)])


def test_nothing_is_known_of_a_snapshot_that_took_the_place_of_another(folder):
    inspections = Inspections(folder)
    inspections.note(SNAPSHOT, damaged(folder))
    manifest = folder / SNAPSHOT / "manifest.json"
    manifest.rename(folder / "old")
    assert inspections.find(SNAPSHOT) is None
    manifest.write_text("{}")
    assert inspections.find(SNAPSHOT) is None


def test_a_file_that_is_another_one_since_is_worth_another_look(folder):
    inspections = Inspections(folder)
    damage = inspections.note(SNAPSHOT, damaged(folder)).damage
    assert damage is not None
    assert not inspections.is_mended(SNAPSHOT, damage)
    (folder / SNAPSHOT / "gis" / "city.json").write_text("[1]")
    assert inspections.is_mended(SNAPSHOT, damage)


def test_where_nothing_can_be_written_it_is_known_in_memory(folder):
    (folder / inspection_file(SNAPSHOT)).mkdir()
    inspections = Inspections(folder)
    inspections.note(SNAPSHOT, damaged(folder))
    found = inspections.find(SNAPSHOT)
    assert found is not None
    assert found.damage is not None
    assert found.damage.file == "gis/city.json"
    assert Inspections(folder).find(SNAPSHOT) is None
    assert not list(folder.glob(f"*.{os.getpid()}"))


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"snapshot": "x", "at": "y", "manifest": 1, "damage": 2}']
)
def test_a_record_that_says_nothing_is_none(folder, content):
    (folder / inspection_file(SNAPSHOT)).write_text(content)
    assert Inspections(folder).find(SNAPSHOT) is None
