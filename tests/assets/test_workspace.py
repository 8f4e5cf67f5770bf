"""Replacing a folder as a whole, and what a death in between leaves."""

import subprocess
import sys
from pathlib import Path
from threading import Event, Thread

import pytest

from assets.workspace import alone_in, replacing


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


def test_what_a_dead_process_began_is_removed(tmp_path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from assets.workspace import replacing\n"
        "with replacing(Path(sys.argv[1])) as staging:\n"
        "    (staging / 'file').write_text('half'); os._exit(9)"
    )
    folder = tmp_path / "table"
    assert subprocess.run([sys.executable, "-c", code, str(folder)], check=False).returncode == 9
    assert len(list(tmp_path.iterdir())) == 1
    with replacing(folder) as staging:
        (staging / "file").write_text("new")
    assert [path.name for path in tmp_path.iterdir()] == ["table"]


def test_what_a_living_process_writes_is_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "table"
    with replacing(folder) as first:
        (first / "file").write_text("first")
        with replacing(folder) as second:
            (second / "file").write_text("second")
        assert (first / "file").read_text() == "first"
    assert (folder / "file").read_text() == "first"


def test_one_at_a_time_and_the_other_is_told(tmp_path: Path) -> None:
    told, entered = Event(), Event()

    def other() -> None:
        with alone_in(tmp_path, waiting=told.set):
            entered.set()

    thread = Thread(target=other)
    with alone_in(tmp_path, waiting=lambda: pytest.fail("nobody was there before")):
        thread.start()
        assert told.wait(60)
        assert not entered.is_set()
    thread.join(60)
    assert entered.is_set()


def test_those_who_share_do_not_pass_who_waits_to_be_alone(tmp_path: Path) -> None:
    """Else builds of other code bodies, one begun before another ends, would keep a publication out for good."""
    entered: list[str] = []

    def enter(name: str, *, sharing: bool) -> Thread:
        """Have a thread enter, and return once it has, or waits."""
        told = Event()

        def run() -> None:
            with alone_in(tmp_path, waiting=told.set, sharing=sharing):
                entered.append(name)
                told.set()

        thread = Thread(target=run)
        thread.start()
        assert told.wait(60)
        return thread

    with alone_in(tmp_path, waiting=unexpected, sharing=True):
        with alone_in(tmp_path, waiting=unexpected, sharing=True):
            publication = enter("publication", sharing=False)
            builds = [enter(f"build {number}", sharing=True) for number in (1, 2)]
        assert entered == []
    for thread in (publication, *builds):
        thread.join(60)
        assert not thread.is_alive()
    assert entered[0] == "publication"
    assert sorted(entered[1:]) == ["build 1", "build 2"]


def unexpected() -> None:
    pytest.fail("nobody was there before who wants to be alone")
