"""Pin a source: copy the bytes of a folder or archive, once, into a file that all later stages read."""

import hashlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO

from assets.connectors.release import Fetched
from assets.errors import SourceError
from assets.ingest.archives import OpenedSource, name_without_form, open_source
from assets.ingest.bounds import Limits
from assets.ingest.pinned import FileEntry, PinnedSource, files_sha256, open_pinned, write_pinned_files
from assets.registry import CodeBody
from assets.versions import file_sha256
from assets.workspace import replacing

_NO_LIMITS_GIVEN = Limits()
_SCHEMAS = ".xsd"


@dataclass(frozen=True, slots=True)
class _Spooled:
    """A file and where its bytes lie in the spool: archives come in any order, the table is sorted."""

    entry: FileEntry
    offset: int


def pin_source(
    origin: Path,
    body: CodeBody,
    destination: Path,
    *,
    retrieved_at: datetime,
    progress: Callable[[int, int], None],
    limits: Limits = _NO_LIMITS_GIVEN,
    fetched: Fetched | None = None,
) -> PinnedSource:
    """Pin the files of a folder or archive into the folder `destination`.

    Hidden files and XML schemas are left out, and so is a top folder that holds everything. Files whose bytes
    were pinned there before keep the time of their first retrieval, and an unchanged source keeps its own.

    Args:
        origin: the folder or archive; it is not trusted.
        body: says licence, publisher and how the release point stands in the origin's name.
        destination: replaced as a whole, once everything is read; left as it was on any error.
        retrieved_at: with its time zone.
        progress: called with (files read, files in all); in all is 0 where only the end will tell.
        limits: bounds on what is accepted.
        fetched: the release that the origin is, where it was fetched from its publisher.

    Raises:
        SourceError: the origin is missing, empty, damaged, unsafe or too large; the message says what to do.
    """
    now = retrieved_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    known = _pinned_before(destination)
    archive = file_sha256(origin) if origin.is_file() else None
    with replacing(destination) as staging:
        with TemporaryFile(dir=staging) as spool:
            spooled, top = _spool(open_source(origin, limits), spool, origin.name, progress)
            spooled = _dated(spooled, now, known)
            write_pinned_files(staging, _from_spool(spooled, spool))
        described = _describe(origin, top, body, [file.entry for file in spooled], now)
        source = replace(described, archive=archive)
        before = known.source
        if before is not None and before.sha256 == source.sha256:
            source = replace(source, retrieved_at=before.retrieved_at)
        if fetched is not None:
            of = fetched.release
            source = replace(source, release=of.name, release_date=of.date, fetched=fetched.files)
        source.save(staging)
    return source


def is_pinned(origin: Path, body: CodeBody, destination: Path, *, limits: Limits = _NO_LIMITS_GIVEN) -> bool:
    """Return whether pinning `origin` would find what is pinned in `destination`: files and description.

    An archive is known by its own bytes, without being unpacked.

    Raises:
        SourceError: the origin is missing, empty, damaged, unsafe or too large.
    """
    known = _pinned_before(destination).source
    if known is None or not _is_described(known, body):
        return False
    if origin.is_file():
        return known.archive is not None and file_sha256(origin) == known.archive
    with Path(os.devnull).open("wb") as nowhere:
        spooled, top = _spool(open_source(origin, limits), nowhere, origin.name, lambda _done, _total: None)
    entries = [file.entry for file in spooled]
    point = _release_point(body, [name_without_form(origin), top])
    return (files_sha256(entries), point) == (known.sha256, known.release_point)


def _is_described(source: PinnedSource, body: CodeBody) -> bool:
    """Return whether a pin says of its source what the registry says of it now."""
    said = (source.license, source.publisher, source.source_url)
    return said == (body.license, body.publisher, body.source_url)


@dataclass(frozen=True, slots=True)
class _Before:
    """The files that were pinned at the destination before."""

    source: PinnedSource | None
    entries: dict[str, FileEntry]


def _pinned_before(destination: Path) -> _Before:
    try:
        files = open_pinned(destination)
        return _Before(PinnedSource.load(destination), {entry.path: entry for entry in files.entries()})
    except SourceError:
        # Missing or damaged: either way it is about to be replaced, and only the dates begin anew.
        return _Before(None, {})


def _spool(
    opened: OpenedSource, spool: BinaryIO, origin: str, progress: Callable[[int, int], None]
) -> tuple[list[_Spooled], str]:
    """Copy all contents into the spool; return its index, sorted by path, and the top folder or ""."""
    tops: set[str] = set()
    index: dict[str, tuple[str, int, int]] = {}  # SHA-256, size and offset by path
    offset = 0
    for done, (path, content) in enumerate(opened.members, start=1):
        tops.add(path.split("/", 1)[0] if "/" in path else "")
        progress(done, opened.total or 0)
        if path.lower().endswith(_SCHEMAS):
            continue
        if path in index:
            raise SourceError(f"{origin} holds {path} twice; it is not clear which is meant. Pack it again.")
        sha256 = hashlib.sha256(content).hexdigest()
        index[path] = sha256, len(content), offset
        spool.write(content)
        offset += len(content)
    if not index:
        raise SourceError(f"{origin} holds no files that could be read; is it the right folder or archive?")
    progress(done, done)
    top = next(iter(tops)) if len(tops) == 1 else ""
    cut = len(top) + 1 if top else 0
    spooled = [
        _Spooled(FileEntry(path[cut:], sha256, size, ""), offset)
        for path, (sha256, size, offset) in sorted(index.items())
    ]
    return spooled, top


def _dated(spooled: Sequence[_Spooled], now: str, known: _Before) -> list[_Spooled]:
    dated = []
    for file in spooled:
        before = known.entries.get(file.entry.path)
        same = before is not None and before.sha256 == file.entry.sha256
        first = before.retrieved_at if before is not None and same else now
        dated.append(replace(file, entry=replace(file.entry, retrieved_at=first)))
    return dated


def _from_spool(spooled: Sequence[_Spooled], spool: BinaryIO) -> Iterator[tuple[FileEntry, bytes]]:
    for file in spooled:
        spool.seek(file.offset)
        yield file.entry, spool.read(file.entry.bytes)


def _describe(origin: Path, top: str, body: CodeBody, entries: Sequence[FileEntry], now: str) -> PinnedSource:
    return PinnedSource(
        origin=origin.resolve().name,
        release_point=_release_point(body, [name_without_form(origin), top]),
        retrieved_at=now,
        license=body.license,
        publisher=body.publisher,
        source_url=body.source_url,
        sha256=files_sha256(entries),
        files=len(entries),
        bytes=sum(entry.bytes for entry in entries),
        given=origin.stat().st_size if origin.is_file() else sum(entry.bytes for entry in entries),
    )


def _release_point(body: CodeBody, names: Sequence[str]) -> str | None:
    if body.release_point_pattern is None:
        return None
    for name in names:
        match = re.search(body.release_point_pattern, name)
        if match is not None:
            return match.group(1)
    return None
