"""Take a part of a workspace from the store, and store it: whole or not at all, and each file once."""

import secrets
import socket
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from assets.storage.errors import StorageConflictError, StorageError
from assets.storage.local_copy import LocalCopy, LocalFile, Taken
from assets.storage.object_store import ObjectStore
from assets.storage.versions import (
    NONE,
    StoredFile,
    Version,
    add_version,
    new_push,
    newest_version,
    objects_of,
    sweep,
)
from assets.storage.workspace_parts import Part
from assets.versions import file_sha256
from assets.workspace import alone_in

_TRIES = 20
"""Times that files are added beside those that others add at the same moment."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The number of files that went over the network, and their bytes."""

    files: int = 0
    bytes: int = 0


def everything(_: str) -> bool:
    """Want each file of a part."""
    return True


def pull(store: ObjectStore, part: Part, wanted: Callable[[str], bool] = everything) -> Moved:
    """Bring the files of a part to their newest stored state; return what had to be fetched.

    What was made here on top of that state stays. Where another state was stored since, that one takes its
    place: a run goes on from what is stored, never from half of the one and half of the other.

    Args:
        store: where the part is.
        part: that is taken.
        wanted: says of a path whether it is needed here; the others stay where they are.

    Raises:
        StorageError: the store does not give the part whole. The files here are as they were.
    """
    local = LocalCopy(part)
    with alone_in(local.notes, waiting=_in_silence), local.arrivals() as arrivals:
        before, newest = local.load(), newest_version(store, part)
        is_other = before.version != newest.identity
        # Where nothing is stored yet, all that is here was made here.
        here = local.scan(before) if is_other and newest is not NONE else {}
        taken = _still_valid(newest, part, before, here) if is_other else before
        missing = [file for file in newest.files if wanted(file.path) and file.path not in taken.files]
        arrived = _download(store, arrivals, missing)
        if is_other:
            local.save(Taken(files=before.files))  # stopped from here on, all of this is done again
        for file in missing:
            taken.files[file.path] = local.place(arrived[file.object], file.path, file.sha256)
        if not part.grows:
            for name in here.keys() - taken.files.keys():
                local.remove(name)
        local.save(taken)
    return Moved(len(arrived), sum({file.object: file.bytes for file in missing}.values()))


def push(store: ObjectStore, part: Part) -> Moved:
    """Store the files of a part as they are here, on top of the state that was taken; return what was sent.

    Raises:
        StorageConflictError: another state was stored since. Nothing is changed.
        StorageError: the store does not take it. What was stored before stays whole.
    """
    local = LocalCopy(part)
    pushing = new_push(datetime.now(UTC), secrets.token_hex(8))
    uploaded: dict[str, StoredFile] = {}
    with alone_in(local.notes, waiting=_in_silence):
        taken = local.load()
        here = local.scan(taken)
        if here == taken.files:
            return Moved()
        for _ in range(_TRIES if part.grows else 1):
            newest = newest_version(store, part)
            content = _content(newest, part, taken, here)
            if content != newest.content():
                if newest.identity != taken.version and not part.grows:
                    raise _conflict(store, part, newest)
                known = {file.sha256 for file in newest.files} | uploaded.keys()
                sent = [name for name, sha256 in content.items() if sha256 not in known]
                uploaded |= _upload(store, local, here, sent, objects_of(part, pushing))
                content = _without_changing(content, known | uploaded.keys(), local, part)
                version = _following(newest, content, uploaded)
                if not add_version(store, part, version):
                    continue
                newest = version
                sweep(store, part, datetime.now(UTC))
            stored = newest.content()
            kept = {name: seen for name, seen in here.items() if stored.get(name) == seen.sha256}
            local.save(Taken(newest.identity, kept))
            return Moved(len(uploaded), sum(file.bytes for file in uploaded.values()))
    raise _conflict(store, part, newest_version(store, part))


def _still_valid(newest: Version, part: Part, before: Taken, here: dict[str, LocalFile]) -> Taken:
    """Return what stays of the files here when another version takes the place of the one before."""
    stored = newest.content()
    kept: dict[str, LocalFile] = {}
    for name, seen in here.items():
        known = before.files.get(name)
        if stored.get(name) == seen.sha256:
            kept[name] = seen
        elif part.grows and name in stored and (known is None or known.sha256 != seen.sha256):
            kept[name] = LocalFile(stored[name], seen.bytes, 0)  # it was changed here, and will be stored
    return Taken(newest.identity, kept)


def _content(newest: Version, part: Part, taken: Taken, here: dict[str, LocalFile]) -> dict[str, str]:
    """Return the hashes that the files of a part will have in the store, by their paths."""
    if part.grows:
        before = {name: seen.sha256 for name, seen in taken.files.items()}
        changed = {name: seen.sha256 for name, seen in here.items() if before.get(name) != seen.sha256}
        return newest.content() | changed
    untaken = {name: sha256 for name, sha256 in newest.content().items() if name not in taken.files}
    return untaken | {name: seen.sha256 for name, seen in here.items()}


def _following(newest: Version, content: dict[str, str], uploaded: dict[str, StoredFile]) -> Version:
    known = {file.sha256: file for file in newest.files} | uploaded
    files = [
        StoredFile(name, sha256, known[sha256].bytes, known[sha256].object)
        for name, sha256 in sorted(content.items())
    ]
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return Version(newest.number + 1, now, socket.gethostname(), tuple(files))


def _upload(
    store: ObjectStore, local: LocalCopy, here: dict[str, LocalFile], names: Sequence[str], prefix: str
) -> dict[str, StoredFile]:
    """Put files into objects, those of the same bytes once; return by hash those that stayed the same."""
    chosen = {here[name].sha256: name for name in names}
    files = {
        sha256: StoredFile(name, sha256, here[name].bytes, f"{prefix}/{sha256}")
        for sha256, name in chosen.items()
    }
    store.upload({file.object: local.path(file.path) for file in files.values()})
    return {sha256: file for sha256, file in files.items() if local.is_as(file.path, here[file.path])}


def _without_changing(
    content: dict[str, str], stored: Set[str], local: LocalCopy, part: Part
) -> dict[str, str]:
    """Leave out files that somebody writes at this moment, where others do not depend on them.

    Raises:
        StorageError: they do.
    """
    changing = [name for name, sha256 in content.items() if sha256 not in stored]
    if changing and not part.grows:
        raise StorageError(
            f"{local.path(changing[0])} changed while it was being stored: build again when nothing else "
            "writes there."
        )
    return {name: sha256 for name, sha256 in content.items() if name not in changing}


def _download(store: ObjectStore, folder: Path, files: Iterable[StoredFile]) -> dict[str, Path]:
    """Fetch files into a folder, those of the same bytes once; return by their objects where they are.

    Raises:
        StorageError: the store does not give them, or gives other bytes.
    """
    wanted = {file.object: file for file in files}
    arrived = {key: folder / str(number) for number, key in enumerate(wanted)}
    store.download(arrived)
    for key, path in arrived.items():
        file = wanted[key]
        if not path.is_file() or (path.stat().st_size, file_sha256(path)) != (file.bytes, file.sha256):
            raise StorageError(
                f"{store.url}/{key} is not what was stored as {file.path}: it is damaged. Remove the newest "
                "manifest of its part to go on from the one before."
            )
    return arrived


def _conflict(store: ObjectStore, part: Part, newest: Version) -> StorageConflictError:
    return StorageConflictError(
        f"{part.name} was stored in {store.url} by {newest.stored_by} at {newest.stored_at}, after it was "
        "taken from there: what was made here is not stored. Build again, from what is there now."
    )


def _in_silence() -> None:
    """Wait for who takes or stores the same part on this machine, which is soon done."""
