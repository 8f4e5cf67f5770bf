"""The law that the tables are judged in: of a snapshot, or built from the official files without a search index."""

import sys
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from assets.citations.build import build_citation_index
from assets.ingest.pinned import open_pinned
from assets.ingest.provisions import build_provisions
from assets.ingest.readers import dialect
from assets.ingest.sources import pin_source
from assets.ingest.tags import load_tag_rules
from assets.registry import CodeBody, load_registry
from assets.release.responses import build_response_store
from assets.search.keyword import build_keyword_index
from assets.selection.accepted_tables import accept
from assets.selection.code_bodies import code_body_entries
from assets.selection.selection import load_selection
from assets.workspace import Workspace, replacing
from serving.contract.layout import KEYWORD, MANIFEST
from serving.contract.manifest import CodeBodyEntry, Manifest
from serving.contract.records import CHUNKS
from serving.snapshot.keyword import KeywordIndex
from serving.snapshot.law import CitedLaw

CHECKOUT = Path(__file__).resolve().parents[3]
ARCHIVES = {
    "us-usc": "usc-sections-119-100.tar.xz",
    "dc-code": "dc-code-2024-10-20.tar.xz",
    "ca-san-mateo-code": "san-mateo.tar.xz",
}
"""Archives that the tables were written from, by code body."""
_INDEX, _STORE, _WORDS = "citation_index", "response_store", "keyword_index"


class QuotedLaw(CitedLaw):
    """Law whose provisions can be found by their words too, as absent quotations are."""

    def __init__(
        self, bodies: tuple[CodeBodyEntry, ...], *, nodes: Path, citations: Path, words: Path
    ) -> None:
        super().__init__(bodies, nodes_folder=nodes, citations_folder=citations)
        self.keyword = KeywordIndex(words / KEYWORD)


def open_law(place: Path, cache: Path, *, as_built: bool = False) -> QuotedLaw:
    """Open the law in a snapshot's folder, or build it from a folder of archives.

    Args:
        place: folder of one snapshot, or of the archives.
        cache: workspace of what is built from archives. Provisions are read once and kept there; the tables
            of citations and answers are made anew in each call, with the code as it is.
        as_built: judge by the tables that the last call made.
    """
    if (place / MANIFEST).is_file():
        bodies = Manifest.load(place).code_bodies
        return QuotedLaw(bodies, nodes=place, citations=place, words=place)
    workspace = Workspace(cache, CHECKOUT / "datasets", cache / "snapshots")
    registry = load_registry(workspace.registry)
    for key, archive in ARCHIVES.items():
        if not workspace.accepted(key).is_dir():
            _ingest(registry.code_body(key), place / archive, workspace)
    selection = load_selection(workspace, registry, list(ARCHIVES), [])
    index, store, words = (workspace.artefact(name) for name in (_INDEX, _STORE, _WORDS))
    if not words.is_dir():
        _say(f"{len(selection)} provisions; indexing their words")
        with replacing(words) as staging:
            build_keyword_index(selection, staging)
    if not as_built:
        _say(f"{len(selection)} provisions; reading their citations")
        with replacing(index) as staging:
            build_citation_index(selection, staging)
        _say("writing answers")
        with replacing(store) as staging:
            build_response_store(selection, staging, references=index)
    return QuotedLaw(code_body_entries(selection), nodes=store, citations=index, words=words)


def _ingest(body: CodeBody, archive: Path, workspace: Workspace) -> None:
    """Read the provisions of a code body; without chunks and vectors, which no citation needs."""
    _say(f"reading {archive.name}")
    pinned = workspace.source_files(body.key)
    source = pin_source(archive, body, pinned, retrieved_at=datetime.now(UTC), progress=lambda *_: None)
    build_provisions(
        open_pinned(pinned),
        source,
        body,
        dialect(body.reader).reader,
        workspace.provisions(body.key),
        tags=load_tag_rules(workspace.registry / "tags.toml"),
        previous=None,
        progress=lambda *_: None,
    )
    for folder in (workspace.chunks(body.key), workspace.embeddings(body.key)):
        folder.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist([], CHUNKS), workspace.chunks(body.key) / "chunks.parquet")
    np.save(workspace.embeddings(body.key) / "embeddings.npy", np.zeros((0, 1), np.float16))
    accept(workspace, body.key)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
