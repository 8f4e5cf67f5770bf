"""Prepared pages are those that a server makes, byte for byte; what no server looks for any more is removed."""

import shutil
from dataclasses import replace

import pytest

from serving.api.encodings import compress
from serving.contract.errors import NotFoundError
from serving.pages.law.preparing import prepare
from serving.pages.law.provisions import provision_in_html
from serving.pages.operator_pages import read_texts, renderer_for
from serving.pages.prepared.file import PageFile, edition_in, write_pages
from serving.pages.public import render_public
from serving.pages.static_files import StaticFiles
from serving.settings.settings import Settings
from serving.snapshot.lifecycle import SnapshotsBusyError, locked
from serving.snapshot.pointer import list_snapshots
from serving.snapshot.store import open_snapshot
from tests.serving.pages.prepared.prepared import flip

URL = "https://law.example"


def quietly(made: int, total: int) -> None:
    del made, total


@pytest.fixture
def settings(snapshots_folder, tmp_path):
    return Settings(snapshots=snapshots_folder, pages=tmp_path / "some" / "pages", base_url=URL)


@pytest.fixture
def editions(changed_folder, tmp_path):
    """Settings over a copy of three editions of a law, and their ids."""
    shutil.copytree(changed_folder, tmp_path / "snapshots")
    settings = Settings(snapshots=tmp_path / "snapshots", pages=tmp_path / "pages", base_url=URL)
    return settings, list_snapshots(settings.snapshots)


def files(settings):
    return sorted(path.name for path in settings.pages.iterdir() if not path.name.endswith(".lock"))


def require_pages(settings, prepared, snapshot):
    """Compare every page with the one that is made."""
    renderer = renderer_for(StaticFiles(), read_texts(settings.operator_pages), settings.public_url)
    file = PageFile(prepared.file, renderer.edition_of(snapshot.manifest))
    assert len(file) == len(snapshot.nodes) == prepared.edition.pages
    for row in range(len(file)):
        made = provision_in_html(snapshot, row, page=1, public_url=settings.public_url)
        page = render_public(renderer, *made)
        assert file.page(row, "identity") == page
        for encoding in ("zstd", "gzip"):
            assert file.page(row, encoding) == compress(page, encoding)


def test_every_page_is_the_one_that_is_made(settings, snapshot):
    told = []
    prepared = prepare(settings, snapshot.id, lambda made, total: told.append((made, total)))
    total = len(snapshot.nodes)
    assert told == [(row + 1, total) for row in range(total)]
    assert (prepared.made, prepared.removed, files(settings)) == (True, (), [prepared.file.name])
    assert prepared.bytes == prepared.file.stat().st_size
    require_pages(settings, prepared, snapshot)


def test_pages_of_every_edition_tell_what_it_changed(editions):
    settings, ids = editions
    found = {one: prepare(settings, one, quietly) for one in ids}
    assert files(settings) == sorted(prepared.file.name for prepared in found.values())
    for one, prepared in found.items():
        opened = open_snapshot(settings.snapshots / one)
        require_pages(settings, prepared, opened)
        opened.close()


def test_pages_that_are_prepared_are_not_made_again_unless_they_are_damaged(settings, snapshot):
    first = prepare(settings, snapshot.id, quietly)
    assert not prepare(settings, snapshot.id, quietly).made
    flip(first.file, first.bytes - 1)
    assert prepare(settings, snapshot.id, quietly).made
    assert not prepare(settings, snapshot.id, quietly).made


def test_another_address_or_other_links_have_other_pages(settings, snapshot, tmp_path):
    (tmp_path / "terms.md").write_text("# Terms\n\nBe fair.", encoding="utf-8")
    others = (replace(settings, base_url="https://other.example"), replace(settings, operator_pages=tmp_path))
    prepared = [prepare(one, snapshot.id, quietly) for one in (settings, *others)]
    assert len({one.file for one in prepared}) == 3
    assert not any(one.removed for one in prepared), "another server of this release may look for them"
    for one, of in zip(prepared, (settings, *others), strict=True):
        require_pages(of, one, snapshot)


def test_files_that_nobody_looks_for_are_removed(editions):
    settings, (oldest, _, newest) = editions
    gone = prepare(settings, oldest, quietly)
    old = replace(prepare(settings, newest, quietly).edition, release="an earlier one", pages=1)
    write_pages(settings.pages / old.file_name, old, (b"page",))
    half, damaged, foreign = f".{old.file_name}.new", f"{newest}-0123456789abcdef.pages", "notes.txt"
    for name in (half, damaged, foreign):
        (settings.pages / name).write_bytes(b"x")
    shutil.rmtree(settings.snapshots / oldest)
    prepared = prepare(settings, newest, quietly)
    assert set(prepared.removed) == {gone.file.name, old.file_name, half, damaged}
    assert files(settings) == sorted([prepared.file.name, foreign])
    assert edition_in(prepared.file) == prepared.edition


def test_what_cannot_be_prepared_is_refused(settings, snapshot):
    with pytest.raises(NotFoundError, match=r"holds no snapshot 2020\.01\.01-1"):
        prepare(settings, "2020.01.01-1", quietly)
    prepare(settings, snapshot.id, quietly)
    with (
        locked(settings.pages / ".prepare.lock", "A test"),
        pytest.raises(SnapshotsBusyError, match="Another preparation"),
    ):
        prepare(settings, snapshot.id, quietly)
