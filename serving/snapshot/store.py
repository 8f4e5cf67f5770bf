"""Open a snapshot: refuse what is not what its manifest says, then give its tables, indexes and answers."""

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from serving.contract import layout
from serving.contract.errors import NotFoundError, SnapshotCorruptError
from serving.contract.identity import content_etag
from serving.contract.manifest import Manifest, root_sha256
from serving.snapshot.browse import BrowseTable
from serving.snapshot.chunks import ChunkTable
from serving.snapshot.edges import EdgeTable
from serving.snapshot.keyword import KeywordIndex
from serving.snapshot.law import CitedLaw
from serving.snapshot.layers import Layers
from serving.snapshot.naics import NaicsTable
from serving.snapshot.table import StoredBody
from serving.snapshot.vector import VectorIndex

if TYPE_CHECKING:
    from serving.encoder.encoder import Encoder


class Snapshot(CitedLaw):
    """One open snapshot. It never changes; several may be open at once. Open it after the fork."""

    def __init__(self, folder: Path, manifest: Manifest, *, threads: int) -> None:
        super().__init__(manifest.code_bodies, nodes_folder=folder, citations_folder=folder)
        self.folder = folder
        self.manifest = manifest
        self.id = manifest.id
        self.chunks = ChunkTable(folder / layout.CHUNKS)
        self.browse = BrowseTable(folder / layout.BROWSE, manifest.code_bodies, self.nodes)
        self.edges = EdgeTable(folder / layout.REFERENCES)
        self.keyword = KeywordIndex(folder / layout.KEYWORD)
        self.vectors = VectorIndex(
            folder / layout.VECTORS,
            jurisdictions=manifest.jurisdictions,
            dimension=manifest.encoder.dimension,
        )
        self.layers = Layers(folder, manifest)
        self._threads = threads
        self._static: dict[str, StoredBody] = {}

    @cached_property
    def encoder(self) -> "Encoder":
        """The encoder that made the vectors, opened on first use; queries must go through the same one."""
        # Whoever reads no meaning of queries (node, browse, verification) need not load ONNX Runtime.
        from serving.encoder.encoder import open_encoder  # noqa: PLC0415

        return open_encoder(self.folder / layout.ENCODER, threads=self._threads)

    @cached_property
    def naics(self) -> NaicsTable:
        """The NAICS table, read on first use.

        Raises:
            NotFoundError: the snapshot was published without it.
        """
        folder = self.folder / layout.NAICS
        if not folder.is_dir():
            raise NotFoundError(f"Snapshot {self.id} was published without NAICS codes.", kind="dataset")
        return NaicsTable(folder, dimension=self.manifest.encoder.dimension)

    def static(self, name: str) -> StoredBody:
        """Return a ready answer, such as `coverage`.

        Raises:
            NotFoundError: the snapshot holds none of that name.
        """
        if name not in self._static:
            path = self.folder / layout.STATIC / f"{name}.json"
            if "/" in name or not path.is_file():
                raise NotFoundError(f"Snapshot {self.id} holds no {name}.", kind="static")
            plain = path.read_bytes()
            self._static[name] = StoredBody(
                content_etag(plain), plain, _optional(path, ".gz"), _optional(path, ".zst")
            )
        return self._static[name]

    def close(self) -> None:
        """Let go of the indexes. Tables stay mapped until the last answer from them is gone."""
        self._static.clear()
        self.__dict__.pop("encoder", None)
        self.__dict__.pop("naics", None)
        del self.keyword, self.vectors


def open_snapshot(folder: Path, *, threads: int = 1) -> Snapshot:
    """Open the snapshot in `folder`, warm.

    Args:
        folder: of the snapshot, not of all snapshots.
        threads: of the query encoder.

    Raises:
        SnapshotCorruptError: a file is missing, of another size or kind than the manifest says.
    """
    manifest = Manifest.load(folder)
    path = str(folder / layout.MANIFEST)
    if root_sha256(manifest.files) != manifest.root_sha256:
        raise SnapshotCorruptError(path, "its root hash is not that of the files it lists")
    for entry in manifest.files:
        _require_size(folder / entry.path, entry.bytes)
    snapshot = Snapshot(folder, manifest, threads=threads)
    _require_rows(snapshot)
    return snapshot


def _require_size(path: Path, size: int) -> None:
    try:
        found = path.stat().st_size
    except OSError:
        raise SnapshotCorruptError(str(path), "is missing") from None
    if found != size:
        raise SnapshotCorruptError(str(path), f"has {found} bytes instead of {size}")


def _require_rows(snapshot: Snapshot) -> None:
    for name, table, count in (
        (layout.NODES, snapshot.nodes, "nodes"),
        (layout.KEYWORD, snapshot.keyword, "nodes"),
        (layout.CHUNKS, snapshot.chunks, "chunks"),
        (layout.CITATIONS, snapshot.citations, "citations"),
        (layout.REFERENCES, snapshot.edges, "references"),
        (layout.VECTORS, snapshot.vectors, "chunks"),
    ):
        found, expected = len(table), snapshot.manifest.counts.get(count)
        if found != expected:
            raise SnapshotCorruptError(
                str(snapshot.folder / name), f"holds {found} rows; the manifest says {expected}"
            )


def _optional(path: Path, suffix: str) -> bytes | None:
    beside = path.with_name(path.name + suffix)
    return beside.read_bytes() if beside.is_file() else None
