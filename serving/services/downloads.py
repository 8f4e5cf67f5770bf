"""Downloads: the list of a snapshot's files for everybody, and each of them."""

from pathlib import Path
from typing import Any

import orjson

from serving.contract.answers import DownloadsBody
from serving.contract.downloads import ADDRESS, path_in_snapshot
from serving.contract.errors import NotFoundError
from serving.contract.identity import content_etag
from serving.contract.layout import DOWNLOADS
from serving.contract.manifest import FileEntry
from serving.services.retained_laws import find_law
from serving.services.snapshots import SnapshotHolder
from serving.snapshot.store import Snapshot
from serving.snapshot.table import StoredBody


def downloads(snapshot: Snapshot) -> StoredBody:
    """Return the ready list of a snapshot's files; an empty one where it was published without."""
    try:
        return snapshot.static(DOWNLOADS)
    except NotFoundError:
        none: DownloadsBody = {
            "snapshot": snapshot.id,
            "createdAt": snapshot.manifest.created,
            "codeBodies": [],
        }
        plain = orjson.dumps(none)
        return StoredBody(content_etag(plain), plain, None, None)


def downloads_of(snapshot: Snapshot, code_body: str) -> dict[str, Any] | None:
    """Return the files of a code body, named by its id, as the list has them; None where there are none."""
    listed = orjson.loads(downloads(snapshot).plain)["codeBodies"]
    return next((one for one in listed if one["id"] == code_body), None)


def find_download(
    snapshots: SnapshotHolder, snapshot: str, code_body: str, name: str
) -> tuple[Path, FileEntry]:
    """Return a file of a retained snapshot, and its entry in the manifest. This reads files.

    Args:
        snapshots: hold the law.
        snapshot: id of the snapshot.
        code_body: key of the code body.
        name: of the file.

    Raises:
        NotFoundError: the snapshot has no such code body, or no such file of it.
        SnapshotGoneError: it is not retained.
        SnapshotDamagedError: the file is not as it was published.
    """
    with find_law(snapshots, snapshot) as law:
        if all(body.key != code_body for body in law.manifest.code_bodies):
            raise NotFoundError(
                f"Snapshot {snapshot} has no code body {code_body[:64]}; {ADDRESS} lists those it has.",
                kind="code_body",
            )
        entry = law.file(path_in_snapshot(code_body, name))
        if entry is None:
            raise NotFoundError(
                f"Snapshot {snapshot} has no file {name[:64]} of {code_body}; {ADDRESS} lists its files.",
                kind="file",
            )
        return law.folder / entry.path, entry
