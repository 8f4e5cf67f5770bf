"""Make the manifest of a staged snapshot: every file with its hash, and the root hash over some of them."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from assets.selection.code_bodies import code_body_entries
from assets.selection.selection import Selection
from assets.versions import file_sha256
from serving.contract import layout
from serving.contract.downloads import PARQUET, depends_on_predecessor, is_download
from serving.contract.manifest import EncoderEntry, FileEntry, Manifest, root_sha256
from serving.encoder.config import load_config, verify_files

_TABLES = {
    layout.NODES: "nodes",
    layout.CHUNKS: "chunks",
    layout.BROWSE: "browse",
    layout.CITATIONS: "citations",
    layout.REFERENCES: "references",
    layout.DIGESTS: "nodes",
    layout.CHANGES: "changes",
}
"""Names of the counts that say how many rows a table has."""

_UNROOTED = (
    layout.KEYWORD,
    layout.TERMS,
    layout.VECTORS,
    layout.ENCODER,
    layout.QUALITY,
    layout.EVALUATION,
    layout.CHANGES,
    layout.CHANGES_SUMMARY,
    f"{layout.NAICS}/{layout.NAICS_VECTORS}",
    f"{layout.QUESTIONS}/{layout.QUESTION_DIRECTIONS}",
    f"{layout.QUESTIONS}/{layout.QUESTION_LINES}",
)
"""Indexes, vectors and scores, which two builds of the same inputs need not agree in byte by byte, and
changes, which depend on what was in service before."""


def make_manifest(
    folder: Path,
    selection: Selection,
    *,
    snapshot: str,
    created: datetime,
    revision: str,
    counts: Mapping[str, int],
    nodes_root: str,
) -> Manifest:
    """Return the manifest of the snapshot staged in `folder`, whose files are all in place.

    Args:
        folder: of the staged snapshot.
        selection: what it was built from.
        snapshot: its id.
        created: instant of publication.
        revision: of the code that built it.
        counts: rows by table, with those of `_TABLES` among them.
        nodes_root: root of the tree over all nodes.
    """
    files = tuple(_file(folder, path, counts) for path in sorted(_files(folder)))
    config = load_config(folder / layout.ENCODER)
    return Manifest(
        format=layout.SNAPSHOT_FORMAT,
        id=snapshot,
        created=instant(created),
        revision=revision,
        root_sha256=root_sha256(files),
        encoder=EncoderEntry(config.name, verify_files(folder / layout.ENCODER, config), config.dimension),
        jurisdictions=selection.jurisdictions,
        code_bodies=code_body_entries(selection),
        counts=dict(counts),
        files=files,
        nodes_root=nodes_root,
    )


def with_scores(manifest: Manifest, folder: Path) -> Manifest:
    """Return the manifest with what scoring wrote into the staged snapshot, on which no root hash depends."""
    scored = {path for path in (layout.QUALITY, layout.EVALUATION) if (folder / path).is_file()}
    files = [entry for entry in manifest.files if entry.path not in scored]
    files += [_file(folder, path, manifest.counts) for path in scored]
    return replace(manifest, files=tuple(sorted(files, key=lambda entry: entry.path)))


def instant(value: datetime) -> str:
    """Return an instant as manifests write it: RFC 3339 in UTC, in seconds."""
    return value.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _files(folder: Path) -> list[str]:
    return [
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and path != folder / layout.MANIFEST
    ]


def _file(folder: Path, path: str, counts: Mapping[str, int]) -> FileEntry:
    return FileEntry(
        path=path,
        bytes=(folder / path).stat().st_size,
        sha256=file_sha256(folder / path),
        rows=_rows(folder, path, counts),
        rooted=_is_rooted(path),
    )


def _is_rooted(path: str) -> bool:
    is_unrooted = path in _UNROOTED or path.split("/", 1)[0] in _UNROOTED
    return not is_unrooted and not depends_on_predecessor(path)


def _rows(folder: Path, path: str, counts: Mapping[str, int]) -> int | None:
    """Return the rows of a table; None for a file that is none, or does not say."""
    if path.startswith(f"{layout.GIS}/") and path.endswith(".arrow"):
        # A layer has as many as the city has zones.
        with pa.memory_map(str(folder / path)) as source:
            return int(pa.ipc.open_file(source).read_all().num_rows)
    if is_download(path) and path.endswith(f".{PARQUET.suffix}"):
        return int(pq.read_metadata(folder / path).num_rows)
    counted = _TABLES.get(path)
    return None if counted is None else counts[counted]
