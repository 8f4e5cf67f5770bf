"""The open snapshot: checked against its manifest, with its tables, indexes and answers."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from serving.contract import layout
from serving.contract.citations import Grammar
from serving.contract.errors import DamagedFileError, NotFoundError, SnapshotCorruptError
from serving.contract.identity import content_etag
from serving.contract.manifest import Manifest, root_sha256
from serving.encoder.config import MODEL, query_folder
from serving.snapshot.addresses import Addresses
from serving.snapshot.browse import BrowseTable
from serving.snapshot.changes import ChangeTable
from serving.snapshot.chunks import ChunkTable
from serving.snapshot.edges import EdgeTable
from serving.snapshot.filters import NodeFilter
from serving.snapshot.floors import Floor, default_floors, parse_floors
from serving.snapshot.keyword import KeywordIndex
from serving.snapshot.law import CitedLaw
from serving.snapshot.layers import Layers
from serving.snapshot.naics import NaicsTable
from serving.snapshot.name_words import NameWords
from serving.snapshot.questions import QuestionIndex
from serving.snapshot.ranker import Ranker, default_ranker, parse_ranker
from serving.snapshot.table import StoredBody
from serving.snapshot.terms import TermTable
from serving.snapshot.traits import Traits, read_traits
from serving.snapshot.tree import NodeTree, open_tree
from serving.snapshot.vector_opening import open_vectors
from serving.snapshot.verify import read_whole, require_hash, require_sizes

SMALL_BYTES = 1 << 20
"""Size up to which files are compared with their hashes when a snapshot is opened."""

if TYPE_CHECKING:
    from serving.encoder.encoder import Encoder


class Snapshot(CitedLaw):
    """One open snapshot. It never changes; several may be open at once. Open it after the fork.

    Attributes:
        passing: returns which provisions pass filters, as `NodeFilter.passing` does.
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        super().__init__(manifest.code_bodies, nodes_folder=folder, citations_folder=folder)
        self._files = {entry.path: entry for entry in manifest.files}
        self.folder = folder
        self.manifest = manifest
        self.id = manifest.id
        self.chunks = ChunkTable(folder / layout.CHUNKS)
        self.browse = BrowseTable(folder / layout.BROWSE, manifest.code_bodies, self.nodes)
        self.edges = EdgeTable(folder / layout.REFERENCES)
        terms = folder / layout.TERMS
        self.passing = NodeFilter(self.nodes, manifest.jurisdictions).passing
        self.keyword = KeywordIndex(
            folder / layout.KEYWORD, TermTable(terms) if terms.is_dir() else None, self.passing
        )
        dimension = manifest.encoder.dimension
        self.vectors = open_vectors(
            folder / layout.VECTORS,
            self.chunks.nodes(),
            jurisdictions=manifest.jurisdictions,
            dimension=dimension,
            passing=self.passing,
        )
        self.questions = QuestionIndex(
            folder / layout.QUESTIONS, len(self.nodes), passing=self.passing, dimension=dimension
        )
        self.layers = Layers(folder, manifest)
        self._static: dict[str, StoredBody] = {}

    @cached_property
    def encoder(self) -> "Encoder":
        """The encoder of queries, opened on first use: that of the vectors, or one trained for them."""
        # Whoever reads no meaning of queries (node, browse, verification) need not load ONNX Runtime.
        from serving.encoder.opened import opened_encoder  # noqa: PLC0415 - as said above

        passages = self.folder / layout.ENCODER
        queries = query_folder(passages)
        encoder = opened_encoder(queries)
        if queries == passages and encoder.sha256 != self.manifest.encoder.sha256:
            raise DamagedFileError(str(queries / MODEL), "is not the encoder that made the vectors")
        return encoder

    @cached_property
    def name_words(self) -> NameWords:
        """The words of the names of acts, read on first use."""
        return NameWords(self.citations.names(), self.citations.names_elsewhere())

    @cached_property
    def naics(self) -> NaicsTable:
        """The NAICS table, read on first use.

        Raises:
            NotFoundError: the snapshot was published without it.
        """
        folder = self.folder / layout.NAICS
        if not folder.is_dir():
            raise NotFoundError(f"Snapshot {self.id} was published without NAICS codes.", kind="dataset")
        for path, entry in self._files.items():
            if path.startswith(f"{layout.NAICS}/"):
                require_hash(self.folder, entry)
        return NaicsTable(folder, dimension=self.manifest.encoder.dimension)

    @cached_property
    def changes(self) -> ChangeTable | None:
        """The changes that were found at publication; None where an earlier version built it."""
        return ChangeTable(self.folder / layout.CHANGES) if layout.CHANGES in self._files else None

    @cached_property
    def jurisdiction_names(self) -> Mapping[str, str]:
        """The names of the jurisdictions by their short codes."""
        return {entry.short_code: entry.name for entry in self.manifest.jurisdictions}

    @cached_property
    def traits(self) -> Traits:
        """The traits of provisions that a ranking weighs, computed on first use in tens of milliseconds."""
        return read_traits(self.nodes, self.edges)

    @cached_property
    def tree(self) -> NodeTree | None:
        """The tree over all nodes, mapped on first use; None for a snapshot that was built without one.

        Raises:
            DamagedFileError: it differs from what was published.
        """
        return open_tree(self.folder, self.manifest)

    @cached_property
    def ranker(self) -> Ranker:
        """The ranker of hybrid searches; the package's for a snapshot that was built without one.

        Raises:
            SnapshotCorruptError: it is none over the features that this server computes.
        """
        stored = self.read(layout.RANKER)
        return default_ranker() if stored is None else parse_ranker(stored, str(self.folder / layout.RANKER))

    @cached_property
    def floors(self) -> Mapping[str, Floor]:
        """The floors of semantic search, by encoder; the package's for a snapshot that was built without any.

        Raises:
            SnapshotCorruptError: it holds none that this server reads.
        """
        stored = self.read(layout.FLOORS)
        return default_floors() if stored is None else parse_floors(stored, str(self.folder / layout.FLOORS))

    @cached_property
    def grammar(self) -> Grammar:
        """The grammar of citations, compiled on first use, which takes a tenth of a second or two."""
        require_hash(self.folder, self._files[layout.CITING])
        return super().grammar

    @cached_property
    def addresses(self) -> Addresses:
        """The addresses of pages for provisions, computed on first use: a second for a million of them."""
        templates = {scheme.key: scheme.template for scheme in self.grammar.schemes}
        return Addresses(self.nodes, self.code_bodies, templates)

    def static(self, name: str) -> StoredBody:
        """Return a ready answer, such as `coverage`.

        Raises:
            NotFoundError: the snapshot holds none of that name.
            DamagedFileError: it differs from what was published.
        """
        if name not in self._static:
            path = f"{layout.STATIC}/{name}.json"
            plain = None if "/" in name else self.read(path)
            if plain is None:
                raise NotFoundError(f"Snapshot {self.id} holds no {name}.", kind="static")
            self._static[name] = StoredBody(
                content_etag(plain), plain, self.read(f"{path}.gz"), self.read(f"{path}.zst")
            )
        return self._static[name]

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file, compared with its hash; None where the snapshot has no such file.

        Raises:
            DamagedFileError: they are not those that were published.
        """
        entry = self._files.get(path)
        return None if entry is None else read_whole(self.folder, entry)

    def close(self) -> None:
        """Release the indexes. Tables stay mapped until the last answer from them is gone."""
        self._static.clear()
        self.__dict__.pop("encoder", None)
        self.__dict__.pop("naics", None)
        del self.keyword, self.vectors


def open_snapshot(folder: Path) -> Snapshot:
    """Open the snapshot in `folder`, ready for requests.

    Small files are compared with their hashes now, and files that are read whole when they are read. Tables
    and indexes, which are mapped, are left to a server's inspections in the background.

    Args:
        folder: folder of the snapshot, not of all snapshots.

    Raises:
        DamagedFileError: a file is missing, or is of another size or has other bytes than were published.
        SnapshotCorruptError: a file is of another kind than the manifest says.
    """
    manifest = Manifest.load(folder)
    path = str(folder / layout.MANIFEST)
    if root_sha256(manifest.files) != manifest.root_sha256:
        raise DamagedFileError(path, "its root hash is not that of the files it lists")
    require_sizes(folder, manifest)
    for entry in manifest.files:
        if entry.bytes <= SMALL_BYTES:
            require_hash(folder, entry)
    snapshot = Snapshot(folder, manifest)
    _require_rows(snapshot)
    return snapshot


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
