"""Replacing a folder as a whole, and what a death in between leaves."""

from pathlib import Path

import pytest

from assets.workspace import replacing


def write_and_fail(folder: Path) -> None:
    with replacing(folder) as staging:
        (staging / "file").write_text("new")
        raise ValueError("broken")


def test_a_finished_block_replaces_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "table"
    for content in ("old", "new"):
        with replacing(folder) as staging:
            (staging / "file").write_text(content)
    assert (folder / "file").read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["table"]


def test_a_failed_block_leaves_the_folder_as_it_was(tmp_path: Path) -> None:
    folder = tmp_path / "table"
    with replacing(folder) as staging:
        (staging / "file").write_text("old")
    with pytest.raises(ValueError, match="broken"):
        write_and_fail(folder)
    assert (folder / "file").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["table"]


def test_a_death_between_the_renames_is_mended(tmp_path: Path) -> None:
    aside = tmp_path / ".table.old"
    aside.mkdir()
    (aside / "file").write_text("old")
    with pytest.raises(ValueError, match="broken"):
        write_and_fail(tmp_path / "table")
    assert (tmp_path / "table" / "file").read_text() == "old"
