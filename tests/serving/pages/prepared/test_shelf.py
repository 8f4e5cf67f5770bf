"""The shelf of prepared pages: found without a restart, damaged files left alone, one file for each snapshot."""

import gc
import logging
import os
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from serving.pages.prepared.shelf import LOOK_SECONDS, PageShelf
from tests.serving.pages.prepared.prepared import EDITION, PAGES, flip, open_files, written


class Snapshot:
    """Stands for an open snapshot: the shelf asks it for its manifest alone."""

    def __init__(self, edition: Any = EDITION) -> None:
        self.manifest: Any = edition


@pytest.fixture
def clock():
    return SimpleNamespace(now=100.0)


@pytest.fixture
def shelf(tmp_path, clock):
    def edition_of(manifest: Any) -> Any:
        return manifest

    return PageShelf(tmp_path, edition_of, clock=lambda: clock.now)


def test_a_file_is_found_when_it_is_there(tmp_path, shelf, clock):
    snapshot = Snapshot()
    assert shelf.page(snapshot, 0, "identity") is None
    written(tmp_path)
    assert shelf.page(snapshot, 0, "identity") is None, "it is not looked for at each request"
    clock.now += LOOK_SECONDS
    assert shelf.page(snapshot, 0, "identity") == PAGES[0]


def test_a_file_that_is_removed_serves_on(tmp_path, shelf):
    path, snapshot = written(tmp_path), Snapshot()
    assert shelf.page(snapshot, 0, "identity") == PAGES[0]
    path.unlink()
    assert shelf.page(snapshot, 2, "identity") == PAGES[2]


def damage_end(path):
    flip(path, path.stat().st_size - 1)


def damage_head(path):
    flip(path, 30)


def damage_size(path):
    os.truncate(path, path.stat().st_size - 1)


@pytest.mark.parametrize("damage", [damage_end, damage_head, damage_size])
def test_a_damaged_file_is_told_once_and_left_alone_until_another_takes_its_place(
    tmp_path, shelf, clock, caplog, damage
):
    path, snapshot = written(tmp_path), Snapshot()
    damage(path)
    with caplog.at_level(logging.ERROR):
        for _ in range(3):
            assert shelf.page(snapshot, 2, "identity") is None
            assert shelf.page(snapshot, 0, "zstd") is None
            clock.now += LOOK_SECONDS
    (record,) = caplog.records
    assert (record.message, record.__dict__["file"]) == ("prepared_pages_not_used", str(path))
    assert path.is_file()
    written(tmp_path)
    clock.now += LOOK_SECONDS
    assert shelf.page(snapshot, 2, "identity") == PAGES[2]


def test_each_snapshot_has_its_own_file_which_leaves_with_it(tmp_path, shelf):
    other = replace(EDITION, snapshot="2026.11.21-2", pages=1)
    written(tmp_path)
    written(tmp_path, other, (b"other",))
    before = open_files()
    first, second = Snapshot(), Snapshot(other)
    assert shelf.page(first, 0, "identity") == PAGES[0]
    assert shelf.page(second, 0, "identity") == b"other"
    assert shelf.page(first, 0, "identity") == PAGES[0]
    assert open_files() == before + 2
    del first
    gc.collect()
    assert open_files() == before + 1
