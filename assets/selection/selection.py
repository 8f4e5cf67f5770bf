"""The selection that a snapshot is built from: code bodies, their tables and the numbering over them."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from assets.errors import BuildError
from assets.registry import Citing, CodeBody, Registry, load_citing
from assets.selection.accepted_layers import AcceptedLayer, FailedLayer, available_layers
from assets.selection.numbering import Numbering, number
from assets.selection.table_hashes import table_sha256
from assets.versions import file_sha256
from assets.workspace import Workspace
from serving.contract.identity import code_body_id
from serving.contract.records import Jurisdiction

LIGHT = (
    "node_id",
    "identifier",
    "parent_id",
    "level",
    "num",
    "heading",
    "citation",
    "citable",
    "status",
    "tags",
)
"""Columns that are held in memory; texts, notes and references are read in batches when they are needed."""

BATCH_ROWS = 512


PROVISIONS_FILE = "provisions/provisions.parquet"
CHUNKS_FILE = "chunks/chunks.parquet"
EMBEDDINGS_FILE = "embeddings/embeddings.npy"
"""Paths of the tables in the folder of a code body's accepted tables."""


@dataclass(frozen=True, slots=True)
class StaleTitle:
    """A title that is kept from an earlier edition.

    Attributes:
        current_through: what that edition says of its own currency.
        since: ISO date of the first edition that it could not be updated from.
        count: of its provisions.
    """

    label: str
    current_through: str | None
    since: str
    count: int


@dataclass(frozen=True, slots=True)
class SourceReport:
    """A reader's report of its source: `report.json`.

    Attributes:
        whole_titles: numbers of the titles of which the source has all, as far as it tells.
    """

    complete: bool
    gaps: tuple[str, ...]
    current_through: str | None
    release_point: str | None
    source_sha256: str
    stale_titles: tuple[StaleTitle, ...] = ()
    release: str | None = None
    release_date: str | None = None
    whole_titles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PinnedFile:
    """Facts of one source file: how current it is, and when it was retrieved (RFC 3339).

    `stale_since` is that of the title that is kept from an earlier edition with this file.
    """

    release_point: str | None
    current_through: str | None
    retrieved_at: str
    stale_since: str | None = None


@dataclass(frozen=True, slots=True)
class SelectedBody:
    """One code body of the selection.

    Attributes:
        folder: with `provisions.parquet`.
        embeddings: file with a vector a chunk.
        files: by path and SHA-256; two states of one file where a unit was kept from before.
        first: position of its first provision.
        count: of its provisions.
        chunk_count: of its chunks.
    """

    body: CodeBody
    report: SourceReport
    folder: Path
    embeddings: Path
    files: dict[tuple[str, str], PinnedFile]
    first: int
    count: int
    chunk_count: int

    @property
    def id(self) -> str:
        """The code body's UUID string."""
        return str(code_body_id(self.body.key))


@dataclass(frozen=True, slots=True)
class Inputs:
    """Inputs of the artefacts: keys of code bodies, and SHA-256 digests of tables, citing data and layers.

    An artefact that was built from other inputs is refused.
    """

    code_bodies: tuple[str, ...]
    provisions: str
    chunks: str
    embeddings: str
    citing: str
    layers: str


@dataclass(frozen=True, slots=True)
class Selection:
    """The selected code bodies in the order of their keys, which is the order of positions.

    Attributes:
        provisions: the `LIGHT` columns of all bodies.
        chunks: `node_id`, `start` and `end` of all bodies.
        jurisdictions: all that coverage lists: those always listed and those with law, by level and name.
        citing: how law is cited, that of the code bodies and other.
        layers: zoning layers to publish, by short code.
        failed_layers: those of which no version passed its checks.
    """

    bodies: tuple[SelectedBody, ...]
    jurisdictions: tuple[Jurisdiction, ...]
    provisions: pa.Table
    chunks: pa.Table
    numbering: Numbering
    inputs: Inputs
    citing: Citing
    layers: tuple[AcceptedLayer, ...] = ()
    failed_layers: tuple[FailedLayer, ...] = ()

    def __len__(self) -> int:
        return int(self.provisions.num_rows)

    def batches(self, columns: Sequence[str]) -> Iterator[tuple[int, pa.RecordBatch]]:
        """Yield `columns` of all provisions in their order, with the position of each batch's first row."""
        for body in self.bodies:
            position = body.first
            with pq.ParquetFile(body.folder / "provisions.parquet") as file:
                for batch in file.iter_batches(BATCH_ROWS, columns=list(columns), use_threads=False):
                    yield position, batch
                    position += batch.num_rows

    def body_of_positions(self) -> np.ndarray:
        """Return the index of each position's code body."""
        return np.repeat(np.arange(len(self.bodies)), [body.count for body in self.bodies])


def available_bodies(workspace: Workspace, registry: Registry) -> tuple[str, ...]:
    """Return the keys of the code bodies whose tables were accepted, sorted."""
    return tuple(sorted(body.key for body in registry.code_bodies if workspace.accepted(body.key).is_dir()))


def load_selection(
    workspace: Workspace,
    registry: Registry,
    bodies: Sequence[str] | None = None,
    layers: Sequence[str] | None = None,
) -> Selection:
    """Load the tables of `bodies` and find the accepted `layers`, and number all provisions.

    Without `bodies` all are selected whose tables were accepted, without `layers` all that are no drafts. The
    selection that was loaded last is returned again while its inputs are the same.

    Raises:
        BuildError: nothing is selected, a file is missing, or tables do not fit each other.
        RegistryError: a key is unknown.
    """
    keys = sorted(set(available_bodies(workspace, registry) if bodies is None else bodies))
    if not keys:
        raise BuildError("No code body has been built yet: there is nothing to publish.")
    for key in keys:
        registry.code_body(key)
        for path in _inputs(workspace, key):
            if not path.is_file():
                raise BuildError(f"{path} is missing: build the code body {key} first.")
    citing = load_citing(workspace.citing, registry, keys)
    wanted = registry.layers if layers is None else [registry.layer(code) for code in layers]
    accepted, failed = available_layers(workspace, wanted)
    inputs = _hash_inputs(workspace, registry, keys, citing, layers_version(accepted, failed))
    folders = tuple(workspace.accepted(key) for key in keys)
    remembered = _LATEST.get(folders, inputs, accepted, failed)
    if remembered is not None:
        return remembered
    provisions, chunks, selected = [], [], []
    first = 0
    for key in keys:
        body = registry.code_body(key)
        light = pq.read_table(workspace.accepted(key) / PROVISIONS_FILE, columns=list(LIGHT))
        spans = pq.read_table(workspace.accepted(key) / CHUNKS_FILE, columns=["node_id", "start", "end"])
        selected.append(_select(workspace, body, first=first, count=light.num_rows, chunks=spans.num_rows))
        provisions.append(light)
        chunks.append(spans)
        first += light.num_rows
    light, spans = pa.concat_tables(provisions), pa.concat_tables(chunks)
    selection = Selection(
        bodies=tuple(selected),
        jurisdictions=_listed(registry, selected, accepted),
        provisions=light,
        chunks=spans,
        numbering=number(light, spans),
        inputs=inputs,
        citing=citing,
        layers=accepted,
        failed_layers=failed,
    )
    _LATEST.keep(folders, selection)
    return selection


class _Latest:
    """Keeps the selection that was loaded last: all steps of a publication load the same."""

    def __init__(self) -> None:
        self._folders: tuple[Path, ...] = ()
        self._selection: Selection | None = None

    def get(
        self,
        folders: tuple[Path, ...],
        inputs: Inputs,
        layers: tuple[AcceptedLayer, ...],
        failed: tuple[FailedLayer, ...],
    ) -> Selection | None:
        """Return it, if these are its folders, inputs and layers."""
        kept = self._selection
        if kept is None or (self._folders, kept.inputs) != (folders, inputs):
            return None
        return kept if (kept.layers, kept.failed_layers) == (layers, failed) else None

    def keep(self, folders: tuple[Path, ...], selection: Selection) -> None:
        """Keep one in the place of that before."""
        self._folders, self._selection = folders, selection


_LATEST = _Latest()


def _select(workspace: Workspace, body: CodeBody, *, first: int, count: int, chunks: int) -> SelectedBody:
    folder = workspace.accepted(body.key) / "provisions"
    raw = json.loads((folder / "report.json").read_bytes())
    files = pq.read_table(folder / "files.parquet").to_pylist()
    try:
        report = SourceReport(
            complete=raw["complete"],
            gaps=tuple(raw["gaps"]),
            current_through=raw["current_through"],
            release_point=raw["release_point"],
            source_sha256=raw["source_sha256"],
            # Tables that were accepted before titles said so have none.
            stale_titles=tuple(
                StaleTitle(unit["label"], unit["current_through"], unit["stale_since"], unit["provisions"])
                for unit in raw.get("units", ())
                if unit.get("stale_since") is not None
            ),
            # Nor do they say from which release they were read.
            release=raw.get("release"),
            release_date=raw.get("release_date"),
            whole_titles=tuple(unit["title"] for unit in raw.get("units", ()) if unit.get("title")),
        )
    except KeyError as error:
        raise BuildError(f"{folder / 'report.json'} lacks {error}.") from None
    return SelectedBody(
        body=body,
        report=report,
        folder=folder,
        embeddings=workspace.accepted(body.key) / EMBEDDINGS_FILE,
        files={
            (row["path"], row["sha256"]): PinnedFile(
                row["release_point"], row["current_through"], row["retrieved_at"], row.get("stale_since")
            )
            for row in files
        },
        first=first,
        count=count,
        chunk_count=chunks,
    )


def _listed(
    registry: Registry, selected: list[SelectedBody], layers: Sequence[AcceptedLayer]
) -> tuple[Jurisdiction, ...]:
    """Return those always listed, those with law or a map, and what they are a part of, in registry order."""
    by_code = {entry.jurisdiction.short_code: entry.jurisdiction for entry in registry.jurisdictions}
    wanted = {entry.jurisdiction.short_code for entry in registry.jurisdictions if entry.always}
    covered = [
        *(entry.body.jurisdiction for entry in selected),
        *(entry.layer.short_code for entry in layers),
    ]
    for jurisdiction in covered:
        code: str | None = jurisdiction
        while code is not None:
            wanted.add(code)
            code = by_code[code].parent
    return tuple(jurisdiction for code, jurisdiction in by_code.items() if code in wanted)


def _inputs(workspace: Workspace, key: str) -> list[Path]:
    accepted = workspace.accepted(key)
    facts = (PROVISIONS_FILE, "provisions/files.parquet", "provisions/report.json")
    return [accepted / name for name in (*facts, CHUNKS_FILE, EMBEDDINGS_FILE)]


def layers_version(accepted: Sequence[AcceptedLayer], failed: Sequence[FailedLayer]) -> str:
    """Return the digest of layers: their entries, files and failures."""
    digest = hashlib.sha256(f"{failed}\n".encode())
    for entry in accepted:
        digest.update(f"{entry.layer} {entry.failure}\n".encode())
        for path in sorted(entry.folder.iterdir()):
            digest.update(f"{path.name} {file_sha256(path)}\n".encode())
    return digest.hexdigest()


def _hash_inputs(
    workspace: Workspace, registry: Registry, keys: list[str], citing: Citing, layers: str
) -> Inputs:
    provisions, chunks, embeddings = hashlib.sha256(), hashlib.sha256(), hashlib.sha256()
    provisions.update(f"{registry.jurisdictions}\n".encode())
    for key in keys:
        provisions.update(f"{registry.code_body(key)}\n".encode())
        *facts, spans, vectors = _inputs(workspace, key)
        for path in facts:
            provisions.update(f"{key}/{path.name} {table_sha256(path)}\n".encode())
        chunks.update(f"{key} {table_sha256(spans)}\n".encode())
        embeddings.update(f"{key} {table_sha256(vectors)}\n".encode())
    return Inputs(
        tuple(keys),
        provisions.hexdigest(),
        chunks.hexdigest(),
        embeddings.hexdigest(),
        hashlib.sha256(citing.to_json()).hexdigest(),
        layers,
    )
