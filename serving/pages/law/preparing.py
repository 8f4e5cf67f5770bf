"""Prepare the pages of a snapshot, and remove files of pages that no server of this release looks for."""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from serving.pages.law.provisions import provision_in_html
from serving.pages.operator_pages import read_texts, renderer_for
from serving.pages.prepared.file import SUFFIX, DamagedPagesError, Edition, PageFile, edition_in, write_pages
from serving.pages.public import render_public
from serving.pages.rendering import Renderer
from serving.pages.static_files import StaticFiles
from serving.settings.settings import Settings
from serving.snapshot.durable import make_folder
from serving.snapshot.lifecycle import locked, require_retained
from serving.snapshot.pointer import list_snapshots
from serving.snapshot.store import Snapshot, open_snapshot

_LOCK = ".prepare.lock"
_NAME = re.compile(rf"\.?\d{{4}}\.\d{{2}}\.\d{{2}}-\d+-[0-9a-f]{{16}}{re.escape(SUFFIX)}(?:\.new)?")


@dataclass(frozen=True, slots=True)
class Prepared:
    """The pages of a snapshot that are prepared now.

    Attributes:
        edition: what they follow from.
        file: where they are.
        bytes: size of the file.
        seconds: how long it took.
        made: they were made now, and not found from before.
        removed: names of the files that were removed.
    """

    edition: Edition
    file: Path
    bytes: int
    seconds: float
    made: bool
    removed: tuple[str, ...]


def prepare(settings: Settings, snapshot: str, on_page: Callable[[int, int], None]) -> Prepared:
    """Prepare the pages of a retained snapshot, unless they are, and remove the files of others.

    Args:
        settings: those of the server that is to serve the pages.
        snapshot: id of the snapshot.
        on_page: called with the number of pages that are made, and of all.

    Raises:
        NotFoundError: it is not retained.
        SnapshotCorruptError: it is damaged.
        SnapshotsBusyError: another process prepares pages in the same folder.
    """
    started = perf_counter()
    folder = require_retained(settings.snapshots, snapshot)
    make_folder(settings.pages)
    with locked(settings.pages / _LOCK, f"Another preparation of pages in {settings.pages}"):
        renderer = renderer_for(StaticFiles(), read_texts(settings.operator_pages), settings.public_url)
        opened = open_snapshot(folder)
        try:
            edition = renderer.edition_of(opened.manifest)
            path = settings.pages / edition.file_name
            made = not _is_whole(path, edition)
            if made:
                write_pages(path, edition, _pages(opened, renderer, on_page))
        finally:
            opened.close()
        removed = tuple(_remove_others(settings, edition))
    return Prepared(edition, path, path.stat().st_size, perf_counter() - started, made, removed)


def _pages(snapshot: Snapshot, renderer: Renderer, on_page: Callable[[int, int], None]) -> Iterator[bytes]:
    total = len(snapshot.nodes)
    for row in range(total):
        shown = provision_in_html(snapshot, row, page=1, public_url=renderer.public_url)
        yield render_public(renderer, *shown)
        on_page(row + 1, total)


def _is_whole(path: Path, edition: Edition) -> bool:
    with suppress(DamagedPagesError, FileNotFoundError):
        PageFile(path, edition).require_whole()
        return True
    return False


def _remove_others(settings: Settings, edition: Edition) -> Iterator[str]:
    """Remove the files of other releases and of snapshots that are gone, and what was left half written."""
    retained = set(list_snapshots(settings.snapshots))
    for path in sorted(settings.pages.iterdir()):
        if _NAME.fullmatch(path.name) is None:
            continue
        found = None if path.name.startswith(".") else edition_in(path)
        if found is None or found.release != edition.release or found.snapshot not in retained:
            path.unlink()
            yield path.name
